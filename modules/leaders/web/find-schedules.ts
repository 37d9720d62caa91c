import { recordFinder } from '#modules/records/widgets.tsx';
import { leaders } from '../contract.ts';

export default recordFinder(leaders.list, { noun: '领导日程', page: '/schedule/detail' });
