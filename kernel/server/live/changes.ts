import { sql } from 'drizzle-orm';
import { gathered, namedRows, sendAlong, type Db, type Gathering } from '../db/db.ts';

/** The channel on which nodes learn whose numbers are out of date. */
export const changesChannel = 'changes';
/** Stands for all people in `live_cursor` and on the channel. */
export const everybody = 0;
const nameAtMost = 500;
/** A message to the nodes holds at most 8,000 bytes. */
const peopleInWord = 200;

/** The topics in which something changed, by person. */
type Said = Map<number, Set<string>>;
const words: Gathering<Said> = { start: () => new Map(), finish: sayAll, last: true };

/**
 * Announces a change of these people's data: `topic` is the module's part of the call's path, as in `/api/<topic>/`. It is sent with the commit, all
 * changes of a transaction in one statement; more than 500 people count as everybody.
 */
export function changed(tx: Db, topic: string, people: readonly number[]): void {
  if (people.length === 0) return;
  const said = gathered(tx, words);
  for (const person of people.length > nameAtMost ? [everybody] : people) {
    const topics = said.get(person);
    if (topics) topics.add(topic);
    else said.set(person, new Set([topic]));
  }
}

/** Last in the transaction and in the order of people, so that a transaction that waits for a row here holds none that another waits for. */
async function sayAll(tx: Db, said: Said): Promise<void> {
  const people = [...said.keys()].toSorted((a, b) => a - b);
  const topics = people.map((person) => [...said.get(person)!].join('+'));
  const saying = namedRows(
    tx,
    sql`
    with said as (
      select * from unnest(${sql.param(people)}::int[], ${sql.param(topics)}::text[]) said(person_id, topics)),
    moved as (
      insert into live_cursor (person_id, at) select person_id, 1 from said order by person_id
      on conflict (person_id) do update set at = live_cursor.at + 1, moved_at = clock_timestamp() returning person_id, at),
    words as (
      select person_id || ':' || at || ':' || topics word, (row_number() over (order by person_id) - 1) / ${peopleInWord}::int part
      from moved join said using (person_id))
    select pg_notify(${changesChannel}, string_agg(word, ',')) from words group by part`,
  );
  await sendAlong(tx, saying);
}

export interface Change {
  person: number;
  at: number;
  topics: string[];
}

/** Parses a message of the channel. */
export function changesIn(payload: string): Change[] {
  return payload.split(',').map((word) => {
    const [person, at, topics = ''] = word.split(':');
    return { person: Number(person), at: Number(at), topics: topics.split('+') };
  });
}

/** The maximum time between moving a cursor and the commit, because moving it is the transaction's last statement. */
const commitMs = 5000;

/** True if a message to a person may have been committed within the last `ms` milliseconds: data read before then may be old. */
export async function movedWithin(db: Db, person: number, ms: number): Promise<boolean> {
  const rows = await namedRows<{ moved: boolean }>(
    db,
    sql`select true moved from live_cursor where person_id in (${everybody}::int, ${person}::int)
      and moved_at > clock_timestamp() - make_interval(secs => ${(ms + commitMs) / 1000}::float8) limit 1`,
  );
  return rows.length > 0;
}

/** The cursors of these people and of everybody; a person without one never had a change. */
export async function cursorsOf(db: Db, people: readonly number[]): Promise<Map<number, number>> {
  const wanted = sql.param([everybody, ...people]);
  const rows = await namedRows<{ person_id: number; at: string }>(
    db,
    sql`select person_id, at from live_cursor where person_id = any(${wanted}::int[])`,
  );
  return new Map(rows.map((row) => [row.person_id, Number(row.at)]));
}
