import { and, asc, desc, eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { pageOf, type Page, type PageAsked } from '#kernel/server/list/paging.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById, type PersonCard } from '#modules/platform/people/service.ts';
import { namesFor, namesOf } from './names.ts';
import { attributeType, stateTypeOf } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { nobody, stateInfo } from '../read/cards.ts';
import { titleOf } from '../engine/ways/buttons.ts';
import { namedIn } from '../engine/fields.ts';
import type { FlowLog, FlowStep } from '../contract/shapes.ts';
import { formsAt } from '../fields/forms.ts';
import type { Event, Trace } from '../engine/state.ts';
import { sightOf, type Reader } from '../visibility/delegation.ts';
import { namedInTrace, reasonOf, reasonsFor } from './reasons.ts';
import { filesOf } from './chain.ts';
import { short, type Stored } from './store.ts';
import { ticketLogTable } from '../tables/log.ts';

// The events of actions that pass a ticket on, which name its new people.
const named = sql<
  Event[] | null
>`case when ${ticketLogTable.action} in ('deliver', 'left', 'delegate', 'add_node', 'cc', 'comment', 'state') then ${ticketLogTable.events} end`;
const columns = {
  id: ticketLogTable.id,
  seq: ticketLogTable.seq,
  at: short(ticketLogTable.at),
  actor: ticketLogTable.actor_id,
  behalf: ticketLogTable.on_behalf_id,
  action: ticketLogTable.action,
  intervene_type: ticketLogTable.intervene_type,
  transition_id: ticketLogTable.transition_id,
  from: ticketLogTable.from_state_id,
  to: ticketLogTable.to_state_id,
  suggestion: ticketLogTable.suggestion,
  trace: ticketLogTable.trace,
  events: named,
  signature: ticketLogTable.signature_file_id,
  files: filesOf,
  via: ticketLogTable.via,
  corrected: sql<boolean>`exists (select from ticket_log c where c.ticket_id = ticket_log.ticket_id and c.action = 'correct'
    and c.seq > ticket_log.seq and c.task_nos && ticket_log.task_nos)`,
};
/** States entered by a row, including those in which nobody had to act. */
const entered = sql<
  number[]
>`jsonb_path_query_array(${ticketLogTable.events}, '$[*] ? (@.type == "token_entered").state_id')`;
interface LogRow {
  id: number;
  seq: number;
  at: string | null;
  actor: number | null;
  behalf: number | null;
  action: string;
  intervene_type: number;
  transition_id: number | null;
  from: number;
  to: number;
  suggestion: string;
  trace: Trace[];
  events: Event[] | null;
  signature: number | null;
  files: number[];
  via: string;
  corrected: boolean;
}

/** A page of a ticket's log; with `ticket_data` the form after each row, in the fields the reader may see. */
export async function logPage(
  tx: Db,
  stored: Stored,
  asked: PageAsked & { ticket_data: boolean },
  reader: Reader,
): Promise<Page<FlowLog>> {
  const select = tx.select(columns).from(ticketLogTable).where(eq(ticketLogTable.ticket_id, stored.id)).$dynamic();
  const page = await pageOf(tx, asked, select, {
    by: { seq: ticketLogTable.seq },
    first: 'seq',
    tie: ticketLogTable.id,
  });
  const value = await shown(tx, stored, page.value, reader);
  if (!asked.ticket_data || value.length === 0) return { ...page, value };
  const forms = await formsAt(tx, stored, reader, Math.max(...value.map((row) => row.seq)));
  const form = (row: FlowLog) => forms.get(row.seq) ?? {};
  const named = (row: FlowLog) =>
    stored.version.definition.fields.flatMap((field) => namedIn(field, form(row)[field.key]));
  const names = await namesFor(tx, value.flatMap(named));
  return {
    ...page,
    value: value.map((row) => ({ ...row, ticket_data: form(row), ticket_people: namesOf(named(row), names) })),
  };
}

/** Every visible state in order, with its actions and the people it waits for. */
export async function steps(tx: Db, stored: Stored, reader: Reader): Promise<FlowStep[]> {
  const { state, version } = stored;
  const rows = await tx
    .select({ ...columns, entered })
    .from(ticketLogTable)
    .where(eq(ticketLogTable.ticket_id, stored.id))
    .orderBy(asc(ticketLogTable.seq));
  const passed = new Set(rows.flatMap((row) => row.entered));
  const logs = await shown(tx, stored, rows, reader);
  const open = state.tasks.filter((task) => task.status === 'todo');
  const people = await peopleById(
    tx,
    open.map((task) => task.assignee),
  );
  // A finished ticket still shows its last state.
  const living = state.tokens.filter((token) => token.status !== 'done');
  const current = new Set((living.length > 0 ? living : state.tokens.slice(0, 1)).map((token) => token.state_id));
  return version.definition.states
    .filter((one) => !one.hidden || current.has(one.id))
    .toSorted((a, b) => a.order - b.order)
    .map((one) => ({
      state_id: one.id,
      state_name: one.name,
      order_id: one.order,
      type_id: stateTypeOf(one.kind),
      is_current: current.has(one.id),
      is_passed: passed.has(one.id) && !current.has(one.id),
      state_flow_log_list: logs.filter((log) => log.state.state_id === one.id),
      waiting_for: [...new Set(open.filter((task) => task.state_id === one.id).map((task) => task.assignee))].map(
        (id) => people.get(id) ?? nobody(id),
      ),
    }));
}

/** A sentence for somebody who comes too late, saying what ended their tasks (by number); null if nothing has. */
export async function whatEnded(
  tx: Db,
  stored: Stored,
  tasks: readonly number[],
  reader: number,
): Promise<string | null> {
  const [row] = await tx
    .select(columns)
    .from(ticketLogTable)
    .where(
      and(
        eq(ticketLogTable.ticket_id, stored.id),
        sql`exists (select from jsonb_array_elements(${ticketLogTable.events}) event
          where event ->> 'type' = 'task_changed' and (event ->> 'no')::int = any(${sql.param([...tasks])}::int[])
          and event ->> 'status' not in ('todo', 'waiting'))`,
      ),
    )
    .orderBy(desc(ticketLogTable.seq))
    .limit(1);
  if (!row) return null;
  const actor = row.actor === null ? undefined : (await peopleById(tx, [row.actor])).get(row.actor);
  const who = row.actor === reader ? '您' : row.actor === null ? '系统' : (actor?.alias ?? '他人');
  return `${who}已在 ${row.at ?? ''}“${actionName(stored.version.definition, row)}”，这张工单现在不由您处理`;
}

async function shown(tx: Db, stored: Stored, rows: readonly LogRow[], reader: Reader): Promise<FlowLog[]> {
  const { creator } = stored.state;
  const people = await peopleById(
    tx,
    rows.flatMap((row) =>
      [row.actor, row.behalf, ...namedInTrace(row.trace, creator), ...reached(row.events)].filter((id) => id !== null),
    ),
  );
  const files = await fileCards(
    tx,
    rows.flatMap((row) => [...(row.signature === null ? [] : [row.signature]), ...row.files]),
    reader,
  );
  const { definition } = stored.version;
  const traces = rows.flatMap((row) => row.trace);
  const reasons = await reasonsFor(tx, stored, traces, sightOf(stored, reader));
  const card = (id: number | null): PersonCard | null => (id === null ? null : (people.get(id) ?? nobody(id)));
  return rows.map((row) => ({
    id: row.id,
    seq: row.seq,
    ticket_id: stored.id,
    state: stateInfo(definition, row.from),
    transition: {
      transition_id: row.transition_id ?? 0,
      transition_name: actionName(definition, row),
      attribute_type_id: transitionOf(definition, row.transition_id)?.attribute ?? attributeType.other,
    },
    intervene_type_id: row.intervene_type,
    action: row.action,
    participant_info: card(row.actor),
    on_behalf_of: card(row.behalf),
    suggestion: row.suggestion,
    mine: row.actor === reader.id,
    corrected: row.corrected,
    signature: (row.signature !== null && files.get(row.signature)) || null,
    files: row.files.flatMap((id) => files.get(id) ?? []),
    reasons: [
      ...(row.via ? [`通过${row.via}办理`] : []),
      ...passedOn(definition, row, people),
      ...row.trace.flatMap((trace) => reasonOf(trace, { ...reasons, people })),
    ],
    gmt_created: row.at ?? '',
  }));
}

/** The people an action added. */
function reached(events: readonly Event[] | null): number[] {
  return (events ?? []).flatMap((event) =>
    event.type === 'task_opened' ? [event.task.assignee] : event.type === 'copied' ? event.people : [],
  );
}

function passedOn(definition: Definition, row: LogRow, people: ReadonlyMap<number, PersonCard>): string[] {
  const names = reached(row.events).map((id) => people.get(id)?.alias ?? '');
  const to = row.action === 'state' ? [`调整到“${stateInfo(definition, row.to).state_name}”`] : [];
  return names.length > 0
    ? [...to, `${row.action === 'left' ? '转' : (titleOf(row.action) ?? '')}给 ${names.join('、')}`]
    : to;
}

function transitionOf(definition: Definition, id: number | null) {
  return definition.transitions.find((transition) => transition.id === id);
}

/** The name of a log row. */
export function actionName(definition: Definition, row: Pick<LogRow, 'transition_id' | 'action'>): string {
  // A ticket moved to a newer version may refer to a transition that no longer exists.
  return titleOf(row.action) ?? transitionOf(definition, row.transition_id)?.name ?? '处理';
}
