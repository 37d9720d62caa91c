import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import { contracts } from '../contract/contracts.ts';
import type { ContractRow } from '../contract/shapes.ts';

const about = { noun: '合同', page: '/contract/detail', sn: (row: ContractRow) => row.contract_no };
export default recordFinder(contracts.list, about);
