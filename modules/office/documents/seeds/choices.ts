import { onOff } from '#kernel/contract/titles.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { docKind } from '../contract/shapes.ts';
import { documentCategoryTable, numberRuleTable } from '../tables.ts';

/** A new house has not set its own agency code yet: the two usual rules wait for it, disabled. Orders have no code. */
const rules = [
  { agency_code: '令', scope: '命令（令），编为第 n 号', style: 2 },
  { agency_code: '发', scope: '启用前请改为本单位的发文代字，如“校发”', status: onOff.off },
  { agency_code: '函', scope: '启用前请改为本单位的函件代字，如“校函”', status: onOff.off },
];
const categories = [
  { name: '本单位发文', code: 'FW', doc_kind: docKind.sending },
  { name: '上级来文', code: 'SJ', doc_kind: docKind.receiving },
  { name: '平级来文', code: 'PJ', doc_kind: docKind.receiving },
  { name: '下级来文', code: 'XJ', doc_kind: docKind.receiving },
  { name: '签报', code: 'QB', doc_kind: docKind.memo },
];

/** The choices for writers in a house that has no lists of its own yet. Deleted ones do not come back. */
export async function seedChoices(tx: Db): Promise<void> {
  if ((await tx.$count(numberRuleTable)) === 0) await tx.insert(numberRuleTable).values(rules);
  if ((await tx.$count(documentCategoryTable)) === 0)
    await tx.insert(documentCategoryTable).values(categories.map((one, at) => ({ ...one, order_id: at + 1 })));
}
