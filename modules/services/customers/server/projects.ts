import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { Refusal } from '#kernel/contract/refusal.ts';
import { savepoint, type Db } from '#kernel/server/db/db.ts';
import { answerOf } from '#kernel/server/generic.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { nounHandlers, shownRow, type NounWork } from '#kernel/server/noun/handlers.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { names } from '#modules/platform/people/service/words.ts';
import { projects } from '../contract/projects.ts';
import { endsFirst, notOurs, taken } from '../contract/refusals.ts';
import { customersNamed, isSilent, projectsWithin, requireCustomer, requireProject } from '../service.ts';
import { contactTable, projectTable } from '../tables.ts';
import { maskedMobile } from './contacts.ts';
import { requireWorking } from './customers.ts';

const p = projectTable;
const page = 'customer/project';

/** Refuses contacts of another customer, and deleted ones. */
export async function requireContacts(tx: Db, customer: number, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return;
  const rows = await tx
    .select({ id: contactTable.id })
    .from(contactTable)
    .where(
      and(
        inArray(contactTable.id, [...ids]),
        eq(contactTable.customer_id, customer),
        eq(contactTable.is_deleted, false),
      ),
    );
  const there = new Set(rows.map((row) => row.id));
  const foreign = ids.filter((id) => !there.has(id));
  if (foreign.length > 0) throw notOurs('联系人', foreign);
}

const plain = nounHandlers(projects, {
  table: p,
  noun: '项目',
  select: {
    customer_name: sql<string>`(select w.name from customer w where w.id = "customer_project"."customer_id")`,
    manager_alias: sql<string>`(select u.alias from app_user u where u.id = "customer_project"."manager")`,
  },
  foundBy: (words) =>
    or(
      inArray(p.customer_id, customersNamed(words)),
      contains(p.url, words),
      names(words, (ids) => sql`${p.manager} in ${ids}`),
    ),
  order: { first: 'gmt_modified', descending: true },
  scope: (viewer, code) => projectsWithin(viewer, code, page),
  async check({ tx, user }, { row, before, sent }) {
    const manager = row.manager ?? user.id;
    if (before === null) {
      const reached = { code: 'Create', pages: [page], lock: 'key share' } as const;
      await requireCustomer(tx, user, row.customer_id, reached);
    }
    if (row.start_date && row.end_date && row.end_date < row.start_date) throw endsFirst(row.start_date, row.end_date);
    if (manager !== before?.manager) await requireWorking(tx, '项目负责人', [manager]);
    const added = (key: 'members' | 'alert_users' | 'alert_contacts') =>
      (sent[key] ?? []).filter((one) => !before?.[key].includes(one));
    await requireWorking(tx, '项目成员', added('members'));
    await requireWorking(tx, '告警通知人', added('alert_users'));
    await requireContacts(tx, row.customer_id, added('alert_contacts'));
    const search = searchVector({
      names: [row.name],
      codes: [row.code, row.contract_no],
      texts: [row.url, row.remark],
    });
    return { manager, search };
  },
  inUse: {
    位联系人: (id) => sql`select count(*) from ${contactTable} where project_id = ${id} and not is_deleted`,
  },
  unique: {
    customer_project_name: (row) => taken('该客户的项目名称', row.name),
    customer_project_code: (row) => taken('项目编号', row.code),
  },
});

export const projectsModule = implement('customers', projects, {
  ...plain,

  async get({ params: { id } }, work) {
    const { tx } = work;
    const row = await shownRow<typeof projects.list>(plain.list, '项目', id, work);
    const known = await peopleById(tx, [row.manager, ...row.members, ...row.alert_users]);
    const contacts = await tx
      .select({ id: contactTable.id, name: contactTable.name, mobile_masked: maskedMobile })
      .from(contactTable)
      .where(and(inArray(contactTable.id, row.alert_contacts), eq(contactTable.is_deleted, false)));
    const [heard] = await tx.select({ silent: isSilent }).from(p).where(eq(p.id, id));
    return { value: { ...row, people: [...known.values()], contacts, silent: heard!.silent } };
  },

  async smsSwitch({ params: { id }, body }, work) {
    const { tx, user } = work;
    const row = await requireProject(tx, user, id, { code: 'Update', pages: [page], lock: 'update' });
    const sms_switch = body.sms_switch ?? !row.sms_switch;
    await change(work, id, { sms_switch });
    return { sms_switch };
  },

  /** Each separately, in ascending order of id: one that is refused does not stop the others. */
  async batch({ body: { ids, set } }, work) {
    const { tx } = work;
    const value: { id: number; name: string; ok: boolean; msg: string }[] = [];
    for (const id of ids.toSorted((a, b) => a - b)) {
      const refused = await savepoint(tx, () => change(work, id, set)).then(
        () => '',
        (stop: unknown) => {
          if (!(stop instanceof Refusal)) throw stop;
          return stop.message;
        },
      );
      value.push({ id, name: '', ok: refused === '', msg: refused });
    }
    const rows = await tx
      .select({ id: p.id, name: p.name })
      .from(p)
      .where(and(inArray(p.id, ids), projectsWithin(work.user, 'Retrieve', page)));
    const names = new Map(rows.map((row) => [row.id, row.name]));
    return { value: value.map((one) => ({ ...one, name: names.get(one.id) ?? '' })) };
  },
});

const change = (work: NounWork, id: number, body: object) => answerOf(plain.change, { params: { id }, body }, work);
