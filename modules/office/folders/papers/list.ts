import { and, eq, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { isBeingApproved, isWithAuthor } from '#modules/workflow/records/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { belowCategory } from '../categories.ts';
import type { folders } from '../contract.ts';
import { paperStatus, type Paper } from '../contract/list.ts';
import { noteMiss } from '../reading/misses.ts';
import { categoryTable, collectTable, paperTable, readTable } from '../tables.ts';
import { meantFor, readingOf, type PaperViewer } from './audience.ts';
import { page, papers } from './record.ts';

const { draft, inForce } = paperStatus;
/** The part of an issue number before the year, and the year. */
export const fwhPrefix = sql<string>`trim(substring(${paperTable.fwh} from '^[^〔\\[［（(【0-9]*'))`;
export const fwhYear = sql<number | null>`substring(${paperTable.fwh} from '(19\\d\\d|2\\d\\d\\d)')::int`;

const reach = (viewer: PaperViewer, code: 'Retrieve' | 'Update' | 'Delete') =>
  sql<boolean>`${papers.reaches(viewer, code)}`;
/** Joins the reading record of the viewer for a paper's version. */
export const readBySelf = ({ user }: PaperViewer) =>
  and(
    eq(readTable.paper_id, paperTable.id),
    eq(readTable.user_id, user.id),
    eq(readTable.version_no, paperTable.version_no),
  );
/** Condition: in force, must be read, meant for the viewer and not confirmed. The badge counts these. Needs the joins of `selectPapers`. */
export const unconfirmedBy = (viewer: PaperViewer): SQL =>
  sql`(${paperTable.must_read} and ${paperTable.status} = ${inForce} and ${readTable.confirmed_at} is null and ${meantFor(viewer)})`;

/** Papers as list rows for a viewer, with their own reading state and actions. The caller adds a condition. */
export function selectPapers(tx: Db, viewer: PaperViewer) {
  const { content: _content, audience: _audience, quiz: _quiz, ...columns } = papers.columns;
  return tx
    .select({
      ...columns,
      dept: paperTable.dept_id,
      category_name: categoryTable.name,
      dept_name: sql<string>`(select d.name from dept d where d.id = ${paperTable.dept_id})`,
      my_read: sql<boolean>`${readTable.user_id} is not null`,
      to_confirm: sql<boolean>`${unconfirmedBy(viewer)}`,
      collect_id: collectTable.id,
      managed: reach(viewer, 'Retrieve'),
      updates: reach(viewer, 'Update'),
      deletes: reach(viewer, 'Delete'),
    })
    .from(paperTable)
    .innerJoin(categoryTable, eq(categoryTable.id, paperTable.category_id))
    .leftJoin(readTable, readBySelf(viewer))
    .leftJoin(collectTable, and(eq(collectTable.paper_id, paperTable.id), eq(collectTable.user_id, viewer.user.id)));
}
export type Selected = Awaited<ReturnType<typeof selectPapers>>[number];

export async function listPapers(
  query: QueryOf<typeof folders.papers>,
  { tx, afterReading }: Pick<Context, 'tx' | 'afterReading'>,
  viewer: PaperViewer,
) {
  const given = <T>(value: T | undefined, condition: (value: T) => SQL) =>
    value === undefined ? undefined : condition(value);
  const select = selectPapers(tx, viewer).where(
    and(
      query.managed ? papers.reaches(viewer, 'Retrieve') : papers.visible(tx, viewer),
      matches(paperTable.search, query.search_value),
      given(query.category, (id) => sql`${paperTable.category_id} in (${belowCategory(id)})`),
      given(query.dept, (id) => eq(paperTable.dept_id, id)),
      given(query.fwh || undefined, (start) => sql`starts_with(${paperTable.fwh}, ${start})`),
      given(query.year, (year) => sql`${fwhYear} = ${year}`),
      given(query.status, (status) => eq(paperTable.status, status)),
      given(query.must_read, (must) => eq(paperTable.must_read, must)),
      given(query.collected, (is) => (is ? sql`${collectTable.id} is not null` : sql`${collectTable.id} is null`)),
      query.to_confirm ? unconfirmedBy(viewer) : undefined,
    ),
  );
  const { publish_date, title, read_count, gmt_modified, read_deadline, id: tie } = paperTable;
  const by = { publish_date, title, read_count, gmt_modified, read_deadline };
  const found = await pageOf(tx, query, select.$dynamic(), { by, first: 'publish_date', descending: true, tie });
  if (found.total === 0 && isPlainSearch(query)) afterReading((writing) => noteMiss(writing, query.search_value));
  return { ...found, value: await paperRows(tx, viewer, found.value, query.managed && !query.export) };
}

/** True if a word was searched among all papers in force, without filters. */
const isPlainSearch = ({ search_value, ...query }: QueryOf<typeof folders.papers>) =>
  search_value.length > 1 &&
  !query.aside &&
  !query.managed &&
  !query.export &&
  (query.status ?? inForce) === inForce &&
  [query.category, query.dept, query.fwh, query.year, query.must_read, query.to_confirm, query.collected].every(
    (filter) => filter === undefined || filter === '',
  );

/** Rows in the shape of the answer; `rated` adds the reading rate of those the viewer manages, in one statement. */
export async function paperRows(
  tx: Db,
  viewer: PaperViewer,
  selected: readonly Selected[],
  rated = false,
): Promise<Paper[]> {
  const known = await readingOf(tx, rated ? selected.flatMap((row) => (row.managed ? [row.id] : [])) : []);
  const drafts = await papers.approvals(
    tx,
    viewer,
    selected.filter((row) => row.status === draft),
  );
  const creates = holds(viewer.user, 'Create', page);
  return selected.map((row) => {
    const reading = known.get(row.id);
    const ticket = drafts.get(row.id);
    const done = row.must_read ? reading?.confirmed : reading?.read;
    const asked = row.status === draft && row.ticket_id !== null;
    // A paper in review cannot be changed; a returned one only by the holder of its ticket.
    const free = (act: string) =>
      !asked || (!isBeingApproved(row) && (!isWithAuthor(row) || ticket?.actions.includes(act) === true));
    const all: Record<string, boolean> = {
      update: row.updates && (row.status === inForce || (row.status === draft && free('save'))),
      publish: row.updates && row.status === draft && (!asked || row.act_state === actState.closed),
      revise: row.updates && creates && row.status === inForce,
      repeal: row.updates && row.status === inForce,
      readers: row.managed && row.status !== draft,
      urge: row.updates && row.status === inForce,
      delete: row.deletes && row.status === draft && free('delete'),
    };
    return {
      ...row,
      approval: ticket ? { ...ticket, waits_for: ticket.participant_info.participant_alias } : null,
      read_rate: reading && done !== undefined ? Math.floor((done * 100) / reading.total) : null,
      actions: Object.keys(all).filter((name) => all[name]),
    };
  });
}
