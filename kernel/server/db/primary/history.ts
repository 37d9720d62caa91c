import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import type pg from 'pg';
import { Away } from '../lost.ts';
import { reaches } from './position.ts';

/** The state of a server that accepts writes: its identity, its number of promotions, and its position that survives a crash. */
export interface Facts {
  system: string;
  timeline: number;
  position: string;
}

/** The newest history that a node knows. */
export interface History extends Facts {
  /** The newest mark written into the database: a server without it does not belong to this history. Null before the first mark. */
  mark: Mark | null;
}
export interface Mark {
  /** Ids are consecutive, so that a mark that was cleared can be told from one that never existed. */
  id: number;
  uuid: string;
  /** The first mark of its timeline, or of a database that an administrator accepted; it is never cleared. */
  epoch: string;
  /** The timeline on which the mark was written, and a position after it. */
  timeline: number;
  position: string;
}
/** The number of marks that are kept besides the first ones. */
const keptMarks = 5000;

/** A server accepts writes but lacks data that existed before: anything written to it would belong to an abandoned past. */
export class OlderHistory extends Away {
  readonly known: Facts;
  readonly found: Facts;
  constructor(known: Facts, found: Facts) {
    super();
    this.message = `the database is of an older history: known ${told(known)}, found ${told(found)}`;
    this.known = known;
    this.found = found;
  }
}
const told = ({ system, timeline, position }: Facts) => `${system} timeline ${timeline} at ${position}`;

/** Describes the difference in words for the administrator. */
export function olderSaid({ known, found }: Pick<OlderHistory, 'known' | 'found'>): string {
  const differs =
    known.system !== found.system
      ? `它是另一个数据库（系统标识 ${found.system}，原来的是 ${known.system}）`
      : known.timeline > found.timeline
        ? `它停在切换之前（时间线 ${found.timeline}，已到过 ${known.timeline}）`
        : known.timeline === found.timeline && !reaches(found.position, known.position)
          ? `它只到 ${found.position}，已确认到 ${known.position}（时间线 ${known.timeline}）`
          : `它没有经过时间线 ${known.timeline} 上已确认的内容（现在是时间线 ${found.timeline}）`;
  return `数据库的内容比本系统最后见过的旧，为免丢失已确认的内容，只能查看、不能保存：${differs}。请先恢复原来的主库；确定以现在的数据库为准时，执行 npm run accept-history`;
}

/** The number of the next transaction that writes; it does not change while nothing is written. */
export const nextTransactionText = 'pg_snapshot_xmax(pg_current_snapshot())::text';
export const factsText = `select (select system_identifier::text from pg_control_system()) as system,
  ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int as timeline,
  pg_current_wal_flush_lsn()::text as position`;

type Asked = Pick<pg.ClientBase, 'query'>;

/** The knowledge of this process about the history behind one address. */
export interface Keeper {
  known(): History | null;
  /** From now on stores the history in this file, whose contents count as known; several processes may share it. */
  keepIn(file: string): void;
  /** From now on reads the history that another process or thread stores in this file, again for each new connection. */
  follow(file: string): void;
  isKept(): boolean;
  /** Records how far a server has come since `before`; throws `OlderHistory` if it has not come that far. */
  saw(found: Facts, before: History | null): void;
  /**
   * Throws `OlderHistory` if a server has not come as far as what was known before it was asked. It also looks for its marks; a database that an
   * administrator accepted is known from then on. Called for each new connection.
   */
  examine(client: Asked): Promise<void>;
  /** Receives a neighbour's message that refuses this server: believed if the server does not come from that history. */
  hear(said: string, client: Asked): Promise<void>;
  /** Writes a mark if the database was written to since the last one, which the number of its next transaction shows. */
  mark(client: Asked, nextTransaction: string): Promise<void>;
}

