import { prepared, type Db } from '#kernel/server/db/db.ts';
import { cardsOf, peopleById, type PersonCard } from '#modules/platform/people/service.ts';
import { actState, participantType, refusedName, type ActState } from '#modules/workflow/workflows/engine/codes.ts';
import { stateOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { versionsById, type Version } from '#modules/workflow/workflows/service.ts';
import { codesOf, offeredByTasks } from '../engine/ways/offers.ts';
import type { Row } from '../contract/shapes.ts';
import { openedAt, recordOf, unsettledAmong, type RecordRef } from '../records/records.ts';
import { lentTo, type Reader } from '../visibility/delegation.ts';
import { isRefused, mainStateId, newTicket, type Task, type TicketState, type Token } from '../engine/state.ts';

/** A ticket with what a list shows of it: active tokens and open tasks only. */
export interface Card {
  id: number;
  sn: string;
  version: Version;
  rev: number;
  state: TicketState;
  parent_ticket_id: number | null;
  parent_ticket_state_id: number | null;
  record: RecordRef | null;
  due_at: string | null;
  created: string;
  modified: string;
  /** True if others did something since the reader last opened it; false if the reader never did. */
  news: boolean;
  /** True if the reader never opened it. */
  unread: boolean;
  /** The time since which it has waited longest for somebody; null if it waits for nobody. */
  since: string | null;
}

interface CardRow extends Omit<Card, 'version' | 'state' | 'record' | 'since'> {
  biz_module: string | null;
  biz_id: number | null;
  title: string;
  version_id: number;
  act_state: ActState;
  state_id: number;
  creator_id: number;
  dept_id: number | null;
  authors: number[];
  begun_by: number | null;
  round: number;
  seq: number;
  suspended: boolean;
  voided: boolean;
  tokens: Pick<Token, 'no' | 'state_id'>[] | null;
  tasks: (Pick<Task, 'no' | 'token' | 'state_id' | 'assignee' | 'pooled' | 'answers'> & { since: string })[] | null;
}

const cardsText = `
  select t.id, t.sn, t.title, t.version_id, t.act_state, t.state_id, t.creator_id, t.dept_id, t.author_ids as authors,
    (select w.agent_id from ticket_task w where w.ticket_id = t.id and w.no = 1) as begun_by, t.round, t.seq, t.rev,
    t.suspended_at is not null as suspended, t.is_void as voided,
    t.parent_ticket_id, t.parent_ticket_state_id, t.biz_module, t.biz_id, left(t.due_at::text, 19) as due_at,
    left(t.gmt_created::text, 19) as created, left(t.gmt_modified::text, 19) as modified,
    (select json_agg(json_build_object('no', k.no, 'state_id', k.state_id) order by k.no)
      from ticket_token k where k.ticket_id = t.id and k.status = 'active') as tokens,
    (select json_agg(json_build_object('no', w.no, 'token', w.token_no, 'state_id', w.state_id,
        'assignee', w.assignee_id, 'pooled', w.pooled, 'answers', w.answers, 'since', left(w.opened_at::text, 19)) order by w.no)
      from ticket_task w where w.ticket_id = t.id and w.status = 'todo') as tasks,
    exists (select from ticket_look o join ticket_log g on g.ticket_id = o.ticket_id and g.seq > o.seq
      where o.ticket_id = t.id and o.user_id = $2 and o.seq < t.seq and g.actor_id is distinct from $2) as news,
    not exists (select from ticket_look o where o.ticket_id = t.id and o.user_id = $2) as unread
  from ticket t where t.id = any($1::int[])`;

/** The people named in ticket rows: their creators, those who started them for others, and those they wait for. */
const namedText = `select creator_id from ticket where id = any($1::int[])
  union select agent_id from ticket_task where ticket_id = any($1::int[]) and no = 1 and agent_id is not null
  union select assignee_id from ticket_task where ticket_id = any($1::int[]) and status = 'todo'`;

/** Tickets by id as a person sees them in a list, in the order of the ids. Two statements in one round trip, however many tickets. */
export async function rowsOf(tx: Db, ids: readonly number[], reader: Reader): Promise<Row[]> {
  return (await readCards(tx, ids, reader)).map(({ row }) => row);
}

/** Like `rowsOf`, each with the data its row was made from. */
export async function readCards(tx: Db, ids: readonly number[], reader: Reader): Promise<{ card: Card; row: Row }[]> {
  if (ids.length === 0) return [];
  const [found, people] = await Promise.all([
    prepared<CardRow>(tx, 'ticket-cards', cardsText, [ids, reader.id]),
    cardsOf(tx, 'named-in-tickets', namedText, [ids]),
  ]);
  const versions = await versionsById(
    tx,
    found.map((row) => row.version_id),
  );
  const cards = new Map(found.map((row) => [row.id, cardOf(row, versions)]));
  const unsettled = await unsettledAmong(tx, [...cards.values()]);
  return ids.flatMap((id) => {
    const card = cards.get(id);
    return card ? [{ card, row: rowOf(tx, card, people, reader, unsettled.get(id)) }] : [];
  });
}

export function peopleOf(tx: Db, cards: readonly Pick<Card, 'state'>[]): Promise<Map<number, PersonCard>> {
  return peopleById(
    tx,
    cards.flatMap(({ state }) => [
      state.creator,
      ...(state.begun_by === null ? [] : [state.begun_by]),
      ...state.tasks.filter((task) => task.status === 'todo').map((task) => task.assignee),
    ]),
  );
}

function cardOf(row: CardRow, versions: ReadonlyMap<number, Version>): Card {
  const version = versions.get(row.version_id);
  if (!version) throw new Error(`version ${row.version_id} of ticket ${row.id} is missing`);
  // A finished ticket has no active token: its last state is stored in the row.
  const tokens = row.tokens ?? [{ no: 1, state_id: row.state_id }];
  const status = row.tokens ? 'active' : 'done';
  return {
    ...row,
    version,
    record: recordOf(row),
    since: (row.tasks ?? []).reduce<string | null>(
      (first, { since }) => (first && first < since ? first : since),
      null,
    ),
    state: {
      ...newTicket(row.creator_id, row.dept_id, row.authors, row.begun_by),
      title: row.title,
      act_state: row.act_state,
      round: row.round,
      seq: row.seq,
      suspended: row.suspended,
      voided: row.voided,
      tokens: tokens.map((token) => ({ ...token, branch: '', status, visit: 1, returned: false, back_to: null })),
      tasks: (row.tasks ?? []).map(({ since: _since, ...task }) => ({
        ...task,
        visit: 1,
        round: row.round,
        origin: 'assign',
        origin_no: null,
        on_behalf_of: null,
        group_seq: 0,
        group_no: 0,
        mode: null,
        status: 'todo',
        transition_id: null,
        reason: '',
      })),
    },
  };
}

export function stateInfo(definition: Definition, id: number) {
  const state = definition.states.find((candidate) => candidate.id === id);
  return { state_id: id, state_name: state?.name ?? '', state_label: state?.label ?? {} };
}

/** Placeholder for a person who no longer exists, say after a restore. */
export const nobody = (id: number): PersonCard => ({ id, username: '', alias: '', dept_id: null, dept_name: '' });

/** `unsettled`: the name of its state if it is over but the matter is not. */
export function rowOf(
  tx: Db,
  card: Card,
  people: ReadonlyMap<number, PersonCard>,
  reader: Reader,
  unsettled?: string,
): Row {
  const { state, version } = card;
  const { definition } = version;
  const lent = lentTo(state, version.workflow_id, reader);
  const creator = people.get(state.creator) ?? nobody(state.creator);
  const main = mainStateId(state) ?? 0;
  const living = state.tokens.filter((token) => token.status !== 'done');
  const asked = [...new Set(state.tasks.filter((task) => task.status === 'todo').map((task) => task.assignee))];
  const handlers = asked.map((id) => people.get(id) ?? nobody(id));
  const alias = handlers.map((one) => one.alias).join('、');
  return {
    id: card.id,
    sn: card.sn,
    title: state.title,
    workflow_id: version.workflow_id,
    workflow_info: { workflow_id: version.workflow_id, workflow_name: definition.name },
    state_id: main,
    state: { ...stateInfo(definition, main), ...(unsettled ? { state_name: unsettled } : {}) },
    ...(living.length > 1 ? { states: living.map((token) => stateInfo(definition, token.state_id)) } : {}),
    act_state_id: state.act_state,
    act_state_name: state.voided
      ? '已作废'
      : isRefused(definition, state)
        ? refusedName
        : (unsettled ?? actState.label(state.act_state)),
    unsettled: unsettled !== undefined,
    suspended: state.suspended,
    participant_info: {
      participant_type_id:
        handlers.length === 0
          ? participantType.none
          : handlers.length === 1
            ? participantType.user
            : participantType.users,
      participant_type_name: handlers.length === 0 ? '无' : handlers.length === 1 ? '个人' : '多人',
      participant: handlers.map((one) => one.username).join(','),
      participant_name: alias,
      participant_alias: alias,
    },
    creator: creator.username,
    creator_info: creator,
    begun_by: state.begun_by === null ? null : (people.get(state.begun_by) ?? nobody(state.begun_by)),
    parent_ticket_id: card.parent_ticket_id,
    parent_ticket_state_id: card.parent_ticket_state_id,
    in_add_node: state.tasks.some((task) => task.answers && task.status === 'todo'),
    round: state.round,
    due_at: card.due_at,
    gmt_created: card.created,
    gmt_modified: card.modified,
    version: card.rev,
    news: card.news,
    unread: card.unread,
    since: card.since,
    record_path: reader.formClosed ? null : openedAt(tx, card.record, state.act_state),
    on_behalf_of: [...new Set(lent.owners.values())].map((id) => people.get(id)?.alias ?? '').join('、'),
    actions: rowActions(definition, lent.state, reader.id),
  };
}

/** Actions that follow from a row's open tasks alone, and `batch` if it may be decided together with others. */
function rowActions(definition: Definition, state: TicketState, person: number): string[] {
  const mine = state.tasks.filter((task) => task.status === 'todo' && task.assignee === person && !task.pooled);
  const together = mine.some(({ state_id }) => {
    const { actions } = stateOf(definition, state_id);
    return actions.includes('batch') && !actions.includes('sign');
  });
  return [...codesOf(offeredByTasks(definition, state, person)), ...(together ? ['batch'] : [])];
}
