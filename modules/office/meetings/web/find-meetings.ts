import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import { meetCalls } from '../contract/meetings.ts';
import type { MeetRow } from '../contract/shapes.ts';

const sn = (row: MeetRow) => row.start_time?.slice(0, 16) ?? '';
export default recordFinder(meetCalls.list, { noun: '会议', page: '/meet/detail', sn });
