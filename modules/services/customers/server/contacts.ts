import { and, eq, inArray, ne, or, sql } from 'drizzle-orm';
import { absent, tooMany } from '#kernel/contract/refusal.ts';
import { implement, staged } from '#kernel/server/http/implement.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { numbersADay } from '../contract/codes.ts';
import { contacts } from '../contract/contacts.ts';
import { mobileTaken, noMobile, notOurs, unreachable } from '../contract/refusals.ts';
import { customersNamed, customersWithin, projectsNamed, requireCustomer } from '../service.ts';
import { contactTable, customerTable, projectTable } from '../tables.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { PermissionCode } from '#kernel/contract/call.ts';

const t = contactTable;
const page = 'customer/contact';
const whole = /^1[3-9]\d{9}$/;

/** The masked number that everybody sees. */
export const maskedMobile = sql<string>`coalesce('*******' || "customer_contact"."mobile_tail", '')`;
/** The search key of a full number: a keyed hash that cannot be read back. */
const foundBy = (box: SecretBox, mobile: string) => box.keyedHash(mobile).slice(0, 24);
export const sealedMobile = (box: SecretBox, mobile: string) =>
  mobile === ''
    ? { mobile: null, mobile_mark: null, mobile_tail: null }
    : { mobile: box.seal(mobile), mobile_mark: box.keyedHash(mobile), mobile_tail: mobile.slice(-4) };
export const contactSearch = (
  row: { name: string; post: string; dept: string; phone: string } & ReturnType<typeof sealedMobile>,
) =>
  searchVector({
    names: [row.name],
    texts: [row.post, row.dept],
    codes: [row.phone, row.mobile_tail, row.mobile_mark?.slice(0, 24)],
  });

/** Contacts of customers that a permission of the page reaches. */
const within = (viewer: Viewer, code: PermissionCode) =>
  sql`${t.customer_id} in (select id from ${customerTable} where not is_deleted and ${customersWithin(viewer, code, page)})`;

const plain = nounHandlers(contacts, {
  table: t,
  noun: '联系人',
  select: {
    mobile_masked: maskedMobile,
    customer_name: sql<string>`(select w.name from customer w where w.id = "customer_contact"."customer_id")`,
    project_name: sql<string>`coalesce((select w.name from customer_project w where w.id = "customer_contact"."project_id"), '')`,
  },
  foundBy: (words) => or(inArray(t.customer_id, customersNamed(words)), inArray(t.project_id, projectsNamed(words))),
  order: { first: 'gmt_modified', descending: true },
  scope: within,
  offers: (row) => (row.mobile_masked === '' ? [] : ['phone']),
  async check({ tx, user }, { row, before, sent }) {
    const { secretBox } = tx.services;
    if (before === null) {
      const reached = { code: 'Create', pages: [page], lock: 'key share' } as const;
      await requireCustomer(tx, user, row.customer_id, reached);
    }
    const { mobile, mobile_mark, mobile_tail } =
      sent.mobile === undefined && before ? before : sealedMobile(secretBox, sent.mobile ?? '');
    if (mobile === null && !row.phone) throw unreachable(row.name);
    if (row.project_id && row.project_id !== before?.project_id) {
      const of = and(eq(projectTable.id, row.project_id), eq(projectTable.customer_id, row.customer_id));
      if ((await tx.$count(projectTable, and(of, eq(projectTable.is_deleted, false)))) === 0)
        throw notOurs('项目', [row.project_id]);
    }
    if (row.is_primary && !before?.is_primary) {
      // Locked, so that of two concurrent changes the later one takes the mark from the earlier.
      await tx
        .select({ id: customerTable.id })
        .from(customerTable)
        .where(eq(customerTable.id, row.customer_id))
        .for('no key update');
      await tx
        .update(t)
        .set({ is_primary: false })
        .where(and(eq(t.customer_id, row.customer_id), eq(t.is_primary, true), ne(t.id, before?.id ?? 0)));
    }
    const sealed = { mobile, mobile_mark, mobile_tail } as ReturnType<typeof sealedMobile>;
    return { ...sealed, search: contactSearch({ ...row, ...sealed }) };
  },
  unique: {
    customer_contact_mobile: (row) => mobileTaken(row.name),
  },
  facts: (row) => ({ 手机: row.mobile_tail ? `*******${row.mobile_tail}` : '' }),
});

const aDay = { kind: 'contact_number', limit: numbersADay, seconds: 24 * 3600 };

export const contactsModule = implement('customers', contacts, {
  ...plain,

  /** A full number finds its contact; its last four digits may find several. */
  list(input, work) {
    const typed = input.query.search_value;
    const search_value = whole.test(typed) ? foundBy(work.services.secretBox, typed) : typed;
    return plain.list({ ...input, query: { ...input.query, search_value } }, work);
  },

  /** Counted before the lookup, so that a refused try costs as much as a successful one. */
  phone: staged(contacts.phone, {
    async before(_input, { user, services }) {
      const tries = await services.attempts.hit(aDay, String(user.id));
      if (tries.exceeded) throw tooMany('查看联系人手机号', tries.retryAfter);
    },
    async run({ params: { id } }, { tx, user, audit }) {
      const mine = and(eq(t.id, id), eq(t.is_deleted, false), within(user, 'Retrieve'));
      const [row] = await tx.select({ name: t.name, mobile: t.mobile }).from(t).where(mine);
      if (!row) throw absent('该联系人');
      if (row.mobile === null) throw noMobile(row.name);
      audit({ type: '联系人手机号', id, title: row.name });
      return { mobile: tx.services.secretBox.open(row.mobile) };
    },
  }),
});
