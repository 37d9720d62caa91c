import { and, sql, type SQL } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import { exactTotal } from '#kernel/contract/shapes.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Page, PageAsked } from '#kernel/server/list/paging.ts';
import { deadlineLight, onceEach, type Once } from '#modules/platform/waits/service.ts';
import { everyKind, type StandingName, type StartedRow } from './contract.ts';

/** The query of a kind. */
export interface StartedAsked {
  /** The search text; its own list finds the same. */
  words: string;
  once: Once;
  /** Keys of the kinds queried together. */
  among: ReadonlySet<string>;
}
interface Named {
  id: number;
  about: string | null;
}
/** The progress of something. */
export type Standing = Pick<StartedRow, 'sn' | 'state' | 'step' | 'who' | 'stuck' | 'due_at' | 'news'> & {
  /** True if its clock runs. */
  runs: boolean;
  /** Version of the ticket's row, if it has one. */
  version?: number;
};

/** A kind of things that people start, as pieces of SQL: those of all modules together are one statement. */
export interface Started {
  /** Its name in addresses, unique among kinds. For records it is the module in their tickets. */
  key: string;
  /** Page component of its list: only people with this page are considered. */
  page: string;
  title: string;
  /** The things one person started: rows `(id, title, since, stands, ticket_id, about)`, the same as in its own list. */
  mine(tx: Db, viewer: Viewer, asked: StartedAsked): Promise<SQL>;
  /** Ids of the tickets that are shown in its list, if these are not just the ones that the person began. */
  ticketsOf?(tx: Db, viewer: Viewer, once: Once): Promise<SQL>;
  /** Descriptions of some of them with the figure that their list shows, by id. */
  whatOf?(tx: Db, rows: readonly Named[]): Promise<ReadonlyMap<number, string>>;
  /** The progress of those without a ticket. */
  standingOf?(tx: Db, ids: readonly number[], viewer: Viewer): Promise<ReadonlyMap<number, Standing>>;
  /** The lights of some of them by id, if their list has others than those of deadlines. */
  lightsOf?(tx: Db, ids: readonly number[]): Promise<ReadonlyMap<number, StartedRow['light']>>;
  /** The page that shows one of them. */
  linkOf(row: Named, tx: Db): string;
  /** The page that begins a copy; null for none. */
  copyOf?(row: Named & { stands: StandingName }, viewer: Viewer): string | null;
}

/** The progress of somebody's started tickets, by id. */
export type TicketStandings = (
  tx: Db,
  viewer: Viewer,
  ids: readonly number[],
) => Promise<ReadonlyMap<number, Standing>>;

const named = (index: number) => sql.identifier(`started_${index}`);

/** The kinds whose pages somebody has. */
const kindsFor = (viewer: Viewer, all: readonly Started[]) =>
  all.filter(({ page }) => holds(viewer, 'Retrieve', page) || holds(viewer, 'Create', page));

/** The things a person started of these kinds, each kind as a part of one statement. */
async function partsOf(tx: Db, viewer: Viewer, kinds: readonly Started[], words: string, among: ReadonlySet<string>) {
  const once = onceEach();
  const parts: SQL[] = [];
  // Sequential, because a connection answers one statement at a time.
  for (const kind of kinds) parts.push(await kind.mine(tx, viewer, { words, once, among }));
  return sql.join(
    parts.map(
      (part, index) =>
        sql`${named(index)} (id, title, since, stands, ticket_id, about) as (select * from (${part}) part limit ${exactTotal})`,
    ),
    sql`, `,
  );
}
const keysOf = (kinds: readonly Started[]) => new Set(kinds.map(({ key }) => key));

/** The number of each kind that a person started, without those of zero. */
export async function startedOf(tx: Db, viewer: Viewer, all: readonly Started[]) {
  const kinds = kindsFor(viewer, all);
  if (kinds.length === 0) return [];
  const counts = kinds.map(
    (_one, index) =>
      sql`select ${index}::int kind, count(*)::int count, (count(*) filter (where stands = 'running'))::int running from ${named(index)} having count(*) > 0`,
  );
  const { rows } = await tx.execute<{ kind: number; count: number; running: number }>(
    sql`with ${await partsOf(tx, viewer, kinds, '', keysOf(kinds))} ${sql.join(counts, sql` union all `)} order by kind`,
  );
  return rows.map(({ kind, ...counted }) => {
    const { key, title } = kinds[kind]!;
    return { key, title, ...counted };
  });
}

