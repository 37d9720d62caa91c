import type { Db } from '#kernel/server/db/db.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { notifyPeople } from '#modules/platform/messages/service.ts';
import { holdersOf, partsOf, workingAmong } from '#modules/platform/people/service.ts';
import { contractEventNames } from '../contract/codes.ts';
import type { Stored } from './record.ts';

const type = newsType.contract;
export const managerRole = 'contract_manager';
const financeRole = 'finance';
const legalRole = 'legal';

/** Those of the house who hear of a contract by what they do. */
export const managers = async (tx: Db) => (await holdersOf(tx, managerRole)).map((one) => one.id);
export const finance = async (tx: Db) => (await holdersOf(tx, financeRole)).map((one) => one.id);
export const lawyers = async (tx: Db) => (await holdersOf(tx, legalRole)).map((one) => one.id);
export const headsOfDept = async (tx: Db, row: Pick<Stored, 'dept_id'>) =>
  (await partsOf(tx, [row.dept_id], 'leader')).map((one) => one.id);
export const leadersOfDept = async (tx: Db, row: Pick<Stored, 'dept_id'>) =>
  (await partsOf(tx, [row.dept_id], 'dept_ld')).map((one) => one.id);

/** How a contract is named in messages. */
export const calledIn = ({ contract_no, name }: Pick<Stored, 'contract_no' | 'name'>) =>
  `${contract_no ? `${contract_no} ` : ''}《${name}》`;

/** Tells people of what happened to a contract; whoever did it knows. */
export async function tellOf(
  tx: Db,
  row: Pick<Stored, 'id' | 'name' | 'contract_no'>,
  {
    event,
    content,
    by,
    occasion,
  }: { event: keyof typeof contractEventNames; content: string; by: number | null; occasion?: string },
  to: readonly number[],
): Promise<void> {
  const people = (await workingAmong(tx, [...new Set(to)])).filter((one) => one !== by);
  const title = `${contractEventNames[event]}：${row.name}`;
  const about = { module: 'contracts', objectId: row.id, event, webPath: `/contract/detail/${row.id}` };
  await notifyPeople(tx, { title, content, type, senderId: by, ...about, ...(occasion ? { occasion } : {}) }, people);
}
