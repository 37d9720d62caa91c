import { eq, sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import type { Change } from '#kernel/server/http/implement.ts';
import { statuses } from '../contract/list.ts';
import { deadlinePast, replacedBefore, replaceUnknown } from '../contract/refusals.ts';
import { paperStatus } from '../contract/rows.ts';
import { checkReadable } from './parts.ts';
import { paperTable } from '../tables.ts';
import { announce, withdrawTodosOf } from '../reading/notify.ts';

export type Stored = typeof paperTable.$inferSelect;
const { inForce, revised } = paperStatus;

/** Refuses a paper that cannot be published as it is: without text, or to be read by a day that is over. */
export async function checkReady(tx: Db, paper: Stored, now: Date): Promise<void> {
  await checkReadable(tx, paper);
  if (paper.must_read && paper.read_deadline && paper.read_deadline < dayOf(now))
    throw deadlinePast(paper.read_deadline);
}

/** Puts a draft in force and tells its readers; what it revises is revised from now on and answered. Asks for no right. */
export async function putInForce(tx: Db, paper: Stored, now: Date): Promise<Stored | null> {
  await checkReady(tx, paper, now);
  const old = paper.replace_id === null ? null : await replaced(tx, paper.replace_id);
  await tx
    .update(paperTable)
    .set({
      status: inForce,
      published_at: sql`now()` as never,
      version: sql`${paperTable.version} + 1` as never,
      gmt_modified: sql`now()` as never,
    })
    .where(eq(paperTable.id, paper.id))
    .catch(refuseOn('folder_paper_replaced_once', () => replacedBefore(paper.title)));
  await announce(tx, paper, []);
  return old;
}

async function replaced(tx: Db, id: number): Promise<Stored> {
  const [old] = await tx.select().from(paperTable).where(eq(paperTable.id, id)).for('update');
  if (old?.status === revised) throw replacedBefore(old.title);
  if (old?.status !== inForce) throw replaceUnknown();
  await tx
    .update(paperTable)
    .set({ status: revised, version: old.version + 1, gmt_modified: sql`now()` })
    .where(eq(paperTable.id, old.id));
  await withdrawTodosOf(tx, old.id);
  return old;
}

/** What the operation log says of a paper that stands differently now. */
export const standing = ({ id, title, status }: Stored, after: keyof typeof statuses): Change => ({
  type: '制度文件',
  id,
  title,
  before: { 状态: statuses[status as keyof typeof statuses] },
  after: { 状态: statuses[after] },
});
