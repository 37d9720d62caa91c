import { and, eq, inArray, notInArray, sql, type SQL } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { peopleByName, secretariesOf, type PersonCard } from '#modules/platform/people/service.ts';
import { replyState } from '../contract/codes.ts';
import type { Attend } from '../contract/schedules.ts';
import { noLeader, unknownPerson } from '../contract/refusals.ts';
import { attendTable, scheduleTable } from '../tables.ts';
import type { Stored } from './record.ts';

/** The leaders of the given schedules, in the order of the house. */
export async function attendsOf(tx: Db, ids: readonly number[]): Promise<Map<number, Attend[]>> {
  const found = new Map<number, Attend[]>();
  if (ids.length === 0) return found;
  const rows = await namedRows<Attend & { schedule_id: number }>(
    tx,
    sql`select schedule_id, u.id, username, alias, u.dept_id, coalesce(d.name, '') dept_name, state, note, left(at::text, 19) at
      from leader_attend join app_user u on u.id = leader_id left join dept d on d.id = u.dept_id
      where schedule_id = any(${sql.param([...new Set(ids)])}::int[]) order by u.sort, u.id`,
  );
  for (const { schedule_id: of, ...row } of rows) found.set(of, [...(found.get(of) ?? []), row]);
  return found;
}

interface Leader {
  id: number;
  username: string;
  alias: string;
  post: string;
}
/** All leaders of the house, in order; one statement. */
export const allLeaders = (tx: Db) =>
  namedRows<Leader>(
    tx,
    sql`select id, username, alias, post from app_user u where is_active and not is_deleted
      and exists (select from held_role h join role r on r.id = h.role_id where h.user_id = u.id and r.code = 'xld') order by sort, id`,
  );

/** Leaders by their user names; refuses names of people who are not leaders. */
export async function leadersNamed(
  tx: Db,
  names: readonly string[],
): Promise<{ id: number; username: string; alias: string }[]> {
  const known = new Map((await allLeaders(tx)).map((one) => [one.username, one]));
  return [...new Set(names)].map((name) => {
    const found = known.get(name);
    if (!found) throw noLeader(name);
    return found;
  });
}
export async function peopleNamed(tx: Db, names: readonly string[]): Promise<PersonCard[]> {
  const known = await peopleByName(tx, names);
  return [...new Set(names)].map((name) => {
    const found = known.get(name);
    if (!found) throw unknownPerson(name);
    return found;
  });
}

/** Leaders the user acts for: themselves, and those whose secretary they are. */
export async function sidesOf(tx: Db, user: Pick<Viewer, 'id'>): Promise<Set<number>> {
  const rows = await namedRows<{ id: number }>(
    tx,
    sql`select leader_id id from secretary where secretary_id = ${user.id}`,
  );
  return new Set([user.id, ...rows.map((row) => row.id)]);
}
export const withSecretaries = async (tx: Db, leaders: readonly number[]): Promise<number[]> => [
  ...leaders,
  ...(await secretariesOf(tx, leaders)).map((person) => person.id),
];

/** A leader's answer to a source record, given there or on the entry. */
export interface Answered {
  /** The id of the record. */
  id: number;
  leader: number;
  /** 1 comes, 2 declines, 3 sends another person: `to`. */
  result: number;
  to: number | null;
  /** True if `to` need not be asked, because the person who answers acts for them, too. */
  agreed: boolean;
  note: string;
  by: number;
  at: string;
}
/** Modules whose records entries follow, so that nobody is asked twice. */
export type Followed = Readonly<
  Record<
    string,
    {
      /** Locks the record. An answer to the entry locks it before the entry, as an answer to the record itself does. */
      hold(tx: Db, record: number): Promise<void>;
      /** Writes an answer that was given to the entry into the record, which holds it, and from there onto the entry. */
      answered(tx: Db, answered: Answered): Promise<void>;
      /** True if the record itself waits for the leader's answer. */
      asks(record: SQL, leader: SQL): SQL;
    }
  >
>;

const followedOf = (tx: Db, module: string) => {
  const { followed } = tx.services.product;
  return Object.hasOwn(followed, module) ? followed[module] : undefined;
};
/** Locks the source record of an entry, if answers are held there. */
export async function holdSource(tx: Db, schedule: number): Promise<void> {
  const [row] = await tx
    .select({ module: scheduleTable.source_module, record: scheduleTable.source_id })
    .from(scheduleTable)
    .where(eq(scheduleTable.id, schedule));
  if (row && row.record !== null) await followedOf(tx, row.module)?.hold(tx, row.record);
}
/** Passes an answer to an entry on to its source record. */
export async function tellSource(tx: Db, row: Stored, answered: Omit<Answered, 'id'>): Promise<void> {
  if (row.source_id !== null) await followedOf(tx, row.source_module)?.answered(tx, { ...answered, id: row.source_id });
}

/** A leader's answer as the source record holds it. Without a note, the entry keeps its own. */
export interface SourceAnswer {
  leader: number;
  /** A code of `replyState`. */
  state: number;
  note?: string;
}

/** Makes the leaders of an entry and their answers those of its source record; false if they were the same. */
export async function writeAnswers(
  tx: Db,
  schedule: number,
  answers: readonly SourceAnswer[],
  { by, at }: { by: number | null; at: string },
): Promise<boolean> {
  const was = (await attendsOf(tx, [schedule])).get(schedule) ?? [];
  const { schedule_id, leader_id } = attendTable;
  const gone = was.filter((one) => answers.every(({ leader }) => leader !== one.id)).map((one) => one.id);
  if (gone.length > 0) await tx.delete(attendTable).where(and(eq(schedule_id, schedule), inArray(leader_id, gone)));
  const news = answers.filter(({ leader, state, note }) => {
    const before = was.find((one) => one.id === leader);
    return before?.state !== state || (note !== undefined && note !== before.note);
  });
  for (const { leader, state, note } of news) {
    const said = state === replyState.none ? { by: null, at: null } : { by, at };
    const set = { state, ...said, ...(note === undefined ? {} : { note }) };
    await tx
      .insert(attendTable)
      .values({ schedule_id: schedule, leader_id: leader, ...set })
      .onConflictDoUpdate({ target: [schedule_id, leader_id], set });
  }
  return gone.length + news.length > 0;
}

/** Sets the leaders of a schedule; those who stay keep their answers. `agreed` are those who need not be asked. */
export async function setAttends(
  tx: Db,
  schedule: number,
  leaders: readonly number[],
  agreed: ReadonlySet<number>,
): Promise<void> {
  const { schedule_id, leader_id, state } = attendTable;
  await tx
    .delete(attendTable)
    .where(
      and(
        eq(schedule_id, schedule),
        notInArray(leader_id, [...leaders]),
        inArray(state, [replyState.none, replyState.comes, replyState.declines]),
      ),
    );
  await tx
    .insert(attendTable)
    .values(
      leaders.map((leader) => ({
        schedule_id: schedule,
        leader_id: leader,
        state: agreed.has(leader) ? replyState.comes : replyState.none,
      })),
    )
    .onConflictDoUpdate({
      target: [schedule_id, leader_id],
      set: { state: sql`case when ${state} = ${inSql(replyState.passesOn)} then excluded.state else ${state} end` },
    });
}

declare module '#kernel/server/product.ts' {
  interface Product {
    followed: Followed;
  }
  interface ModuleDefinition {
    /** The module's records that entries follow, and its handler for answers given to the entry. */
    followed?: Followed;
  }
}