export function createKeeper(first: History | null = null): Keeper {
  let known = first;
  let file: string | null = null;
  let followed: string | null = null;
  /** The number of the next transaction when the last mark was written. */
  let markedBefore = '';

  let unwritten: History | null = null;
  let writing: Promise<void> | null = null;

  /** `atOnce` writes to the disk before anything else happens. A full disk must not keep anybody from saving: the next beat writes again. */
  const keep = (next: History, atOnce = false) => {
    known = next;
    if (file === null) return;
    unwritten = atOnce ? null : next;
    if (!atOnce) writing ??= writeAll(file).finally(() => (writing = null));
    else
      try {
        writeHistory(file, next);
      } catch {
        unwritten = next;
      }
  };
  async function writeAll(place: string): Promise<void> {
    for (let next = unwritten; next; next = unwritten) {
      unwritten = null;
      const partial = `${place}.${randomUUID()}`;
      try {
        await writeFile(partial, JSON.stringify(next), { mode: 0o600, flush: true });
        // A history written at once meanwhile is newer.
        if (next === known) await rename(partial, place);
      } catch {
        // The history is still known in memory.
      } finally {
        await rm(partial, { force: true });
      }
    }
  }

  /** The newest of the known marks on a server, or one that an administrator set in its place; null if there is none. */
  async function successor(client: Asked, from: Mark): Promise<Mark | null> {
    const text = `select ${markColumns}, replaces is not null as accepted from database_history where mark = $1 or replaces = $2 order by id desc limit 1`;
    try {
      const { rows } = await client.query<Mark & { accepted: boolean }>(text, [from.uuid, from.epoch]);
      const [{ accepted, ...found } = { accepted: false, ...from }] = rows;
      if (accepted && found.uuid !== from.epoch) return found;
      return rows.length > 0 || (await holdsMark(client, from)) ? from : null;
    } catch (error) {
      if ((error as { code?: unknown }).code === noTable) return null;
      throw error;
    }
  }
  /** Returns the history to know after meeting this server: the previous one, or the one an administrator set in its place. Throws `OlderHistory`. */
  async function compare(client: Asked, from: History, found: Facts): Promise<History> {
    const mark = from.mark && (await successor(client, from.mark));
    if (mark !== null && mark !== from.mark) return compare(client, { ...found, mark }, found);
    refuse(from, found);
    if (from.mark !== null && mark === null) throw new OlderHistory(from, found);
    return from;
  }

  return {
    known: () => known,
    isKept: () => file !== null,
    keepIn(place) {
      file = place;
      known ??= readHistory(place);
    },
    saw(found, before) {
      if (before) refuse(before, found);
      if (known === null) keep({ ...found, mark: null }, true);
      else if ((known.position !== found.position || known.timeline !== found.timeline) && !isBehind(known, found))
        keep({ ...known, ...found }, known.timeline !== found.timeline);
    },
    follow: (place) => void (followed = place),
    async examine(client) {
      if (followed !== null) known = readHistory(followed) ?? known;
      if (known === null) return;
      const before = known;
      const { rows } = await client.query<Facts>(factsText);
      const next = await compare(client, before, rows[0]!);
      // Other connections may have learnt more meanwhile.
      if (next !== before && known === before) keep(next, true);
    },
    async hear(said, client) {
      const data = historyIn(said);
      if (data === null) return;
      const { rows } = await client.query<Facts>(factsText);
      try {
        await compare(client, data, rows[0]!);
      } catch (error) {
        if (!(error instanceof OlderHistory)) throw error;
        keep(data, true);
      }
    },
    async mark(client, nextTransaction) {
      const now = known;
      if (file === null || now === null) return;
      if (now.mark?.timeline === now.timeline && nextTransaction === markedBefore) return;
      try {
        let last = await newestMark(client);
        const isMarked = last?.system === now.system && last.mark.timeline === now.timeline;
        // A mark that a neighbour wrote meanwhile is accepted: otherwise two nodes would replace each other's marks for ever.
        if (!isMarked || last!.mark.uuid === now.mark?.uuid) {
          await client.query(insertMark, [randomUUID(), now.system, now.timeline]);
          last = await newestMark(client);
        }
        // A neighbour's message meanwhile concerns a newer history than this server's.
        if (last === undefined || known?.mark !== now.mark || known.timeline !== now.timeline) return;
        markedBefore = last.next;
        keep({ ...known, mark: last.mark }, last.mark.epoch !== now.mark?.epoch);
      } catch (error) {
        // A database without tables has nothing to lose.
        if ((error as { code?: unknown }).code !== noTable) throw error;
      }
    },
  };
}

