import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { personWithRights, type Person } from '#modules/platform/people/service/rights.ts';
import { actState, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition, State } from '#modules/workflow/workflows/engine/definition.ts';
import { versionsById } from '#modules/workflow/workflows/service.ts';
import type { Broken } from '../commands/savepoint.ts';
import { askedBefore } from './asking.ts';
import { orCall } from './incidents.ts';
import { byItself, run } from '../commands/run.ts';
import { reassignCandidates } from '../engine/decide.ts';
import { isPool } from '../engine/people/candidates.ts';
import type { Stored } from '../store/store.ts';

interface Services {
  databases: Pick<Databases, 'write' | 'fresh'>;
  broken: Broken;
}

/** Queued by the database whenever a person joins or leaves a department or role, or leaves the organisation. */
export function candidatesTask(services: Services): Task<{ person: number }> {
  return {
    name: 'ask pools again',
    title: '按人员变动重新找办理人',
    run: ({ person }, { now }) => askCandidatesOf(services, person, now),
  };
}

/**
 * Adds and removes a person's tasks that wait for anyone of a department or role they joined or left, and passes on all their tasks if they have left
 * the organisation; ticket by ticket.
 */
export async function askCandidatesOf({ databases, broken }: Services, person: number, now: Date): Promise<void> {
  await askedBefore(databases.fresh);
  const tickets = await concerned(databases.fresh, person);
  for (const ticket of tickets)
    await databases.write((tx) =>
      orCall(tx, { ticket, why: fault, now, broken }, (stored) => askAgain(tx, stored, person, now)),
    );
}

const fault = '按人员变动重新找办理人时系统出错，未成功，请联系系统维护人员';

async function askAgain(tx: Db, stored: Stored, person: number, now: Date): Promise<void> {
  const turn = byItself(stored);
  await run(tx, stored, {
    ...turn,
    decide: (known) => reassignCandidates(stored.version.definition, stored.state, person, known),
    // People who have the ticket open need not reload it: what they may do is unchanged.
    heard: { ...turn.heard, talk: true },
    origin: { ip: '', userAgent: '', traceId: '' },
    now,
  });
}

/** Tickets with present or future tasks of a person who has left; drafts are left out. */
async function heldBy(db: Db, person: number): Promise<number[]> {
  const { rows } = await db.execute<{ id: number }>(sql`
    select distinct t.id from ticket_task w join ticket t on t.id = w.ticket_id
    where w.assignee_id = ${person} and w.status in ('todo', 'waiting') and not t.is_deleted and t.act_state not in (${inSql(actState.draft, actState.finished, actState.closed)}) order by 1`);
  return rows.map((row) => row.id);
}

/**
 * Tickets that wait for a person in a state whose tasks anyone of a group may claim, and those of such states whose group they belong to but where
 * they have no task.
 */
async function concerned(db: Db, person: number): Promise<number[]> {
  const member = await personWithRights(db, person);
  if (!member?.active) return heldBy(db, person);
  const {
    rows: [belongs = { post: '', groups: [] }],
  } = await db.execute<Pick<Member, 'post' | 'groups'>>(sql`
    select post, array(select g.id from user_group g where app_user.id = any(g.people)) as groups from app_user where id = ${person}`);
  const { rows: versions } = await db.execute<{ id: number }>(
    sql`select id from workflow_version where status <> 'draft'`,
  );
  const pools = [
    ...(
      await versionsById(
        db,
        versions.map((row) => row.id),
      )
    ).values(),
  ].flatMap(({ id: version, definition }) => candidatesIn(definition).map((state) => ({ version, state })));
  const joined = pools.filter(({ state }) => names(state, { ...member, ...belongs }));
  const places = (some: typeof pools) =>
    sql`jsonb_to_recordset(${JSON.stringify(some.map(({ version, state }) => ({ version, state: state.id })))}::jsonb)
      as pool(version int, state int)`;
  const { rows } = await db.execute<{ id: number }>(sql`
    select t.id from ticket_task w join ticket t on t.id = w.ticket_id
      join ${places(pools)} on pool.version = t.version_id and pool.state = w.state_id
    where w.assignee_id = ${person} and w.status = 'todo' and w.origin = 'assign' and not w.ticket_deleted
    union
    select t.id from ticket t join ticket_token k on k.ticket_id = t.id and k.status = 'active'
      join ${places(joined)} on pool.version = t.version_id and pool.state = k.state_id
    where t.act_state in (${inSql(actState.ongoing, actState.finishAsked)}) and not t.is_deleted and not exists (select from ticket_task w
      where w.ticket_id = t.id and w.token_no = k.no and w.visit = k.visit and w.assignee_id = ${person} and w.status = 'todo')
    order by 1`);
  return rows.map((row) => row.id);
}

interface Member extends Pick<Person, 'depts' | 'rights'> {
  post: string;
  groups: readonly number[];
}

const candidatesIn = ({ states }: Definition) => states.filter(isPool);

function names(state: State, { depts, rights, post, groups }: Member): boolean {
  return state.participants.some(
    (who) =>
      (who.type === participantType.dept && who.depts.some((dept) => depts.includes(dept))) ||
      (who.type === participantType.role && who.roles.some((role) => rights.codes.has(role))) ||
      (who.type === participantType.post && who.posts.includes(post)) ||
      (who.type === participantType.group && who.groups.some((group) => groups.includes(group))),
  );
}
