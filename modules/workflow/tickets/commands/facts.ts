import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { everybodysRole, superRole } from '#modules/platform/access/service.ts';
import {
  deptNamesById,
  deptPath,
  headsOf,
  holdersOf,
  holdersOfPost,
  membersOf,
  partsOf,
  peopleById,
  peopleByName,
  secretariesOf,
  standingOf,
  workingAmong,
  type Asked,
} from '#modules/platform/people/service.ts';
import { calendarOf } from '#modules/platform/calendars/service.ts';
import { nudgeWait } from '#modules/platform/messages/service/nudges.ts';
import { delegatesFor } from '#modules/workflow/delegations/service.ts';
import { administratorsOf, deptPathOf, groupMembers, workflowsWith } from '#modules/workflow/workflows/service.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import type { Works } from '#modules/workflow/workflows/engine/formula/evaluate.ts';
import { hasPart } from '#modules/workflow/workflows/engine/formula/formula.ts';
import { countsWorkdays } from '#modules/workflow/workflows/engine/formula/settle.ts';
import { queryKey, type Answers, type PeopleQuery } from '../engine/people/people.ts';
import type { Rights } from '../engine/ways/offers.ts';
import { busyIn, isOver, type TicketState } from '../engine/state.ts';
import { leaveBegun } from '../records/away.ts';
import { urgesOf, urging } from '../notify/urging.ts';
import type { Facts } from '../engine/work.ts';
import type { TicketViewer } from '../visibility/viewer.ts';

/** Working days, if the form of a workflow counts them. */
export async function worksFor(tx: Db, { fields, settings }: Definition): Promise<Works | undefined> {
  const checks = (settings.checks ?? []).flatMap(({ left, right }) => [left, right]);
  const asked = countsWorkdays(fields) || checks.some((one) => hasPart(one, ({ op }) => op === 'workdays'));
  return asked ? (await calendarOf(tx)).works : undefined;
}

/** Facts about a ticket's creator that conditions may use. */
export async function creatorFacts(tx: Db, creator: Asked, dept: Asked): Promise<Facts['creator']> {
  const { roles, ...standing } = await standingOf(tx, creator, dept);
  return { ...standing, roles: [...roles, everybodysRole] };
}

/** The same facts for the signed-in user, most of which are known. */
export async function ownFacts(tx: Db, user: Viewer, dept: number | null): Promise<Facts['creator']> {
  const dept_path = dept === null ? [] : await deptPathOf(tx, [dept]);
  return { alias: user.alias, dept_path, roles: [...new Set([...user.roleCodes, everybodysRole])] };
}

/** A person's rights in a ticket beyond their tasks. */
export async function rightsOf(
  tx: Db,
  { user, grants }: TicketViewer,
  ticket: { id: number; workflow_id: number; definition: Definition; state: TicketState; below: readonly number[] },
): Promise<Rights> {
  const holds = (least: 'intervene' | 'admin') => workflowsWith(grants, least).includes(ticket.workflow_id);
  const intervene = user.superAdmin || holds('intervene');
  const administers = user.superAdmin || holds('admin');
  const { below } = ticket;
  const leave = await leaveBegun(tx, user.id, ticket);
  const rights = { intervene, administers, below, ...(leave && { leave }) };
  const { creator, copied } = ticket.state;
  const asks = intervene || creator === user.id || Object.values(copied).some((people) => people.includes(user.id));
  if (!asks || isOver(ticket.state)) return { ...rights, urge_wait: 0 };
  const about = { ...urgesOf(ticket.id), by: user.id };
  return { ...rights, urge_wait: await nudgeWait(tx, about, [...busyIn(ticket.state)], urging) };
}

/** The ticket for which a question to the organisation is asked. */
export interface About {
  workflow_id: number;
  parent_ticket_id: number | null;
}

/** Answers of the organisation as this transaction sees it. */
export async function answersTo(tx: Db, about: About, queries: readonly PeopleQuery[]): Promise<Answers> {
  const answers: Record<string, readonly number[]> = {};
  const ofKind = (kind: PeopleQuery['kind']) => queries.filter((query) => query.kind === kind);
  const users = ofKind('user');
  const working = new Set(
    await workingAmong(
      tx,
      users.map((query) => Number(query.of)),
    ),
  );
  for (const query of users) answers[queryKey(query)] = working.has(Number(query.of)) ? [Number(query.of)] : [];
  const names = ofKind('username');
  const named = await peopleByName(
    tx,
    names.map((query) => String(query.of)),
  );
  for (const query of names) {
    const person = named.get(String(query.of));
    answers[queryKey(query)] = person ? [person.id] : [];
  }
  for (const query of queries) {
    if (query.kind === 'user' || query.kind === 'username') continue;
    answers[queryKey(query)] = await found(tx, about, query);
  }
  return answers;
}

