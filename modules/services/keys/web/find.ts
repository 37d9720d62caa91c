import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import { loanCalls } from '../contract.ts';

export default recordFinder(loanCalls.list, { noun: '钥匙借用', page: '/key/loan' });
