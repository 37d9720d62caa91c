import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import { activities } from '../contract/activities.ts';

export default recordFinder(activities.list, { noun: '活动', page: '/activity/detail' });