async function found(tx: Db, about: About, { kind, of }: PeopleQuery): Promise<number[]> {
  const ids = (people: readonly { id: number }[]) => people.map((person) => person.id);
  const dept = [Number(of)];
  switch (kind) {
    case 'dept':
      return ids(await membersOf(tx, dept));
    case 'dept_there':
      return [...(await deptNamesById(tx, dept)).keys()];
    case 'role':
      return ids(await holdersOf(tx, String(of)));
    case 'dept_head':
      return ids(await headsOf(tx, dept));
    case 'dept_fzr':
      return ids(await partsOf(tx, dept, 'leader'));
    case 'dept_ld':
      return ids(await partsOf(tx, dept, 'dept_ld'));
    case 'dept_secretary':
      return secretaries(tx, dept);
    case 'superior':
      return superiorOf(tx, Number(of));
    case 'stand_in':
      return workingAmong(tx, (await delegatesFor(tx, [Number(of)], about.workflow_id, 0)).get(Number(of)) ?? []);
    case 'xld':
      return ids(await holdersOf(tx, 'xld'));
    case 'workflow_admins':
      return administratorsOf(tx, about.workflow_id, of === null ? null : Number(of));
    case 'post':
      return ids(await holdersOfPost(tx, String(of)));
    case 'group':
      return groupMembers(tx, Number(of));
    case 'dept_path':
      return ids((await deptPath(tx, Number(of))).toReversed());
    case 'least_loaded':
    case 'in_turn':
      return [await chosenAmong(tx, about.workflow_id, kind, String(of))];
    case 'parent_field':
      return about.parent_ticket_id === null ? [] : namedAbove(tx, about.parent_ticket_id, String(of));
    default:
      throw new Error(`nobody answers ${kind}`);
  }
}

/** The person with the fewest open tasks, or whose last task in a state of a workflow is the oldest; among equals the first in the list. */
async function chosenAmong(tx: Db, workflow: number, kind: 'least_loaded' | 'in_turn', of: string): Promise<number> {
  const [people = '', state] = of.split(':').toReversed();
  const ids = people.split(',').map(Number);
  const mine = sql`from ticket_task w where w.assignee_id = one.id`;
  const by =
    kind === 'least_loaded'
      ? sql`(select count(*) ${mine} and w.status = 'todo' and not w.ticket_deleted)`
      : sql`(select max(w.opened_at) ${mine} and w.state_id = ${Number(state)} and w.origin = 'assign'
          and exists (select from ticket t where t.id = w.ticket_id and t.workflow_id = ${workflow}))`;
  const { rows } = await tx.execute<{ id: number }>(
    sql`select one.id from unnest(${sql.param(ids)}::int[]) with ordinality as one(id, place) order by ${by} nulls first, place limit 1`,
  );
  return rows[0]!.id;
}

/** Current staff named in a field of the parent ticket. */
async function namedAbove(tx: Db, ticketId: number, key: string): Promise<number[]> {
  const { rows } = await tx.execute<{ value: unknown }>(
    sql`select form -> ${key} as value from ticket where id = ${ticketId}`,
  );
  const names = [rows[0]?.value].flat().filter((name): name is string => typeof name === 'string');
  return names.length === 0 ? [] : [...(await peopleByName(tx, names)).values()].map((person) => person.id);
}

/** A department's secretaries; if it has none, those of its leader in charge. */
async function secretaries(tx: Db, dept: number[]): Promise<number[]> {
  const own = await partsOf(tx, dept, 'secretary');
  const people =
    own.length > 0
      ? own
      : await secretariesOf(
          tx,
          (await partsOf(tx, dept, 'dept_ld')).map((one) => one.id),
        );
  return people.map((person) => person.id);
}

/** The first head above a person other than themselves: of their department, its leader in charge, then upwards. */
async function superiorOf(tx: Db, person: number): Promise<number[]> {
  const dept = (await peopleById(tx, [person])).get(person)?.dept_id;
  if (!dept) return [];
  for (const { id } of (await deptPath(tx, dept)).toReversed()) {
    for (const part of ['leader', 'dept_ld'] as const) {
      const people = await partsOf(tx, [id], part);
      if (people.length > 0 && !people.some((one) => one.id === person)) return people.map((one) => one.id);
    }
  }
  const above = await holdersOf(tx, superRole);
  return above.filter((one) => one.id !== person).map((one) => one.id);
}
