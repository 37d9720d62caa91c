import { prepared, type Db } from '#kernel/server/db.ts';

/** Somebody whose tasks a person may decide now. */
export interface Standing {
  principal: number;
  /** Who passed it on in between, the nearest first. */
  through: readonly number[];
  /** Null: in all workflows. */
  workflows: readonly number[] | null;
}

/** Most people tasks are passed over. */
const longestChain = 3;
const runningText = `
  select from_id, to_id, workflow_ids, chain_limit from stand_in
  where to_id = any($1::int[]) and ended_at is null and starts_at <= now() and ends_at > now()`;

interface Running {
  from_id: number;
  to_id: number;
  workflow_ids: number[] | null;
  chain_limit: number;
}

/** For whom a person stands in at this moment, by themselves and through others; one statement where it is for nobody. */
export async function standingOf(tx: Db, person: number): Promise<Standing[]> {
  const found: Standing[] = [];
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

/** Who stands in at this moment for each of some people in a workflow; who has nobody is missing. */
export async function standInsFor(
  tx: Db,
  people: readonly number[],
  workflow: number,
): Promise<Map<number, readonly number[]>> {
  if (people.length === 0) return new Map();
  const rows = await prepared<{ from_id: number; to_ids: number[] }>(tx, 'stand-ins-for', standInsText, [
    [...people],
    workflow,
  ]);
  return new Map(rows.map((row) => [row.from_id, row.to_ids]));
}
const standInsText = `
  select from_id, array_agg(distinct to_id) as to_ids from stand_in where from_id = any($1::int[])
    and (workflow_ids is null or $2 = any(workflow_ids)) and ended_at is null and starts_at <= now() and ends_at > now()
  group by from_id`;

/** A person whose tasks somebody else decides meanwhile. */
export interface Away {
  /** All of them, not those of some workflows only. */
  wholly: boolean;
  /** Names of who stands in. */
  standIns: string[];
}

/** Those of some people who have somebody standing in at this moment. */
export async function awayNow(tx: Db, people: readonly number[]): Promise<Map<number, Away>> {
  if (people.length === 0) return new Map();
  const rows = await prepared<Away & { id: number }>(tx, 'stand-ins-now', awayText, [[...people]]);
  return new Map(rows.map(({ id, ...away }) => [id, away]));
}
const awayText = `
  select from_id as id, bool_or(workflow_ids is null) as wholly, array_agg(distinct u.alias order by u.alias) as "standIns"
  from stand_in join app_user u on u.id = to_id
  where from_id = any($1::int[]) and ended_at is null and starts_at <= now() and ends_at > now() group by from_id`;

/** What two scopes have in common; null is everything. */
export function both(a: readonly number[] | null, b: readonly number[] | null): readonly number[] | null {
  if (a === null) return b;
  return b === null ? a : a.filter((id) => b.includes(id));
}
