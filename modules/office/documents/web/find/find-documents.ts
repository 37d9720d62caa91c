import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import { documents } from '../../contract.ts';
import type { DocumentRow } from '../../contract/shapes.ts';

const numberOf = (row: DocumentRow) => `${row.doc_number || row.receipt_no || row.sn} · ${row.act_state_name}`;
export default recordFinder(documents.list, { noun: '公文', page: '/document/detail', sn: numberOf });
