import { recordFinder } from '#modules/workflow/records/widgets.tsx';
import type { ItemRow } from '../contract/shapes.ts';
import { items } from '../contract/supervise.ts';

export default recordFinder(items.list, { noun: '督办', page: '/supervise/detail', sn: (row: ItemRow) => row.sn });
