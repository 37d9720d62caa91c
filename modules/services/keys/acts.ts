import { and, eq, ne } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { standsAs, type Writing } from '#modules/workflow/records/service.ts';
import { keyOut, loanStatus, notKeeper, notNow, tooEarly, tooLate } from './contract.ts';
import { loanActs, nextAct, statusOn, type LoanAct } from './engine/acts.ts';
import { keyNews } from './news.ts';
import { keysOf, loans, lockKey, type KeyViewer, type Loan } from './record.ts';
import { loanTable } from './tables.ts';

/** True if the person hands out a key and takes it back: its keeper, and for loans of others also the keeper's delegates and those who may change keys. */
export const keeps = ({ user, keepers }: KeyViewer, keeper: number, borrower: number): boolean =>
  keeper === user.id || (borrower !== user.id && (keepers.includes(keeper) || holds(user, 'Update', 'key/list')));

/** Hands out the key of a loan, or takes it back. */
export async function move(context: Writing, id: number, act: LoanAct): Promise<{ id: number }> {
  const { tx, user, now, audit } = context;
  const viewer = await loans.viewerOf(tx, user);
  const row = await loans.requireForUpdate(tx, viewer, id);
  const { title, key_id, creator_id, start_date, due_date } = row;
  const { keeper, keeper_info } = (await keysOf(tx, [key_id])).get(key_id)!;
  if (!keeps(viewer, keeper, creator_id)) throw notKeeper(title, keeper_info.alias);
  const today = dayOf(now);
  const was = row.status === null ? standsAs(row) : loanStatus.label(statusOn(row, today));
  if (act === 'take' && row.status === loanStatus.waiting) {
    if (today < start_date) throw tooEarly(title, start_date);
    if (today > due_date) throw tooLate(title, due_date);
  }
  if (nextAct(row, today) !== act) throw notNow(title, was, loanActs[act]);
  if (act === 'take') await refuseOut(context, row);
  const at = now.toISOString();
  const after = await loans.set(tx, row, act === 'take' ? { taken_at: at } : { returned_at: at });
  const is = loanStatus.label(after.status!);
  audit({ type: loans.definition.noun, id, title, before: { 借还: was }, after: { 借还: is } });
  const content = act === 'take' ? `最迟 ${due_date} 归还。` : '借用已结束。';
  const kind = act === 'take' ? keyNews.KEY_TAKEN : keyNews.KEY_BACK;
  await announce(tx, kind, after, { content, by: user.id }, [creator_id]);
  const borrower = (await peopleById(tx, [creator_id])).get(creator_id)!;
  const told = { content: `${borrower.alias}借用的${title}由${user.alias}${loanActs[act]}。`, by: user.id };
  await announce(tx, keyNews.KEY_MOVED, after, told, keeper === creator_id ? [] : [keeper]);
  return { id };
}

/** The database refuses the second loan as well; here it is named, and the key's lock makes the later of two wait for the earlier. */
async function refuseOut({ tx }: Writing, row: Loan): Promise<void> {
  await lockKey(tx, row.key_id);
  const [other] = await tx
    .select({ creator_id: loanTable.creator_id, due_date: loanTable.due_date })
    .from(loanTable)
    .where(and(eq(loanTable.key_id, row.key_id), eq(loanTable.status, loanStatus.out), ne(loanTable.id, row.id)));
  if (!other) return;
  const borrower = (await peopleById(tx, [other.creator_id])).get(other.creator_id)!;
  throw keyOut(row.title, borrower.alias, other.due_date);
}
