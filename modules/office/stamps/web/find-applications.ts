import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import { applicationCalls } from '../contract/applications.ts';

export default recordFinder(applicationCalls.list, { noun: '用印申请', page: '/stamp/detail' });
