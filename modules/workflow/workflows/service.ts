import { createHash } from 'node:crypto';
import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { onOff } from '#kernel/contract/titles.ts';
import { named, perDatabase, prepared, type Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { createStore } from '#kernel/server/process/store.ts';
import { superRole } from '#modules/platform/access/service.ts';
import { deptPath, holdersOf, membersOf, workingAmong } from '#modules/platform/people/service.ts';
import type { Definition } from './engine/definition.ts';
import { userGroupTable, workflowGrantTable, workflowTable, workflowVersionTable } from './tables.ts';

export { forgetNoticeSecrets, noticeWays, type NoticeWay } from './service/notice-ways.ts';
export { applicantFor, rulesForOthers } from './service/starting-for.ts';
export { fieldItem, withinSight } from './engine/field-item.ts';
export type {
  BoundFlow,
  BoundModule,
  InForce,
  InName,
  MigrationAsked,
  MigrationReport,
  Running,
  Simulation,
  SimulationAsked,
  TicketCount,
  Would,
  WouldAsked,
} from './running.ts';

/** A definition used by tickets; `no` counts the versions of its workflow. */
export interface Version {
  id: number;
  workflow_id: number;
  no: number;
  definition: Definition;
}

const keptVersions = 500;
// A version that left the draft is never changed again (a trigger refuses it), so it may be kept for ever.
const keptIn = perDatabase(() => createStore<number, Version>(keptVersions));

/** True unless an application is limited to other workflows, whatever its person sees. */
export const mayReach = ({ application }: Pick<Viewer, 'application'>, workflowId: number): boolean =>
  application?.only['workflows']?.includes(workflowId) ?? true;

/** Versions by id, for tickets that run on them. */
export async function versionsById(tx: Db, ids: readonly number[]): Promise<Map<number, Version>> {
  return keptIn(tx).all(ids, async (missing) => {
    const rows = await tx
      .select(versionColumns)
      .from(workflowVersionTable)
      .where(and(inArray(workflowVersionTable.id, missing), ne(workflowVersionTable.status, 'draft')));
    return rows.map((row) => [row.id, row] as const);
  });
}

const versionColumns = {
  id: workflowVersionTable.id,
  workflow_id: workflowVersionTable.workflow_id,
  no: workflowVersionTable.no,
  definition: workflowVersionTable.definition,
};

/** All versions of a workflow that tickets may use, the newest first. */
export async function versionsOf(tx: Db, workflowId: number): Promise<Version[]> {
  const rows = await tx
    .select({ id: workflowVersionTable.id })
    .from(workflowVersionTable)
    .where(and(eq(workflowVersionTable.workflow_id, workflowId), ne(workflowVersionTable.status, 'draft')));
  const versions = await versionsById(
    tx,
    rows.map((row) => row.id),
  );
  return [...versions.values()].toSorted((a, b) => b.no - a.no);
}

/**
 * The version for new tickets of a workflow; null if it is stopped, deleted or unpublished. `module`: only if bound to that module, or, for null, to
 * none.
 */
export async function versionToStart(tx: Db, workflowId: number, module?: string | null): Promise<Version | null> {
  const query = tx
    .select({ id: workflowVersionTable.id })
    .from(workflowVersionTable)
    .innerJoin(workflowTable, eq(workflowTable.id, workflowVersionTable.workflow_id))
    .where(
      and(
        eq(workflowTable.id, workflowId),
        eq(workflowTable.status, onOff.on),
        eq(workflowTable.is_deleted, false),
        eq(workflowVersionTable.status, 'published'),
        module === undefined ? undefined : sql`${workflowTable.module} is not distinct from ${module}`,
      ),
    );
  const [row] = await named(query);
  return row ? ((await versionsById(tx, [row.id])).get(row.id) ?? null) : null;
}

/** The module whose records run on a workflow; null for plain tickets. */
export async function moduleBoundTo(tx: Db, workflowId: number): Promise<string | null> {
  const [row] = await tx
    .select({ module: workflowTable.module })
    .from(workflowTable)
    .where(eq(workflowTable.id, workflowId));
  return row?.module ?? null;
}

/** Id of the workflow with a key; null if it no longer exists. */
export async function workflowByKey(tx: Db, key: string): Promise<number | null> {
  const [row] = await tx
    .select({ id: workflowTable.id })
    .from(workflowTable)
    .where(and(eq(workflowTable.key, key), eq(workflowTable.is_deleted, false)));
  return row?.id ?? null;
}

/** Names of workflows by id, of all for `null`, in the order of their lists; deleted and unknown ones are missing. */
export async function workflowNames(tx: Db, ids: readonly number[] | null): Promise<Map<number, string>> {
  if (ids?.length === 0) return new Map();
  const rows = await tx
    .select({ id: workflowTable.id, name: workflowTable.name })
    .from(workflowTable)
    .where(and(ids ? inArray(workflowTable.id, [...ids]) : undefined, eq(workflowTable.is_deleted, false)))
    .orderBy(asc(workflowTable.order_id), asc(workflowTable.id));
  return new Map(rows.map((row) => [row.id, row.name]));
}

export type GrantPermission = 'view' | 'intervene' | 'admin';
/** A person's rights in workflows beyond their own tickets. */
export type Grants = ReadonlyMap<number, ReadonlySet<GrantPermission>>;

type Holder = { id: number; depts: readonly number[]; roleCodes: ReadonlySet<string> };

const grantsText = `
  with recursive up as (
    select id, parent_id from dept where id = any($1::int[])
    union select d.id, d.parent_id from dept d join up on up.parent_id = d.id)
  select workflow_id as id, permission::text as holds from workflow_grant
  where (holder_type = 'user' and holder = $2)
     or (holder_type = 'role' and holder = any($3::text[]))
     or (holder_type = 'dept' and holder in (select id::text from up))`;
const visibilityText = `${grantsText}
  union all
  select id, 'open' from workflow_version where definition -> 'settings' -> 'view_permission_check' = 'false'::jsonb`;

interface Held {
  id: number;
  holds: GrantPermission | 'open';
}
const asHolder = (person: Holder) => [[...person.depts], String(person.id), [...person.roleCodes]];

/** Grants of a person: own, of own departments and those above them, of own roles. */
export async function grantsOf(tx: Db, person: Holder): Promise<Grants> {
  return grantsIn(await prepared<Held>(tx, 'workflow-grants', grantsText, asHolder(person)));
}

/** Grants of a person, and the versions whose tickets anybody may open. */
export async function visibilityOf(tx: Db, person: Holder): Promise<{ grants: Grants; open: number[] }> {
  const rows = await prepared<Held>(tx, 'workflow-sight', visibilityText, asHolder(person));
  return { grants: grantsIn(rows), open: rows.filter((row) => row.holds === 'open').map((row) => row.id) };
}

function grantsIn(rows: readonly Held[]): Grants {
  const grants = new Map<number, Set<GrantPermission>>();
  for (const { id, holds } of rows)
    if (holds !== 'open') grants.set(id, (grants.get(id) ?? new Set<GrantPermission>()).add(holds));
  return grants;
}

/** Workflows in which a person holds one of the permissions; administering includes intervening, which includes viewing. */
export function workflowsWith(grants: Grants, least: GrantPermission): number[] {
  const order: readonly GrantPermission[] = ['view', 'intervene', 'admin'];
  const enough = order.slice(order.indexOf(least));
  return [...grants].filter(([, held]) => enough.some((one) => held.has(one))).map(([id]) => id);
}

/**
 * Current administrators of a workflow; if it has none, the general workflow administrators, else the super administrators. `besides`: a person who
 * counts only if there is nobody else.
 */
export async function administratorsOf(tx: Db, workflowId: number, besides: number | null = null): Promise<number[]> {
  const rows = await tx
    .select()
    .from(workflowGrantTable)
    .where(and(eq(workflowGrantTable.workflow_id, workflowId), eq(workflowGrantTable.permission, 'admin')));
  const of = (type: string) => rows.filter((row) => row.holder_type === type).map((row) => row.holder);
  const found = await workingAmong(tx, of('user').map(Number));
  found.push(...(await membersOf(tx, of('dept').map(Number))).map((person) => person.id));
  for (const role of of('role')) found.push(...(await holdersOf(tx, role)).map((person) => person.id));
  for (const role of ['workflow_admin', superRole]) {
    if (found.some((person) => person !== besides)) break;
    found.push(...(await holdersOf(tx, role)).map((person) => person.id));
  }
  const others = new Set(found.filter((person) => person !== besides));
  return others.size > 0 ? [...others] : [...new Set(found)];
}

/** Departments of a person and all above them. */
export async function deptPathOf(tx: Db, depts: readonly number[]): Promise<number[]> {
  const path = new Set<number>();
  for (const dept of depts) for (const above of await deptPath(tx, dept)) path.add(above.id);
  return [...path];
}

/** Working people in the list of a user group. */
export async function groupMembers(tx: Db, id: number): Promise<number[]> {
  const [group] = await tx
    .select({ people: userGroupTable.people })
    .from(userGroupTable)
    .where(eq(userGroupTable.id, id));
  return group ? workingAmong(tx, group.people) : [];
}

/** Every user group, with the number of its current people. */
export async function groupSizes(tx: Db): Promise<Map<number, number>> {
  const { rows } = await tx.execute<{ id: number; people: number }>(sql`
    select g.id, (select count(*)::int from app_user u where u.id = any(g.people) and u.is_active and not u.is_deleted) as people
    from user_group g`);
  return new Map(rows.map((row) => [row.id, row.people]));
}

/** SHA-256 of a definition's JSON with sorted keys, hexadecimal. */
export function hashOf(definition: Definition): string {
  const sorted = JSON.stringify(definition, (_key, value: unknown) =>
    value && typeof value === 'object' && !Array.isArray(value)
      ? Object.fromEntries(Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1)))
      : value,
  );
  return createHash('sha256').update(sorted).digest('hex');
}