interface Found extends Named {
  kind: number;
  title: string;
  since: string;
  stands: StandingName;
  ticket: number | null;
}
interface Asked extends PageAsked {
  category: string;
  search_value: string;
  stands?: StandingName | undefined;
}

/** A page of the things a person started, of one kind or all; beyond the end the last page is returned. */
export async function listStarted(
  tx: Db,
  viewer: Viewer,
  all: readonly Started[],
  { page, per_page, category, search_value, stands, desc }: Asked,
  now: Date,
): Promise<Page<StartedRow>> {
  const mine = kindsFor(viewer, all);
  const kinds = category === everyKind ? mine : mine.filter(({ key }) => key === category);
  if (kinds.length === 0 && category !== everyKind) throw absent(`事项类型“${category}”`);
  if (kinds.length === 0) return { value: [], total: 0, page: 1, per_page };
  const each = kinds.map((_one, index) => sql`select ${index}::int kind, * from ${named(index)}`);
  const wanted = and(stands && sql`stands = ${stands}`) ?? sql`true`;
  const order = desc === false ? sql`asc` : sql`desc`;
  const {
    rows: [found],
  } = await tx.execute<{ total: number; page: number; rows: Found[] }>(sql`
    with ${await partsOf(tx, viewer, kinds, search_value, keysOf(mine))},
    found as materialized (select * from (${sql.join(each, sql` union all `)}) each_one where ${wanted}),
    at as (select total, least(${page}::int, greatest(1, ceil(total / ${per_page}::float8)::int)) page from (select count(*)::int total from found) counted)
    select total, page, (select coalesce(json_agg(shown), '[]') from (
      select kind, id, title, to_char(found.since, 'YYYY-MM-DD HH24:MI:SS') since, stands, ticket_id ticket, about
      from found order by found.since ${order}, kind, id ${order} limit ${per_page} offset (at.page - 1) * ${per_page}::int) shown) rows from at`);
  const rows = found!.rows;
  const tickets = await tx.services.product.ticketStandings(
    tx,
    viewer,
    rows.flatMap(({ ticket }) => ticket ?? []),
  );
  const shown = new Map<number, StartedRow[]>();
  for (const [kind, some] of Map.groupBy(rows, (row) => row.kind))
    shown.set(kind, await shownOf(tx, viewer, kinds[kind]!, some, tickets, now));
  return { value: rows.map((row) => shown.get(row.kind)!.shift()!), total: found!.total, page: found!.page, per_page };
}

/** Rows of one kind for display, in order. */
async function shownOf(
  tx: Db,
  viewer: Viewer,
  { key, title: kind, ...of }: Started,
  rows: readonly Found[],
  tickets: ReadonlyMap<number, Standing>,
  now: Date,
): Promise<StartedRow[]> {
  const what = await of.whatOf?.(tx, rows);
  const ids = rows.map(({ id }) => id);
  const lights = await of.lightsOf?.(tx, ids);
  const own = await of.standingOf?.(
    tx,
    rows.flatMap(({ id, ticket }) => (ticket === null ? id : [])),
    viewer,
  );
  return rows.map(({ id, title, since, stands, ticket, about }) => {
    const { runs, version, ...stand } = (ticket === null ? own?.get(id) : tickets.get(ticket)) ?? unsent;
    return {
      ...stand,
      id: `${key}.${id}`,
      key,
      kind,
      of: id,
      title,
      what: what?.get(id) ?? '',
      since,
      stands,
      light: lights ? (lights.get(id) ?? null) : deadlineLight(stand.due_at, now, runs),
      web_path: of.linkOf({ id, about }, tx),
      copy_path: of.copyOf?.({ id, about, stands }, viewer) ?? null,
      ticket: ticket === null || version === undefined ? null : { id: ticket, version },
    };
  });
}

/** The progress of a draft. */
const unsent: Standing = {
  sn: '',
  state: { word: '草稿', tone: 'default' },
  step: '',
  who: '',
  stuck: false,
  due_at: null,
  news: false,
  runs: false,
};

declare module '#kernel/server/product.ts' {
  interface Product {
    started: readonly Started[];
    ticketStandings: TicketStandings;
  }
  interface ModuleDefinition {
    /** Its kinds of started things. */
    started?: readonly Started[];
    /** The progress of tickets. */
    ticketStandings?: TicketStandings;
  }
}
