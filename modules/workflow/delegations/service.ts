import { sql, type SQL } from 'drizzle-orm';
import { prepared, type Db } from '#kernel/server/db/db.ts';

/** A person whose tasks somebody else may decide now. */
export interface Delegation {
  principal: number;
  /** The people who passed it on in between, the nearest first. */
  through: readonly number[];
  /** Null: in all workflows. */
  workflows: readonly number[] | null;
}

/** Tasks may be passed on this many times at most. */
export const longestChain = 3;
const runningText = `
  select from_id, to_id, workflow_ids, chain_limit from stand_in
  where to_id = any($1::int[]) and ended_at is null and starts_at <= now() and ends_at > now()`;

interface Running {
  from_id: number;
  to_id: number;
  workflow_ids: number[] | null;
  chain_limit: number;
}

/** Returns the people for whom a person is a delegate now, directly or through others; one statement if there are none. */
export async function delegationsOf(tx: Db, person: number): Promise<Delegation[]> {
  const found: Delegation[] = [];
  let ends: { at: number; workflows: readonly number[] | null; seen: readonly number[] }[] = [
    { at: person, workflows: null, seen: [person] },
  ];
  for (let hops = 1; hops <= longestChain && ends.length > 0; hops++) {
    const at = [...new Set(ends.map((end) => end.at))];
    const rows = await prepared<Running>(tx, 'stand-ins-running', runningText, [at]);
    ends = ends.flatMap((end) =>
      rows
        .filter((row) => row.to_id === end.at && row.chain_limit >= hops && !end.seen.includes(row.from_id))
        .map((row) => ({
          at: row.from_id,
          workflows: both(end.workflows, row.workflow_ids),
          seen: [...end.seen, row.from_id],
        }))
        .filter((next) => next.workflows === null || next.workflows.length > 0),
    );
    found.push(...ends.map((end) => ({ principal: end.at, through: end.seen.slice(1, -1), workflows: end.workflows })));
  }
  return found;
}

/**
 * Returns the current delegates of some people in a workflow, directly and through others; the reverse of `delegationsOf`. Leaves out `not` and
 * chains through them. People without a delegate are missing from the map; one statement if no delegation is passed on.
 */
export async function delegatesFor(
  tx: Db,
  people: readonly number[],
  workflow: number,
  not: number,
): Promise<Map<number, readonly number[]>> {
  const found = new Map<number, number[]>();
  let ends = people.map((of) => ({ of, at: of, seen: [of], hops: longestChain }));
  while (ends.length > 0) {
    const at = [...new Set(ends.map((end) => end.at))];
    const rows = await prepared<Onward>(tx, 'stand-ins-for', delegatesText, [at, workflow]);
    const reached = ends.flatMap(({ of, at: from, seen, hops }) =>
      rows
        .filter((row) => row.from_id === from && row.to_id !== not && !seen.includes(row.to_id))
        .map(({ to_id, chain_limit }) => ({
          of,
          at: to_id,
          seen: [...seen, to_id],
          hops: Math.min(hops, chain_limit) - 1,
        })),
    );
    for (const { of, at: person } of reached) found.set(of, [...new Set([...(found.get(of) ?? []), person])]);
    ends = reached.filter((end) => end.hops > 0);
  }
  return found;
}
type Onward = Pick<Running, 'from_id' | 'to_id' | 'chain_limit'>;
const delegatesText = `
  select from_id, to_id, chain_limit from stand_in where from_id = any($1::int[])
    and (workflow_ids is null or $2 = any(workflow_ids)) and ended_at is null and starts_at <= now() and ends_at > now()`;

/** A person whose tasks somebody else decides for a while. */
export interface Away {
  /** True if all their tasks are delegated, not only those of some workflows. */
  wholly: boolean;
  /** Names of the delegates. */
  delegates: string[];
}

/** Those of some people who have a delegate now. */
export async function awayNow(tx: Db, people: readonly number[]): Promise<Map<number, Away>> {
  if (people.length === 0) return new Map();
  const rows = await prepared<Away & { id: number }>(tx, 'stand-ins-now', awayText, [[...people]]);
  return new Map(rows.map(({ id, ...away }) => [id, away]));
}
const awayText = `
  select from_id as id, bool_or(workflow_ids is null) as wholly, array_agg(distinct u.alias order by u.alias) as delegates
  from stand_in join app_user u on u.id = to_id
  where from_id = any($1::int[]) and ended_at is null and starts_at <= now() and ends_at > now() group by from_id`;

/** Returns the intersection of two scopes; null means everything. */
export function both(a: readonly number[] | null, b: readonly number[] | null): readonly number[] | null {
  if (a === null) return b;
  return b === null ? a : a.filter((id) => b.includes(id));
}

/** A person and all current delegates of theirs, direct or through others, in any workflow. */
export async function withDelegates(tx: Db, person: number): Promise<number[]> {
  const { rows } = await tx.execute<{ id: number }>(sql`
    with recursive onward(id, hops) as (
      select ${person}::int, 0
      union
      select s.to_id, hops + 1 from onward join stand_in s on s.from_id = onward.id
      where hops < ${longestChain} and s.ended_at is null and s.starts_at <= now() and s.ends_at > now())
    select distinct id from onward order by id`);
  return rows.map((row) => row.id);
}

/** A condition: the person (a piece of SQL) has delegated all tasks for the whole of today. */
export const awayAllDay = (person: SQL): SQL => sql`exists (select from stand_in s where s.from_id = ${person}
  and s.workflow_ids is null and s.ended_at is null and s.starts_at <= date_trunc('day', now())
  and s.ends_at >= date_trunc('day', now()) + interval '1 day' - interval '1 minute')`;

/** Times in which people have delegated all of their tasks: rows `(person, from, to)`. */
export const wholeAbsences = sql`select from_id, starts_at, ends_at from stand_in where workflow_ids is null and ended_at is null`;
