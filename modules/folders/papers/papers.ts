import { and, desc, eq, sql, type SQL } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { fileCards, type Signer } from '#modules/files/service.ts';
import { peopleById } from '#modules/people/service.ts';
import type { folders } from '../contract.ts';
import { paperStatus, type PaperDetail, type PaperVersion } from '../contract/rows.ts';
import { flowOf, isApproved } from './approving.ts';
import { belowCategory } from '../categories/categories.ts';
import { paperRows, selectPapers, toConfirm } from './paper-rows.ts';
import { managedBy, opens, visibleTo, type PaperViewer } from '../categories/visibility.ts';
import { noteMiss } from '../reading/misses.ts';
import { outdatedIn } from './cited.ts';
import { collectTable, paperFileTable, paperScopeTable, paperTable } from '../tables.ts';

/** What stands before the year of an issue number, and the year. */
export const fwhPrefix = sql<string>`trim(substring(${paperTable.fwh} from '^[^〔\\[［（(【0-9]*'))`;
export const fwhYear = sql<number | null>`substring(${paperTable.fwh} from '(19\\d\\d|2\\d\\d\\d)')::int`;

export async function listPapers(
  query: QueryOf<typeof folders.papers>,
  { tx, user, mark }: Pick<Context, 'tx' | 'mark'> & { user: PaperViewer },
) {
  const given = <T>(value: T | undefined, condition: (value: T) => SQL) =>
    value === undefined ? undefined : condition(value);
  const select = selectPapers(tx, user).where(
    and(
      query.managed ? managedBy(user, 'Retrieve') : visibleTo(user),
      matches(paperTable.search, query.search_value),
      given(query.category, (id) => sql`${paperTable.category_id} in (${belowCategory(id)})`),
      given(query.dept, (id) => eq(paperTable.dept_id, id)),
      given(query.fwh || undefined, (start) => sql`starts_with(${paperTable.fwh}, ${start})`),
      given(query.year, (year) => sql`${fwhYear} = ${year}`),
      given(query.status, (status) => eq(paperTable.status, status)),
      given(query.must_read, (must) => eq(paperTable.must_read, must)),
      given(query.collected, (is) => (is ? sql`${collectTable.id} is not null` : sql`${collectTable.id} is null`)),
      query.to_confirm ? toConfirm(user) : undefined,
    ),
  );
  const found = await pageOf(tx, query, select.$dynamic(), {
    by: {
      publish_date: paperTable.publish_date,
      title: paperTable.title,
      read_count: paperTable.read_count,
      gmt_modified: paperTable.gmt_modified,
      read_deadline: paperTable.read_deadline,
    },
    first: 'publish_date',
    descending: true,
    tie: paperTable.id,
  });
  if (found.total === 0 && isPlainSearch(query)) mark((writing) => noteMiss(writing, query.search_value));
  return { ...found, value: await paperRows(tx, user, found.value, query.managed && !query.export) };
}

/** A word looked for among all papers in force: what stands in the way is not a filter. */
const isPlainSearch = ({ search_value, ...query }: QueryOf<typeof folders.papers>) =>
  search_value.length > 1 &&
  !query.aside &&
  !query.managed &&
  !query.export &&
  (query.status ?? paperStatus.inForce) === paperStatus.inForce &&
  [query.category, query.dept, query.fwh, query.year, query.must_read, query.to_confirm, query.collected].every(
    (filter) => filter === undefined || filter === '',
  );

/** One paper with its files and those of its versions that the person sees. */
export async function paperDetail(tx: Db, user: PaperViewer, id: number, signer: Signer): Promise<PaperDetail> {
  if (!(await opens(tx, user, id))) throw absent('该文件');
  const [found] = await selectPapers(tx, user).where(eq(paperTable.id, id));
  const [row] = await paperRows(tx, user, found ? [found] : []);
  const [stored] = await tx.select().from(paperTable).where(eq(paperTable.id, id));
  if (!found || !row || !stored) throw absent('该文件');
  const files = await tx
    .select()
    .from(paperFileTable)
    .where(eq(paperFileTable.paper_id, id))
    .orderBy(paperFileTable.order_id);
  const cards = await fileCards(
    tx,
    signer,
    files.map((file) => file.file_id),
    user,
  );
  const body = files.find((file) => file.is_body)?.file_id ?? null;
  const attachments = files.filter((file) => !file.is_body).map((file) => file.file_id);
  const versions = await versionsOf(tx, user, id);
  return {
    ...row,
    creator_info: (await peopleById(tx, [stored.creator_id])).get(stored.creator_id) ?? null,
    content: stored.content,
    file: body,
    file_info: (body !== null && cards.get(body)) || null,
    attachments,
    attachments_info: attachments.flatMap((file) => cards.get(file) ?? []),
    scope: found.managed ? await scopeOfPaper(tx, id, stored.scope_all) : null,
    quiz: stored.quiz.map((one) => ({ ...one, answer: found.managed ? one.answer : null })),
    outdated: (await outdatedIn(tx, user, stored.content)).filter(
      (one) => !versions.some(({ id: own }) => own === one.id),
    ),
    ticket_id: stored.ticket_id,
    approved: await isApproved(tx, stored),
    needs_approval: stored.status === paperStatus.draft && (await flowOf(tx, stored)) !== null,
    source_document_id: found.managed ? stored.source_document_id : null,
    repeal_reason: stored.repeal_reason,
    repeal_date: stored.repeal_date,
    replace_id: versions.some((one) => one.id === stored.replace_id) ? stored.replace_id : null,
    versions,
  };
}

/** The chain a paper belongs to, down to the first and up to the newest, as far as the person sees it. */
function versionsOf(tx: Db, user: PaperViewer, id: number): Promise<PaperVersion[]> {
  const chain = sql`
    with recursive older as (
      select id, replace_id from folder_paper where id = ${id}
      union select p.id, p.replace_id from folder_paper p join older on p.id = older.replace_id),
    newer as (
      select id from folder_paper where id = ${id}
      union select p.id from folder_paper p join newer on p.replace_id = newer.id)
    select id from older union select id from newer`;
  return tx
    .select({
      id: paperTable.id,
      title: paperTable.title,
      fwh: paperTable.fwh,
      version_no: paperTable.version_no,
      status: paperTable.status,
      publish_date: paperTable.publish_date,
    })
    .from(paperTable)
    .where(and(sql`${paperTable.id} in (${chain})`, visibleTo(user)))
    .orderBy(desc(paperTable.version_no), desc(paperTable.id));
}

async function scopeOfPaper(tx: Db, id: number, all: boolean): Promise<NonNullable<PaperDetail['scope']>> {
  const rows = await tx.select().from(paperScopeTable).where(eq(paperScopeTable.paper_id, id));
  const users = rows.flatMap((row) => row.user_id ?? []);
  return {
    all,
    depts: rows.flatMap((row) => row.dept_id ?? []),
    roles: rows.flatMap((row) => row.role_id ?? []),
    users,
    users_info: [...(await peopleById(tx, users)).values()],
  };
}
