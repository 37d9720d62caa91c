import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import { leaders } from '../contract.ts';

export default recordFinder(leaders.list, { noun: '领导日程', page: '/schedule/detail' });
