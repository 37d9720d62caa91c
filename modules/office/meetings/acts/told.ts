import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { announce, callBackNews } from '#modules/platform/messages/service.ts';
import { replyState, signState } from '../contract/codes.ts';
import { attendeeTable, guestTable, meetTable } from '../tables.ts';
import { changeForLeaders, keepForLeaders, withdrawFromLeaders } from './leaders.ts';
import { meetNews, toldOf, whenWhere } from './notice.ts';

type Row = Omit<typeof meetTable.$inferSelect, 'search'>;
interface More {
  before?: Row;
  by?: number | null;
  why?: string;
  /** Notifies these too: the creator, if the office moved it. */
  also?: readonly number[];
  /** Sends nothing; the caller notifies people of several meetings at once. */
  quiet?: boolean;
}

/** Reports that a meeting was approved, moved or dropped. The one place from which leaders' schedules learn of it. */
export async function told(tx: Db, what: 'kept' | 'moved' | 'dropped', row: Row, more: More = {}): Promise<void> {
  const { before, by = null, why = '', also = [], quiet = false } = more;
  if (what === 'kept') return keepForLeaders(tx, [row.id], by);
  const timeMoved = before !== undefined && (before.start_time !== row.start_time || before.end_time !== row.end_time);
  const theirs = await toldOf(tx, row.id);
  // The entry takes the answers from the meeting, so they are reset first.
  if (timeMoved && what === 'moved') await askAnew(tx, row.id);
  if (what === 'moved') await changeForLeaders(tx, row, by);
  else await withdrawFromLeaders(tx, [row], by, why);
  const people = [...new Set([...theirs, ...also])];
  if (what === 'dropped') {
    await callBackNews(tx, { module: 'meetings', objectId: row.id });
    if (quiet) return;
    const content = `原定 ${await whenWhere(tx, row)}。原因：${why}`;
    await announce(tx, meetNews.MEET_CANCEL, row, { content, by }, people);
    return;
  }
  if (!before) throw new Error('what it was before is not said');
  if (quiet) return;
  // A person who moved a meeting that they attend has to answer anew like everybody else.
  const again = timeMoved ? '请重新回复能否参加。' : '';
  const said = `原为 ${await whenWhere(tx, before)}；现为 ${await whenWhere(tx, row)}。${why && `原因：${why}。`}${again}`;
  await announce(
    tx,
    meetNews.MEET_CHANGE,
    row,
    { content: said, by, own: timeMoved && by !== null && theirs.includes(by) },
    people,
  );
}

/** Resets all answers and sign-ins, because the time changed. */
async function askAnew(tx: Db, id: number): Promise<void> {
  await tx
    .update(attendeeTable)
    .set({
      reply: replyState.none,
      reply_reason: '',
      reply_time: null,
      substitute_id: null,
      substitute_state: null,
      sign_state: signState.none,
      sign_time: null,
      sign_method: null,
      sign_device: null,
      signed_by: null,
    })
    .where(eq(attendeeTable.meet_id, id));
  await tx.update(guestTable).set({ sign_time: null }).where(eq(guestTable.meet_id, id));
  await tx.update(meetTable).set({ checked_in_at: null, checked_in_by: null }).where(eq(meetTable.id, id));
}
