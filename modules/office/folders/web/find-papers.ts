import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import { papers, type Paper } from '../contract/list.ts';

const about = { noun: '制度文件', page: '/folder/detail', sn: (row: Paper) => row.fwh, query: { aside: true } };
export default recordFinder(papers, about);
