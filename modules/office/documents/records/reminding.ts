import { eq, sql } from 'drizzle-orm';
import { absent, tooMany } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { newsOf } from '#modules/platform/messages/service.ts';
import { tellUrged } from '#modules/platform/messages/service/nudges.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { isReachable, type SmsServices } from '#modules/platform/sms/service.ts';
import { handlingsOf } from '#modules/workflow/tickets/service.ts';
import { notByText, notPending, notReachable, notToUrge } from '../contract/records.ts';
import { mayNotUrge } from '../contract/refusals.ts';
import { secretLevel } from '../contract/shapes.ts';
import { documentNews } from '../urging/urging.ts';
import { mayUrge } from '../record/rows.ts';
import type { Stored } from '../visibility/visibility.ts';
import { textEvery, waitOf } from './listing.ts';
import { documentRecordTable } from '../tables/records.ts';

/** In seconds: a second request within this time counts as a repetition of the first, because proxies may repeat a GET. */
const sameFor = 60;

interface About {
  doc: Stored;
  ticketId: number;
  user: Viewer;
  now: Date;
}

/** Reminds a person the document waits for, with a text message at most once in two hours. The message contains only the document's title. */
export async function remind(
  tx: Db,
  recordId: number,
  { doc, ticketId, user, now }: About,
  services: Pick<SmsServices, 'secretBox'>,
): Promise<{ sent: number; sms_count: number; last_sms_at: string | null; to: string }> {
  const [row] = await tx
    .select()
    .from(documentRecordTable)
    .where(eq(documentRecordTable.id, recordId))
    .for('no key update');
  if (!row || row.document_id !== doc.id) throw absent('办理记录');
  if (!mayUrge(doc, user)) throw mayNotUrge();
  if (doc.secret_level > secretLevel.none) throw notByText();
  const handling = (await handlingsOf(tx, ticketId)).find((one) => one.taskNo === row.task_no);
  if (!handling) throw absent('办理记录');
  const to = (await peopleById(tx, [handling.assignee])).get(handling.assignee)?.alias ?? '';
  if (!handling.open || doc.submitted_at === null) throw notPending(to);
  const wait = waitOf(row, now);
  if (wait > textEvery - sameFor) return { sent: 0, sms_count: row.sms_count, last_sms_at: row.last_sms_at, to };
  if (wait > 0) throw tooMany('短信催办', wait);
  if (!(await isReachable(tx, handling.assignee, services))) throw notReachable(to);
  const said = {
    title: `请办理公文《${doc.title}》`,
    content: `${user.alias} 提醒您办理这份公文。`,
    // A separate occasion, so that a recent urging without text message does not suppress it.
    occasion: `sms ${row.task_no}`,
    also: ['sms'] as const,
    by: user.id,
  };
  const told = await tellUrged(tx, newsOf(documentNews.URGE, { doc, ticketId }, said), [handling.assignee]);
  if (told.length === 0) throw notToUrge(to);
  const [after] = await tx
    .update(documentRecordTable)
    .set({ sms_count: sql`${documentRecordTable.sms_count} + 1`, last_sms_at: now.toISOString() })
    .where(eq(documentRecordTable.id, recordId))
    .returning();
  return { sent: 1, sms_count: after!.sms_count, last_sms_at: after!.last_sms_at, to };
}
