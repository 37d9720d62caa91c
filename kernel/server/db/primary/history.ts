import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type pg from 'pg';
import { Away } from '../lost.ts';
import { reaches } from './position.ts';

/** Where a server that takes writes stands: which it is, by how many promotions, and what of it outlasts a crash. */
export interface Facts {
  system: string;
  timeline: number;
  position: string;
}

/** The newest history a node knows of. */
export interface History extends Facts {
  /** Written into the database once for each timeline: whatever server lacks it does not come from this history. */
  mark: string | null;
  /** The timeline it was written on, and a position that is behind it. */
  marked: number;
  markedAt: string | null;
}

/** A server that takes writes and lacks what was there already: whatever is written to it would be of a past that is over. */
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

/** How far it differs, in words for whoever administers. */
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

export const factsText = `select (select system_identifier::text from pg_control_system()) as system,
  ('x' || substr(pg_walfile_name(pg_current_wal_insert_lsn()), 1, 8))::bit(32)::int as timeline,
  pg_current_wal_flush_lsn()::text as position`;

type Asked = Pick<pg.ClientBase, 'query'>;

/** What this process knows of the history behind one address. */
export interface Keeper {
  known(): History | null;
  /** From now on it is kept in this file, and what the file says is known; several processes may share it. */
  keepIn(file: string): void;
  /** From now on what another process or thread keeps in this file is what is known, read for each new connection. */
  follow(file: string): void;
  isKept(): boolean;
  /** Takes note of how far a server has come since `before`; throws `OlderHistory` where it is not as far as that. */
  saw(found: Facts, before: History | null): void;
  /**
   * Throws `OlderHistory` where a server has not come as far as what was known before it was asked; its marks are looked for too, and what
   * an administrator accepted is known from then on. For each new connection.
   */
  examine(client: Asked): Promise<void>;
  /** What a neighbour says that refuses this server: believed where the server does not come from it. */
  hear(said: string, client: Asked): Promise<void>;
  /** Marks the timeline that is known, where it is not marked. */
  mark(client: Asked): Promise<void>;
}

export function createKeeper(first: History | null = null): Keeper {
  let known = first;
  let file: string | null = null;
  let followed: string | null = null;

  /** `flush`: it outlasts this machine's fall too; a position only costs what was written since. */
  const keep = (next: History, flush = false) => {
    known = next;
    if (file === null) return;
    try {
      writeHistory(file, next, flush);
    } catch {
      // A disk that is full keeps nobody from saving: it is known in memory, and written at the next beat.
    }
  };

  /** What of the marks a server has: the one that is known, or one that an administrator set in its place. */
  async function successor(client: Asked, from: History): Promise<string | null> {
    if (from.mark === null) return null;
    try {
      const { rows } = await client.query<{ mark: string; follows: boolean }>(
        'select mark, replaces is not distinct from $1 as follows from database_history where mark = $1 or replaces = $1 order by id desc',
        [from.mark],
      );
      const accepted = rows.find(({ follows }) => follows);
      return accepted?.mark ?? rows[0]?.mark ?? '';
    } catch (error) {
      if ((error as { code?: unknown }).code === noTable) return '';
      throw error;
    }
  }
  /** What is to be known once this server was met: what was, or what an administrator set in its place. Throws `OlderHistory`. */
  async function compare(client: Asked, from: History, found: Facts): Promise<History> {
    const mark = await successor(client, from);
    if (mark !== null && mark !== '' && mark !== from.mark)
      return compare(client, { ...found, mark, marked: found.timeline, markedAt: found.position }, found);
    refuse(from, found);
    if (mark === '') throw new OlderHistory(from, found);
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
      if (known === null) keep({ ...found, mark: null, marked: 0, markedAt: null }, true);
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
      // Others may have learnt more meanwhile.
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
    async mark(client) {
      const now = known;
      if (file === null || now === null || now.marked === now.timeline) return;
      try {
        await client.query(
          `insert into database_history (mark, system, timeline) select $1::uuid, $2::text, $3::int
            where not exists (select from database_history where system = $2::text and timeline = $3::int) on conflict do nothing`,
          [randomUUID(), now.system, now.timeline],
        );
        // Behind the mark also where commits do not wait for the disk: a replica that has come so far must have it.
        const { rows } = await client.query<{ mark: string; behind: string } & Facts>(
          `select mark, facts.*, pg_current_wal_insert_lsn()::text as behind
            from (${factsText}) facts, database_history order by id desc limit 1`,
        );
        const { mark, behind, ...found } = rows[0]!;
        if (known === now) keep({ ...found, mark, marked: found.timeline, markedAt: behind }, true);
      } catch (error) {
        // Of a database that has no tables yet there is nothing to lose.
        if ((error as { code?: unknown }).code !== noTable) throw error;
      }
    },
  };
}

const noTable = '42P01';

const isBehind = (known: Facts, found: Facts) =>
  found.system !== known.system ||
  found.timeline < known.timeline ||
  (found.timeline === known.timeline && !reaches(found.position, known.position));

function refuse(known: Facts, found: Facts): void {
  if (isBehind(known, found)) throw new OlderHistory(known, found);
}

/** Whether a server has a mark: it, or what it follows, was once what is known. */
export async function holdsMark(client: Asked, mark: string): Promise<boolean> {
  const { rows } = await client.query<{ is: boolean }>(
    'select exists (select from database_history where mark = $1) as is',
    [mark],
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
  // By hand: this is read by a thread that has nothing that checks forms.
  const isText = (...values: unknown[]) => values.every((value) => typeof value === 'string');
  const isCount = (...values: unknown[]) => values.every((value) => Number.isInteger(value));
  const { system, timeline, position, mark, marked, markedAt } = said ?? {};
  const isWhole = isText(system, position, mark ?? '', markedAt ?? '') && isCount(timeline, marked);
  return isWhole
    ? ({ system, timeline, position, mark: mark ?? null, marked, markedAt: markedAt ?? null } as History)
    : null;
}

/** Whether a server is of an older history than what a node kept, and in what. */
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

/** Sets a server in the place of the history that was known: every node that knew it takes the server for what it is from then on. */
export async function accept(client: Asked, known: History): Promise<void> {
  await client.query(
    `insert into database_history (mark, system, timeline, replaces) select $1::uuid, system, timeline, $2::uuid from (${factsText}) facts`,
    [randomUUID(), known.mark],
  );
}

/** What a node kept of it on its disk; null where it kept nothing. */
export function readHistory(file: string): History | null {
  try {
    return historyIn(readFileSync(file, 'utf8'));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return null;
    throw error;
  }
}

function writeHistory(file: string, history: History, flush: boolean): void {
  mkdirSync(dirname(file), { recursive: true });
  const partial = `${file}.${randomUUID()}`;
  try {
    writeFileSync(partial, JSON.stringify(history), { mode: 0o600, flush });
    renameSync(partial, file);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  }
}
