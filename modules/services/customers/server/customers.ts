import { and, eq, inArray, or, sql, type SQL } from 'drizzle-orm';
import { scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { plainly } from '#kernel/contract/words/plainly.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { nounHandlers, shownRow } from '#kernel/server/noun/handlers.ts';
import { matches, searchVector } from '#kernel/server/list/search.ts';
import { contractSums, contractsWith, hasContracts } from '#modules/office/contracts/service.ts';
import { deptNamesById, peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { names } from '#modules/platform/people/service/words.ts';
import { customers } from '../contract/customers.ts';
import { deptBeyond, hasContracts as stillHasContracts, noDept, notWorking, taken } from '../contract/refusals.ts';
import { followAt, isDue } from '../jobs.ts';
import { customersWithin, projectsWithin, requireCustomer } from '../service.ts';
import { contactTable, customerTable, projectTable, visitTable } from '../tables.ts';

const c = customerTable;
const page = 'customer/list';
/** The pages whose scope counts the projects on a customer's page. */
const projectPages = [page, 'customer/project'] as const;
type Row = Omit<typeof c.$inferSelect, 'search'>;

export const customerSearch = (row: Pick<Row, 'name' | 'code' | 'credit_code' | 'industry' | 'address' | 'tags'>) =>
  searchVector({
    names: [row.name],
    codes: [row.code, row.credit_code],
    texts: [row.industry, row.address, ...row.tags],
  });

/** Refuses people who have left. */
export async function requireWorking(tx: Db, what: string, ids: readonly number[] = []): Promise<void> {
  if (ids.length === 0) return;
  const there = new Set(await workingAmong(tx, ids));
  const gone = ids.filter((id) => !there.has(id));
  if (gone.length > 0) throw notWorking(what, gone);
}

/** The department of a customer: the one sent, else its owner's. Refuses departments outside the user's scope. */
export async function deptFor(
  tx: Db,
  user: Viewer,
  { owner, dept_id, code }: { owner: number; dept_id?: number | null | undefined; code: 'Create' | 'Update' },
): Promise<number> {
  const dept = dept_id ?? (await peopleById(tx, [owner])).get(owner)?.dept_id ?? user.depts[0];
  if (dept === undefined) throw noDept();
  const scope = scopeOf(user, code, page);
  const known = (await deptNamesById(tx, [dept])).get(dept);
  const own = owner === user.id && user.depts.includes(dept);
  if (known === undefined || !(scope.all || scope.depts.has(dept) || own)) throw deptBeyond(known ?? `部门 ${dept}`);
  return dept;
}

const idle = sql<number>`(current_date - coalesce("customer"."last_contact_at", "customer"."gmt_created")::date)`;

const plain = nounHandlers(customers, {
  table: c,
  noun: '客户',
  select: { idle_days: idle, follow_at: followAt },
  foundBy: (words) => names(words, (ids) => sql`${c.owner} in ${ids}`),
  order: { first: 'gmt_modified', descending: true },
  scope: (viewer, code) => customersWithin(viewer, code, page),
  where: ({ tag, idle: days, due }, viewer) =>
    and(
      due ? and(isDue, eq(c.owner, viewer.id)) : undefined,
      tag ? sql`${c.tags} @> array[${tag}]::varchar[]` : undefined,
      days ? sql`${idle} > ${days}` : undefined,
    ),
  async shows(rows, { tx, user }) {
    const ids = rows.map((row) => row.id);
    const people = await peopleById(
      tx,
      rows.map((row) => row.owner),
    );
    const depts = await deptNamesById(
      tx,
      rows.map((row) => row.dept_id),
    );
    const counts = await tx
      .select({ id: projectTable.customer_id, count: sql<number>`count(*)::int` })
      .from(projectTable)
      .where(
        and(
          inArray(projectTable.customer_id, ids),
          eq(projectTable.is_deleted, false),
          projectsWithin(user, 'Retrieve', ...projectPages),
        ),
      )
      .groupBy(projectTable.customer_id);
    const projects = new Map(counts.map((one) => [one.id, one.count]));
    const sums = await contractSums(tx, user, rows);
    return (row) => ({
      owner_alias: people.get(row.owner)?.alias ?? '',
      dept_name: depts.get(row.dept_id) ?? '',
      project_count: projects.get(row.id) ?? 0,
      contract_amount: sums && (sums.get(row.id) ?? 0),
    });
  },
  async check({ tx, user }, { row, before, sent }) {
    const owner = row.owner ?? user.id;
    if (owner !== before?.owner) await requireWorking(tx, '负责人', [owner]);
    const moves = before === null || (sent.dept_id !== undefined && sent.dept_id !== before.dept_id);
    const code = before === null ? 'Create' : 'Update';
    const dept_id = moves ? await deptFor(tx, user, { owner, dept_id: sent.dept_id, code }) : before.dept_id;
    return { owner, dept_id, search: customerSearch(row) };
  },
  inUse: {
    个项目: (id) => sql`select count(*) from ${projectTable} where customer_id = ${id} and not is_deleted`,
    位联系人: (id) => sql`select count(*) from ${contactTable} where customer_id = ${id} and not is_deleted`,
  },
  async removing({ tx }, row) {
    if (await hasContracts(tx, row)) throw stillHasContracts(row.name);
  },
  unique: {
    customer_name: (row) => taken('客户名称', row.name),
    customer_code: (row) => taken('客户编号', row.code),
    customer_credit_code: (row) => taken('统一社会信用代码', row.credit_code),
  },
});

/** The name without the words that all company names share. */
const core = (name: SQL) =>
  sql`regexp_replace(${name}, '(股份有限公司|有限责任公司|集团有限公司|有限公司|集团|公司)$', '')`;
const mostSimilar = 8;
const mostOffered = 20;

export const customersModule = implement('customers', customers, {
  ...plain,

  async get({ params: { id } }, work) {
    const { tx, user } = work;
    const row = await shownRow<typeof customers.list>(plain.list, '客户', id, work);
    const stored = await requireCustomer(tx, user, id);
    const of = (table: typeof contactTable | typeof visitTable) => sql`${table.customer_id} = ${id}`;
    return {
      value: {
        ...row,
        owner_info: (await peopleById(tx, [row.owner])).get(row.owner) ?? null,
        contact_count: await tx.$count(contactTable, and(of(contactTable), eq(contactTable.is_deleted, false))),
        visit_count: await tx.$count(visitTable, of(visitTable)),
        contracts: await contractsWith(tx, user, stored),
      },
    };
  },

  simple: ({ query: { search_value: words } }, { tx, user }) =>
    tx
      .select({ id: c.id, name: c.name, credit_code: c.credit_code })
      .from(c)
      .where(
        and(
          eq(c.is_deleted, false),
          customersWithin(user, 'Retrieve', ...projectPages, 'customer/contact'),
          matches(c.search, words),
        ),
      )
      .orderBy(sql`${c.gmt_modified} desc`, c.id)
      .limit(mostOffered),

  async similar({ query: { name, credit_code } }, { tx, user }) {
    if (name.length < 2 && credit_code === '') return [];
    const typed = sql`${plainly(name)}::text`;
    const [shorter, stored] = [core(typed), core(sql`${c.plain_name}`)];
    const same = sql<boolean>`(${c.plain_name} = ${typed} or (${credit_code} <> '' and ${c.credit_code} = ${credit_code}))`;
    const alike = sql`((length(${shorter}) >= 2 and strpos(${c.plain_name}, ${shorter}) > 0)
      or (length(${stored}) >= 3 and strpos(${typed}, ${stored}) > 0))`;
    return tx
      .select({
        id: sql<number | null>`case when ${customersWithin(user)} then ${c.id} end`,
        name: c.name,
        dept_name: sql<string>`coalesce((select d.name from dept d where d.id = "customer"."dept_id"), '')`,
        same,
      })
      .from(c)
      .where(and(eq(c.is_deleted, false), or(same, name === '' ? undefined : alike)))
      .orderBy(sql`${same} desc`, c.name)
      .limit(mostSimilar);
  },
});
