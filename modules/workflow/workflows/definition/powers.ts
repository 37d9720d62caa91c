import { and, eq, sql, type SQL } from 'drizzle-orm';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { holds, lastingUntil, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Powers } from '#modules/platform/people/service/powers.ts';
import { grantsOf, mayReach } from '../service.ts';
import { groupAsked } from '../contract/refusals.ts';
import { onlyBegins, pathOf, places } from '../engine/naming/places.ts';
import type { NamedKind } from '../engine/naming/schema.ts';
import { workflowGrantTable, workflowTable, type userGroupTable } from '../tables.ts';
import { mayAdminister, type Flow } from './administer.ts';

/** The kinds of names by which people come to decide: `granted` is a department in a list of rights, with all departments below it. */
type Kind = Exclude<NamedKind, 'heads'> | 'granted';

/**
 * All places in a definition that name a post, a role, a user group or a person: participants, upper limits, and conditions. Rules for starting are
 * not included, because they decide nothing.
 */
const deciding = places.filter(
  (place) =>
    !onlyBegins(place) && place.names !== 'heads' && !(place.names === 'dept' && place.steps[0]?.take === 'within'),
);
const said: readonly (readonly [Kind, string])[] = [
  ...deciding.map((place) => [place.names as Kind, pathOf(place)] as const),
  // School leaders are found by the role of that name.
  ['role', '$.states[*].** ? (@.variable == "xld").variable'],
];

/** Condition: a version `v` decides tickets, new ones or those that follow it to their end. */
export const decides = (tx: Db): SQL =>
  sql`(v.status = 'published' or v.status = 'retired' and ${tx.services.product.running.isFollowed(sql`v.id`)})`;

/**
 * The posts, roles, groups and people named in some versions of workflows, or in their grants: rows `(flow, kind, word)`; groups and people by
 * id. `status`: a condition for a version `v`.
 */
const named = (status: SQL) => {
  const words = said.map(
    ([kind, path]) =>
      sql`select ${kind}::text kind, x #>> '{}' word from jsonb_path_query(v.definition, ${path}::jsonpath) x`,
  );
  return sql`(select v.workflow_id flow, one.kind, one.word
      from workflow_version v cross join lateral (${sql.join(words, sql` union `)}) one where ${status}
    union select workflow_id, case holder_type when 'dept' then 'granted' else holder_type end, holder
      from workflow_grant where holder_type <> 'dept' or permission <> 'view') named`;
};

/** True if somebody may name any people for a workflow. */
const names = (viewer: Viewer, flow: Flow, own: Awaited<ReturnType<typeof grantsOf>>) =>
  mayReach(viewer, flow.id) && mayAdminister(viewer, 'Update', flow, own);

const flows = (tx: Db) => tx.selectDistinct({ flow: workflowTable }).from(workflowTable).$dynamic();

/**
 * Those of the given words by which workflows find people although the viewer may not choose these workflows' people. Older versions count too,
 * because tickets still use them. Checked for everybody who holds, grants or hands over one of these things.
 */
async function namedBeyond(
  tx: Db,
  viewer: Viewer,
  asked: Partial<Record<Kind, readonly string[]>>,
): Promise<{ kind: Kind; word: string }[]> {
  if (viewer.superAdmin) return [];
  const words = Object.entries(asked).flatMap(([kind, of]) => of.map((word) => ({ kind, word })));
  if (words.length === 0) return [];
  const rows = await namedRows<{ flow: number; kind: Kind; word: string }>(
    tx,
    sql`select distinct flow, named.kind, named.word from ${named(sql`v.status <> 'draft'`)} join workflow w on w.id = flow and not w.is_deleted
      join jsonb_to_recordset(${JSON.stringify(words)}::jsonb) asked (kind text, word text)
        on asked.kind = named.kind and asked.word = named.word`,
  );
  if (rows.length === 0) return [];
  const own = await grantsOf(tx, viewer);
  const found = await flows(tx).where(sql`${workflowTable.id} = any(${sql.param(rows.map((row) => row.flow))}::int[])`);
  const beyond = new Set(found.filter(({ flow }) => !names(viewer, flow, own)).map(({ flow }) => flow.id));
  return rows.filter((row) => beyond.has(row.flow));
}

