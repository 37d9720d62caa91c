import { and, asc, eq, gt, lte, sql, type SQL } from 'drizzle-orm';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { versionsById } from '#modules/workflow/workflows/service.ts';
import { eventCalls, eventsAhead, eventsGone, type TicketEvent } from '../contract/events.ts';
import type { Event } from '../engine/state.ts';
import { stateInfo } from '../read/cards.ts';
import { announcementOf, recordOf } from '../records/records.ts';
import { actionName } from '../store/log.ts';
import { short } from '../store/store.ts';
import { ticketTable } from '../tables.ts';
import { ticketLogTable } from '../tables/log.ts';
import { ticketEventTable } from '../tables/stream.ts';
import { heardBy } from '../visibility/visibility.ts';
import { ticketViewerOf } from '../visibility/viewer.ts';
import { placeEvents } from './placing.ts';

/** The most events searched at once for somebody who sees few of them. */
const lookedThrough = 20_000;

export const eventsModule = implement('tickets', eventCalls, {
  async events({ query: { after, limit } }, { tx, user }) {
    const last = await placeEvents(tx);
    const oldest = await oldestKept(tx, last);
    if (after !== undefined && after < oldest) throw eventsGone(after, oldest);
    if (after !== undefined && after > last) throw eventsAhead(after, last);
    return eventsAfter(tx, user, { after: after ?? oldest, last, limit });
  },
});

/** The position after which all events are kept. */
async function oldestKept(tx: Db, last: number): Promise<number> {
  const [row] = await tx
    .select({ position: ticketEventTable.position })
    .from(ticketEventTable)
    .where(sql`${ticketEventTable.position} is not null`)
    .orderBy(asc(ticketEventTable.position))
    .limit(1);
  return row?.position == null ? last : row.position - 1;
}

interface Asked {
  after: number;
  last: number;
  limit: number;
}

/** The events after a position that somebody may see, in order; `cursor` is the last position searched. */
export async function eventsAfter(
  tx: Db,
  user: Viewer,
  { after, last, limit }: Asked,
): Promise<{ value: TicketEvent[]; cursor: number; more: boolean }> {
  const until = Math.min(last, after + lookedThrough);
  const { position } = ticketEventTable;
  const heard = heardBy(await ticketViewerOf(tx, user));
  const rows = await rowsWhere(tx, and(gt(position, after), lte(position, until), heard), limit);
  const cursor = rows.length === limit ? rows.at(-1)!.position! : until;
  return { value: await shown(tx, rows), cursor, more: cursor < last };
}

const columns = {
  position: ticketEventTable.position,
  at: short(ticketLogTable.at),
  ticket_id: ticketLogTable.ticket_id,
  seq: ticketLogTable.seq,
  sn: ticketTable.sn,
  title: ticketTable.title,
  workflow_id: ticketTable.workflow_id,
  version_id: ticketTable.version_id,
  action: ticketLogTable.action,
  transition_id: ticketLogTable.transition_id,
  from: ticketLogTable.from_state_id,
  to: ticketLogTable.to_state_id,
  actor: ticketLogTable.actor_id,
  behalf: ticketLogTable.on_behalf_id,
  suggestion: ticketLogTable.suggestion,
  via: ticketLogTable.via,
  events: ticketLogTable.events,
  biz_module: ticketTable.biz_module,
  biz_id: ticketTable.biz_id,
};
type Row = Awaited<ReturnType<typeof rowsWhere>>[number];

const rowsWhere = (tx: Db, where: SQL | undefined, limit: number) =>
  tx
    .select(columns)
    .from(ticketEventTable)
    .innerJoin(ticketLogTable, eq(ticketLogTable.id, ticketEventTable.log_id))
    .innerJoin(ticketTable, eq(ticketTable.id, ticketLogTable.ticket_id))
    .where(where)
    .orderBy(asc(ticketEventTable.position))
    .limit(limit);

/** The people an action asks now, without those whose task it also ended. */
function asked(events: readonly Event[]): number[] {
  const over = new Set(events.flatMap((event) => (event.type === 'task_changed' ? [event.no] : [])));
  const opened = events.flatMap((event) => (event.type === 'task_opened' ? [event.task] : []));
  return [...new Set(opened.filter((task) => !over.has(task.no)).map((task) => task.assignee))];
}

async function shown(tx: Db, rows: readonly Row[]): Promise<TicketEvent[]> {
  const versions = await versionsById(
    tx,
    rows.map((row) => row.version_id),
  );
  const people = await peopleById(
    tx,
    rows.flatMap((row) => [row.actor, row.behalf, ...asked(row.events)].filter((id) => id !== null)),
  );
  const named = (id: number | null) => (id === null ? null : (people.get(id)?.username ?? null));
  const hidden = await hiddenOf(tx, rows);
  return rows.map((row) => {
    const { definition } = versions.get(row.version_id)!;
    const unnamed = hidden.get(row.ticket_id) ?? null;
    const became = row.events.findLast((event) => event.type === 'act_state_changed');
    const place = (id: number) => ({ id, name: stateInfo(definition, id).state_name });
    return {
      position: row.position!,
      at: row.at ?? '',
      ticket_id: row.ticket_id,
      seq: row.seq,
      sn: row.sn,
      title: unnamed ?? row.title,
      workflow_id: row.workflow_id,
      workflow_name: definition.name,
      action: row.action,
      action_name: actionName(definition, row),
      transition_id: row.transition_id,
      from_state: place(row.from),
      to_state: place(row.to),
      act_state_id: became?.to ?? null,
      actor: named(row.actor),
      on_behalf_of: named(row.behalf),
      asked: asked(row.events).flatMap((id) => named(id) ?? []),
      via: row.via,
      suggestion: unnamed === null ? row.suggestion : '',
      module: row.biz_module,
      record_id: row.biz_id,
    };
  });
}

/** Neutral names of tickets whose records must not be named outside, by id. */
async function hiddenOf(tx: Db, rows: readonly Row[]): Promise<Map<number, string>> {
  const hidden = new Map<number, string>();
  const looked = new Set<number>();
  for (const row of rows) {
    if (looked.has(row.ticket_id)) continue;
    looked.add(row.ticket_id);
    const { unnamed } = await announcementOf(tx, recordOf(row));
    if (unnamed !== null) hidden.set(row.ticket_id, unnamed);
  }
  return hidden;
}