const markColumns = `id, mark as uuid, epoch, timeline, pg_current_wal_insert_lsn()::text as position`;
const insertMark = `with cleared as (
    delete from database_history where id < (select max(id) from database_history) - ${keptMarks} and epoch <> mark)
  insert into database_history (mark, epoch, system, timeline)
    select $1::uuid, coalesce((select epoch from database_history last where id = (select max(id) from database_history)
      and last.system = $2::text and last.timeline = $3::int), (select epoch from database_history first where first.system = $2::text
      and first.timeline = $3::int and replaces is null and epoch = mark), $1::uuid), $2::text, $3::int on conflict do nothing`;

/** The newest mark, the position of its server, and the number of its next transaction. */
async function newestMark(client: Asked): Promise<(Facts & { mark: Mark; next: string }) | undefined> {
  // The position is after the mark even if commits do not wait for the disk: a replica that has reached it must have the mark.
  const { rows } = await client.query<{ mark: Mark; next: string } & Facts>(
    `select facts.*, (select to_json(mark) from (select ${markColumns} from database_history order by id desc limit 1) mark) as mark,
      ${nextTransactionText} as next from (${factsText}) facts`,
  );
  return rows[0]!.mark === null ? undefined : rows[0]!;
}

const noTable = '42P01';

const isBehind = (known: Facts, found: Facts) =>
  found.system !== known.system ||
  found.timeline < known.timeline ||
  (found.timeline === known.timeline && !reaches(found.position, known.position));

function refuse(known: Facts, found: Facts): void {
  if (isBehind(known, found)) throw new OlderHistory(known, found);
}

/** True if a server has a mark, or had it before it was cleared: the mark itself or its successor was once known. */
export async function holdsMark(client: Asked, { id, uuid, epoch }: Mark): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    `select exists (select from database_history where mark = $1) or exists (select from database_history where mark = $2)
      and (select max(id) from database_history) > $3::int + ${keptMarks} as is`,
    [uuid, epoch, id],
  );
  return rows[0]!.is;
}

function historyIn(text: string): History | null {
  let said: Partial<Record<keyof History, unknown>> | null;
  try {
    said = JSON.parse(text) as typeof said;
  } catch {
    return null;
  }
  // Checked by hand, because a thread without the schema library reads this.
  const isText = (...values: unknown[]) => values.every((value) => typeof value === 'string');
  const isCount = (...values: unknown[]) => values.every((value) => Number.isInteger(value));
  const { system, timeline, position } = said ?? {};
  const mark = (said?.mark ?? null) as Partial<Mark> | null;
  const isMark = mark === null || (isText(mark.uuid, mark.epoch, mark.position) && isCount(mark.id, mark.timeline));
  return isMark && isText(system, position) && isCount(timeline)
    ? ({ system, timeline, position, mark } as History)
    : null;
}

/** Returns how a server's history is older than the one a node knows; null if it is not. */
export async function olderThan(client: Asked, known: History): Promise<OlderHistory | null> {
  const keeper = createKeeper(known);
  return keeper.examine(client).then(
    () => null,
    (error: unknown) => {
      if (error instanceof OlderHistory) return error;
      throw error;
    },
  );
}

/** Accepts a server in place of the known history: every node that knew the history accepts the server from then on. */
export async function accept(client: Asked, { epoch }: Pick<Mark, 'epoch'>): Promise<void> {
  await client.query(
    `insert into database_history (mark, epoch, system, timeline, replaces)
      select $1::uuid, $1::uuid, system, timeline, $2::uuid from (${factsText}) facts`,
    [randomUUID(), epoch],
  );
}

/** The history that a node stored on its disk; null if it stored none. */
export function readHistory(file: string): History | null {
  try {
    return historyIn(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function writeHistory(file: string, history: History): void {
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${randomUUID()}`;
  try {
    writeFileSync(partial, JSON.stringify(history), { mode: 0o600, flush: true });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
