import { and, asc, eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context, Handler } from '#kernel/server/http/implement.ts';
import { projectTable, requireCustomer } from '#modules/services/customers/service.ts';
import { newCode } from '#modules/platform/verification/service.ts';
import { notOnPage, pageClosed } from '../contract/refusals.ts';
import type { reportCalls } from '../contract/reports.ts';
import { monitorTable, statusPageTable } from '../tables.ts';

const t = statusPageTable;
type Pages = Pick<typeof reportCalls, 'statusPage' | 'openStatus' | 'changeStatus' | 'closeStatus'>;

const watched = (tx: Db, customer: number) =>
  tx
    .select({ id: projectTable.id, name: projectTable.name })
    .from(projectTable)
    .innerJoin(monitorTable, eq(monitorTable.project_id, projectTable.id))
    .where(and(eq(projectTable.customer_id, customer), eq(projectTable.is_deleted, false)))
    .orderBy(asc(projectTable.name))
    .limit(100);
const urlOf = ({ publicUrl }: Context['services'], code: string) => `${publicUrl() ?? ''}/api/test/status/${code}/`;

/** Refuses projects of other customers and unmonitored ones; otherwise returns their names. */
async function named(tx: Db, customer: number, ids: readonly number[]): Promise<string> {
  const known = new Map((await watched(tx, customer)).map(({ id, name }) => [id, name]));
  const foreign = ids.filter((id) => !known.has(id));
  if (foreign.length > 0) throw notOnPage(foreign);
  return ids.map((id) => known.get(id)).join('、');
}

/** The public page of a customer, for people with its address: closed by default, and limited to the chosen projects. */
export const statusPageHandlers: { [K in keyof Pages]: Handler<Pages[K]> } = {
  async statusPage({ params: { id } }, { tx, user, services }) {
    await requireCustomer(tx, user, id, { code: 'Update' });
    const [row] = await tx.select().from(t).where(eq(t.customer_id, id));
    const value = row
      ? { url: urlOf(services, services.secretBox.open(row.sealed)), project_ids: row.project_ids }
      : null;
    return { value, projects: await watched(tx, id) };
  },

  async openStatus({ params: { id }, body: { project_ids } }, { tx, user, services, audit }) {
    const { name } = await requireCustomer(tx, user, id, { code: 'Update', lock: 'no key update' });
    const code = newCode();
    const { keyedHash, seal } = services.secretBox;
    const shown = project_ids && { project_ids };
    const names = await named(tx, id, project_ids ?? []);
    const renewed = (await tx.$count(t, eq(t.customer_id, id))) > 0;
    const set = { mark: keyedHash(code), sealed: seal(code), ...shown };
    await tx
      .insert(t)
      .values({ customer_id: id, ...set })
      .onConflictDoUpdate({ target: t.customer_id, set });
    audit({ type: '状态页', id, title: name, after: { 状态页: '已开放', ...(shown ? { 公开的项目: names } : {}) } });
    return { url: urlOf(services, code), renewed };
  },

  async changeStatus({ params: { id }, body: { project_ids } }, { tx, user, audit }) {
    const { name } = await requireCustomer(tx, user, id, { code: 'Update' });
    const names = await named(tx, id, project_ids);
    const done = await tx.update(t).set({ project_ids }).where(eq(t.customer_id, id)).returning({ id: t.customer_id });
    if (done.length === 0) throw pageClosed();
    audit({ type: '状态页', id, title: name, after: { 公开的项目: names } });
    return { id };
  },

  async closeStatus({ params: { id } }, { tx, user, audit }) {
    const { name } = await requireCustomer(tx, user, id, { code: 'Update' });
    await tx.delete(t).where(sql`${t.customer_id} = ${id}`);
    audit({ type: '状态页', id, title: name, after: { 状态页: '已关闭' } });
    return { id };
  },
};