const groupsOf = (tx: Db, person: number) =>
  namedRows<{ id: number }>(tx, sql`select id from user_group where ${person}::int = any(people)`);

/** Each of some departments with all above it, itself too. */
async function deptsAbove(tx: Db, depts: readonly number[]): Promise<Map<number, number[]>> {
  const rows = await namedRows<{ id: number; above: number[] }>(
    tx,
    sql`with recursive up as (
        select id as bottom, id, parent_id from dept where id = any(${sql.param([...new Set(depts)])}::int[])
        union select up.bottom, d.id, d.parent_id from dept d join up on up.parent_id = d.id)
      select bottom as id, array_agg(id) as above from up group by bottom`,
  );
  return new Map(rows.map(({ id, above }) => [id, above]));
}

/** Refuses to change a group by which workflows find people, except for its own people and those who may choose these workflows' people. */
export async function refuseGroup(
  tx: Db,
  viewer: Viewer,
  { id, name, people }: typeof userGroupTable.$inferSelect,
): Promise<void> {
  if (people.includes(viewer.id)) return;
  if ((await namedBeyond(tx, lastingUntil(viewer, null), { group: [String(id)] })).length > 0) throw groupAsked(name);
}

export const workflowPowers: Powers = {
  async decisive(tx, viewer, { posts, roles }) {
    const found = await namedBeyond(tx, viewer, { post: posts, role: roles });
    const of = (kind: Kind) => found.filter((row) => row.kind === kind).map((row) => row.word);
    return { posts: of('post'), roles: of('role') };
  },
  async namesRole(tx, code) {
    const rows = await namedRows<{ name: string }>(
      tx,
      sql`select distinct w.name from ${named(decides(tx))} join workflow w on w.id = flow and not w.is_deleted
        where kind = 'role' and word = ${code} order by w.name limit 5`,
    );
    return rows.map((row) => row.name);
  },
  async decisiveDepts(tx, viewer, depts, had) {
    // Managing the people of a department includes deciding who is in it, whatever the department is asked.
    const keeps = (['Create', 'Update'] as const).flatMap((code) =>
      holds(viewer, code, 'system/user') ? scopeOf(viewer, code, 'system/user') : [],
    );
    const asked = depts.filter(
      (id) => !viewer.depts.includes(id) && !keeps.some(({ all, depts: own }) => all || own.has(id)),
    );
    const around = await deptsAbove(tx, [...depts, ...had]);
    const known = new Set([...viewer.places, ...had.flatMap((id) => around.get(id) ?? [])]);
    const paths = new Map(depts.map((id) => [id, (around.get(id) ?? []).filter((above) => !known.has(above))]));
    const found = await namedBeyond(tx, viewer, {
      dept: asked.map(String),
      granted: [...new Set([...paths.values()].flat())].map(String),
    });
    const isAsked = (kind: Kind, id: number) => found.some((row) => row.kind === kind && row.word === String(id));
    return depts.filter((id) => isAsked('dept', id) || paths.get(id)!.some((above) => isAsked('granted', above)));
  },
  async beyond(tx, viewer, person) {
    const mine = new Set((await groupsOf(tx, viewer.id)).map((group) => group.id));
    const groups = (await groupsOf(tx, person)).filter((group) => !mine.has(group.id));
    const group = groups.map(({ id }) => String(id));
    return (await namedBeyond(tx, viewer, { user: [String(person)], group })).length > 0;
  },
  async granted(tx, viewer, person) {
    const { holder, holder_type, workflow_id } = workflowGrantTable;
    const found = await flows(tx)
      .innerJoin(workflowGrantTable, eq(workflowTable.id, workflow_id))
      .where(and(eq(holder_type, 'user'), eq(holder, String(person)), eq(workflowTable.is_deleted, false)));
    if (found.length === 0) return false;
    const own = await grantsOf(tx, viewer);
    return found.some(({ flow }) => !names(viewer, flow, own));
  },
};
