import { and, eq, sql } from 'drizzle-orm';
import { dayOf, momentText } from '#kernel/contract/moment.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import type { Context, Handler } from '#kernel/server/http/implement.ts';
import { requireCustomer } from '#modules/services/customers/service.ts';
import { contractPdf } from '#modules/platform/typesetting/service.ts';
import { monthNotOver, neverLooked, reportStands } from '../contract/refusals.ts';
import { reportState } from '../contract/reports.ts';
import { monitorRules } from '../contract/rules.ts';
import type { reportCalls, ServiceReport } from '../contract/reports.ts';
import { reportTable } from '../tables.ts';
import { monthOf, monthsOf } from './figures.ts';
import { paperOf } from './paper.ts';

const t = reportTable;
const page = 'customer/list';
type Reports = Pick<typeof reportCalls, 'report' | 'confirmReport' | 'reportPdf'>;

/** A month's report: the confirmed version, else the present figures. */
async function reportFor(
  { tx, services }: Pick<Context, 'tx' | 'services'>,
  customer: { id: number; name: string },
  month: string,
) {
  const [kept] = await tx
    .select({
      state: t.state,
      note: t.note,
      version: t.version,
      said: t.said,
      confirmed_at: t.confirmed_at,
      confirmed_alias: sql<string | null>`(select alias from app_user where id = ${t.confirmed_by})`,
    })
    .from(t)
    .where(and(eq(t.customer_id, customer.id), eq(t.month, month)));
  const { said = null, ...row } = kept ?? {
    state: reportState.draft,
    note: '',
    version: 0,
    confirmed_at: null,
    confirmed_alias: null,
  };
  const value: ServiceReport | null =
    said ?? (await monthOf(tx, customer, month, await services.settings.of(monitorRules)));
  return value && { ...value, ...row };
}

async function mayConfirm(tx: Db, user: Viewer, id: number): Promise<boolean> {
  if (!holds(user, 'Update', page)) return false;
  return requireCustomer(tx, user, id, { code: 'Update' }).then(
    () => true,
    () => false,
  );
}

export const serviceReportHandlers: { [K in keyof Reports]: Handler<Reports[K]> } = {
  async report({ params: { id }, query }, work) {
    const { tx, user, now } = work;
    const customer = await requireCustomer(tx, user, id);
    const months = await monthsOf(tx, id);
    const current = dayOf(now).slice(0, 7);
    const month = query.month ?? (months.find((one) => one.month < current) ?? months[0])?.month;
    if (!month) return { value: null, months };
    const report = await reportFor(work, customer, month);
    if (!report) throw neverLooked(month);
    const open = report.state === reportState.draft && month < current && (await mayConfirm(tx, user, id));
    return { value: { ...report, actions: open ? ['confirm'] : [] }, months };
  },

  async confirmReport({ params: { id }, body: { month, note, version } }, work) {
    const { tx, user, now, audit } = work;
    const customer = await requireCustomer(tx, user, id, { code: 'Update', lock: 'key share' });
    if (month >= dayOf(now).slice(0, 7)) throw monthNotOver(month);
    await tx.insert(t).values({ customer_id: id, month }).onConflictDoNothing();
    const mine = and(eq(t.customer_id, id), eq(t.month, month));
    const [before] = await tx.select().from(t).where(mine).for('update');
    if (before!.state === reportState.confirmed) throw reportStands(month);
    checkVersion('服务月报', before!, version, before!);
    const said = await monthOf(tx, customer, month, await work.services.settings.of(monitorRules));
    if (!said) throw neverLooked(month);
    await tx
      .update(t)
      .set({
        state: reportState.confirmed,
        note,
        said,
        confirmed_by: user.id,
        confirmed_at: momentText(now),
        version: before!.version + 1,
      })
      .where(mine);
    audit({
      type: '服务月报',
      id,
      title: `${customer.name} ${month}`,
      after: { 服务说明: note, 可用率: said.all.uptime },
    });
    return { id };
  },

  async reportPdf({ params: { id }, query: { month } }, work) {
    const customer = await requireCustomer(work.tx, work.user, id);
    const report = await reportFor(work, customer, month);
    if (!report) throw neverLooked(month);
    const { note, confirmed_alias: alias, confirmed_at: at } = report;
    const bytes = await contractPdf(
      paperOf(report, { note, confirmed: alias && at ? { alias, at } : null }),
      work.user.id,
    );
    return { type: 'application/pdf', bytes, size: bytes.length };
  },
};
