import type { Db } from '#kernel/server/db/db.ts';
import { mostDays, type Moulds } from './moulds.ts';

const tables = {
  tickets: `workflow_id int, version_id int, act_state smallint, state_id int, creator_id int, dept_id int, title text, form text,
    place text, description text, days text[], chosen text, undo text, round int, seq int, rev int, submitted_at timestamptz, finished_at timestamptz, is_deleted boolean,
    gmt_created timestamptz, gmt_modified timestamptz`,
  tokens: `no int, state_id int, branch text, status text, visit int, returned boolean, entered_at timestamptz`,
  tasks: `no int, token_no int, visit int, state_id int, round int, assignee_id int, origin text, origin_no int, on_behalf_id int,
    group_seq int, status text, pooled boolean, transition_id int, reason text, opened_at timestamptz, first_read_at timestamptz,
    decided_at timestamptz`,
  logs: `seq int, at timestamptz, actor_id int, action text, intervene_type smallint, transition_id int, from_state_id int,
    to_state_id int, suggestion text, task_nos int[], events text, events_same jsonb, trace jsonb`,
};

/** Temporary tables of the lives, in the reference week's calendar, and one for the tickets of a batch. */
export async function openMoulds(tx: Db, moulds: Moulds): Promise<{ days: number }> {
  const { $client: client } = tx;
  for (const [name, columns] of Object.entries(tables) as [keyof Moulds, string][]) {
    await client.query(`create temp table demo_${name} (life int, steps int, ${columns}) on commit drop`);
    const rows = moulds[name];
    for (let from = 0; from < rows.length; from += 5000)
      await client.query(`insert into demo_${name} select * from json_populate_recordset(null::demo_${name}, $1)`, [
        JSON.stringify(rows.slice(from, from + 5000)),
      ]);
    await client.query(`create index on demo_${name} (life, steps)`);
    await client.query(`analyze demo_${name}`);
  }
  await client.query(`create temp table demo_row (ticket_id int, seq int, at timestamptz, actor_id int, on_behalf_id int, action text,
    intervene_type smallint, transition_id int, from_state_id int, to_state_id int, suggestion text, task_nos int[], events jsonb,
    trace jsonb) on commit drop`);
  await client.query(
    'create temp table demo_link (ticket_id int, seq int, prev_hash text, hash text, last boolean) on commit drop',
  );
  await client.query(`create temp table demo_copy (id int, life int, steps int, later interval, sn text, title text, place text,
    description text, search tsvector) on commit drop`);
  return { days: mostDays(moulds) };
}

/** Drops them, so that others may be created in the same transaction. */
export const closeMoulds = ({ $client: client }: Db) =>
  client.query(
    `drop table ${[...Object.keys(tables), 'row', 'link', 'copy'].map((name) => `demo_${name}`).join(', ')}`,
  );

/** The words and days of a life replaced by those of the copy; values that the life lacks match nothing. */
const stamped = (text: string, days: number) =>
  [
    ['title', 'c.title'],
    ['place', 'c.place'],
    ['description', 'c.description'],
    ...Array.from({ length: days }, (_none, index) => [
      `days[${index + 1}]`,
      `(t.days[${index + 1}]::date + c.later)::date::text`,
    ]),
  ].reduce((inner, [old, fresh]) => `replace(${inner}, coalesce(t.${old}, '∅'), coalesce(${fresh}, ''))`, text);

export const ticketOf = (days: number) => `
  insert into ticket (id, sn, title, workflow_id, version_id, act_state, state_id, creator_id, dept_id, form, chosen, undo, round, seq, rev,
    submitted_at, finished_at, is_deleted, gmt_created, gmt_modified, search, log_hash)
  overriding system value
  select c.id, c.sn, c.title, t.workflow_id, t.version_id, t.act_state, t.state_id, t.creator_id, t.dept_id, (${stamped('t.form', days)})::jsonb,
    t.chosen::jsonb, t.undo::jsonb, t.round, t.seq, t.rev, t.submitted_at + c.later, t.finished_at + c.later, t.is_deleted,
    t.gmt_created + c.later, t.gmt_modified + c.later, c.search, h.hash
  from demo_copy c join demo_tickets t using (life, steps) join demo_link h on h.ticket_id = c.id and h.last`;

export const tokensOf = `
  insert into ticket_token (ticket_id, no, state_id, branch, status, visit, returned, entered_at)
  select c.id, m.no, m.state_id, m.branch, m.status, m.visit, m.returned, m.entered_at + c.later
  from demo_copy c join demo_tokens m using (life, steps)`;

export const tasksOf = `
  insert into ticket_task (ticket_id, no, token_no, visit, state_id, round, assignee_id, origin, origin_no, on_behalf_id, group_seq,
    status, pooled, transition_id, reason, opened_at, first_read_at, decided_at, ticket_deleted)
  select c.id, m.no, m.token_no, m.visit, m.state_id, m.round, m.assignee_id, m.origin, m.origin_no, m.on_behalf_id, m.group_seq,
    m.status, m.pooled, m.transition_id, m.reason, m.opened_at + c.later, m.first_read_at + c.later, m.decided_at + c.later,
    t.is_deleted
  from demo_copy c join demo_tasks m using (life, steps) join demo_tickets t using (life, steps)`;

/** The log's rows, first in a table of their own, because their hashes are computed outside. */
export const rowsOf = (days: number) => `
  insert into demo_row (ticket_id, seq, at, actor_id, action, intervene_type, transition_id, from_state_id, to_state_id, suggestion,
    task_nos, events, trace)
  select c.id, m.seq, m.at + c.later, m.actor_id, m.action, m.intervene_type, m.transition_id, m.from_state_id, m.to_state_id,
    m.suggestion, m.task_nos, coalesce(m.events_same, (${stamped('m.events', days)})::jsonb), m.trace
  from demo_copy c join demo_tickets t using (life, steps) join demo_logs m on m.life = c.life and m.steps <= c.steps`;

/** The columns as `verifyTicketLogs` reads them. */
export const contentOf = `
  select ticket_id, seq, (extract(epoch from at) * 1000000)::bigint::text as at, actor_id as actor, on_behalf_id as on_behalf, action,
    intervene_type, transition_id, from_state_id, to_state_id, suggestion, task_nos, events, trace,
    null::int as signature, '{}'::int[] as files, '' as via
  from demo_row order by ticket_id, seq`;

export const linksOf = `
  insert into demo_link (ticket_id, seq, prev_hash, hash, last)
  select ticket_id, seq, prev_hash, hash, seq = max(seq) over (partition by ticket_id)
  from unnest($1::int[], $2::int[], $3::text[], $4::text[]) as link (ticket_id, seq, prev_hash, hash)`;

export const logsOf = `
  insert into ticket_log (ticket_id, seq, at, actor_id, action, intervene_type, transition_id, from_state_id, to_state_id, suggestion,
    task_nos, events, trace, prev_hash, hash)
  select ticket_id, seq, at, actor_id, action, intervene_type, transition_id, from_state_id, to_state_id, suggestion, task_nos, events,
    trace, prev_hash, hash
  from demo_row join demo_link using (ticket_id, seq)`;
