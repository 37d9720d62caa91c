import { eq } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { handlingsOf, seesTicket, whyNotCorrectable, type Handling } from '#modules/workflow/tickets/service.ts';
import type { DocumentRecord } from '../contract/records.ts';
import { handlingState } from '../contract/records.ts';
import { secretLevel } from '../contract/shapes.ts';
import { mayUrge } from '../record/rows.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentRecordTable } from '../tables/records.ts';

type Kept = typeof documentRecordTable.$inferSelect;
/** In seconds: a person gets at most one text message about a document within this time. */
export const textEvery = 2 * 3600;
export const waitOf = ({ last_sms_at: lastSms }: Kept, now: Date): number =>
  lastSms === null ? 0 : momentOf(lastSms).getTime() / 1000 + textEvery - now.getTime() / 1000;

const statusName = ({ missed, open }: Handling) => (missed ? '逾期未回复' : open ? '待处理' : '已处理');
const minutes = (from: string, to: number) => Math.max(0, Math.floor((to - momentOf(from).getTime()) / 60_000));

/** The people the document came to, with times and opinions, including open tasks. */
export async function recordsOf(
  tx: Db,
  { doc, ticketId, user, now, archived }: About & { ticketId: number; archived: boolean },
): Promise<DocumentRecord[]> {
  const kept = new Map(
    (await tx.select().from(documentRecordTable).where(eq(documentRecordTable.document_id, doc.id))).map((row) => [
      row.task_no,
      row,
    ]),
  );
  const handlings = await handlingsOf(tx, ticketId);
  const people = await peopleById(
    tx,
    handlings.flatMap((one) => [one.assignee, ...(one.delegate === null ? [] : [one.delegate])]),
  );
  // The files of opinions are opened by those who see the ticket.
  const given = handlings.some((one) => one.files.length > 0) && (await seesTicket(tx, user, ticketId));
  const files = await fileCards(
    tx,
    handlings.flatMap((one) => [one.signature ?? [], given ? one.files : []].flat()),
    user,
  );
  return handlings.flatMap((one): DocumentRecord[] => {
    const row = kept.get(one.taskNo);
    if (!row) return [];
    const person = people.get(one.assignee);
    const ended = one.handled === null ? now.getTime() : momentOf(one.handled).getTime();
    const mine = (one.delegate ?? one.assignee) === user.id;
    return [
      {
        id: row.id,
        ticket_id: ticketId,
        document_id: doc.id,
        state_name: one.state,
        participant: person?.username ?? '',
        participant_alias: person?.alias ?? '',
        agent_alias: people.get(one.delegate ?? 0)?.alias ?? '',
        dept_name: person?.dept_name ?? '',
        transition_name: one.did,
        suggestion: one.handled === null ? '' : one.suggestion,
        attachments: given ? one.files.flatMap((id) => files.get(id) ?? []) : [],
        signature: (one.signature !== null && files.get(one.signature)) || null,
        arrived_at: one.arrived,
        handled_at: one.handled,
        due_at: one.due,
        duration_min: minutes(one.arrived, ended),
        status: one.handled === null ? handlingState.open : handlingState.handled,
        status_name: statusName(one),
        overdue: one.missed,
        corrected: one.corrected,
        sms_count: row.sms_count,
        last_sms_at: row.last_sms_at,
        can_sms: one.open && !archived && mayText({ doc, user, now }, one.assignee) && waitOf(row, now) <= 0,
        can_edit: mine && !archived && whyNotCorrectable({ ...one, decided: one.handled }, now) === null,
      },
    ];
  });
}

interface About {
  doc: Stored;
  user: Viewer;
  now: Date;
}
const mayText = ({ doc, user }: About, assignee: number) =>
  doc.secret_level === secretLevel.none && doc.submitted_at !== null && assignee !== user.id && mayUrge(doc, user);
