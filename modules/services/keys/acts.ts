import { and, eq, ne } from 'drizzle-orm';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { standsAs, type Writing } from '#modules/workflow/records/service.ts';
import { keyOut, loanStatus, notKeeper, notNow } from './contract.ts';
import { loanActs, nextAct, type LoanAct } from './engine/acts.ts';
import { keyNews } from './news.ts';
import { keysOf, loans, type Loan } from './record.ts';
import { keyTable, loanTable } from './tables.ts';

/** True if the person hands out a key and takes it back: its keeper, or an administrator of keys while the keeper is away. */
export const keeps = (user: Viewer, { keeper }: { keeper: number }): boolean =>
  keeper === user.id || holds(user, 'Update', 'key/list');

/** Hands out the key of a loan, or takes it back. */
export async function move(context: Writing, id: number, act: LoanAct): Promise<{ id: number }> {
  const { tx, user, now, audit } = context;
  const row = await loans.requireForUpdate(tx, await loans.viewerOf(tx, user), id);
  const key = (await keysOf(tx, [row.key_id])).get(row.key_id)!;
  if (!keeps(user, key)) throw notKeeper(row.title, key.keeper_info.alias);
  const state = row.status === loanStatus.waiting ? standsAs(row) : loanStatus.label(row.status);
  if (nextAct(row) !== act) throw notNow(row.title, state, loanActs[act]);
  if (act === 'take') await refuseOut(context, row);
  const at = now.toISOString();
  const after = await loans.set(tx, row, act === 'take' ? { taken_at: at } : { returned_at: at });
  audit({
    type: loans.definition.noun,
    id,
    title: row.title,
    before: { 借还: loanStatus.label(row.status) },
    after: { 借还: loanStatus.label(after.status) },
  });
  const content = act === 'take' ? `请于 ${row.due_date} 前归还。` : '借用已结束。';
  const kind = act === 'take' ? keyNews.KEY_TAKEN : keyNews.KEY_BACK;
  await announce(tx, kind, after, { content, by: user.id }, [row.creator_id]);
  return { id };
}

/** The database refuses the second loan as well; here it is named, and the key's lock makes the later of two wait for the earlier. */
async function refuseOut({ tx }: Writing, row: Loan): Promise<void> {
  await tx.select({ id: keyTable.id }).from(keyTable).where(eq(keyTable.id, row.key_id)).for('no key update');
  const [other] = await tx
    .select({ creator_id: loanTable.creator_id, due_date: loanTable.due_date })
    .from(loanTable)
    .where(and(eq(loanTable.key_id, row.key_id), eq(loanTable.status, loanStatus.out), ne(loanTable.id, row.id)));
  if (!other) return;
  const borrower = (await peopleById(tx, [other.creator_id])).get(other.creator_id)!;
  throw keyOut(row.title, borrower.alias, other.due_date);
}
