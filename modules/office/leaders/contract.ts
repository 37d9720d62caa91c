import { boardCalls } from './contract/board.ts';
import { scheduleCalls } from './contract/schedules.ts';
import { leaderStatistics } from './contract/statistics.ts';

export const leaders = { ...scheduleCalls, ...boardCalls, statistics: leaderStatistics.call };
