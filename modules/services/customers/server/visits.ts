import { cutTo } from '#kernel/contract/words/cut.ts';
import { and, eq, inArray, or, sql } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { names } from '#modules/platform/people/service/words.ts';
import { nextBefore, notYourVisit, stands, toCome } from '../contract/refusals.ts';
import { visits } from '../contract/visits.ts';
import { customersNamed, customersWithin, requireCustomer } from '../service.ts';
import { contactTable, customerTable, visitTable } from '../tables.ts';
import { requireContacts } from './projects.ts';

const t = visitTable;
const page = 'customer/list';

/** Visits and calls of the customers a user sees; the author may correct one for a day. */
export const visitsModule = implement(
  'customers',
  visits,
  nounHandlers(visits, {
    table: t,
    noun: '跟进记录',
    title: (row) => cutTo(row.content, 60),
    search: [t.content],
    foundBy: (words) =>
      or(
        inArray(t.customer_id, customersNamed(words)),
        sql`${t.contact_id} in (select ${contactTable.id} from ${contactTable} where ${contains(contactTable.name, words)})`,
        names(words, (ids) => sql`${t.creator_id} in ${ids}`),
      ),
    select: {
      customer_name: sql<string>`(select w.name from customer w where w.id = "customer_visit"."customer_id")`,
      contact_name: sql<string>`coalesce((select w.name from customer_contact w where w.id = "customer_visit"."contact_id"), '')`,
      creator_alias: sql<string>`(select u.alias from app_user u where u.id = "customer_visit"."creator_id")`,
      fresh: sql<boolean>`("customer_visit"."gmt_created" > now() - interval '24 hours')`,
    },
    order: { descending: true },
    scope: (viewer) =>
      inArray(
        t.customer_id,
        sql`(select id from ${customerTable} where ${and(eq(customerTable.is_deleted, false), customersWithin(viewer, 'Retrieve', page))})`,
      ),
    refuses(row, viewer) {
      if (row.creator_id !== viewer.id) return notYourVisit();
      return row.fresh ? null : stands();
    },
    async check({ tx, user, now }, { row, before }) {
      if (before === null) {
        const reached = { code: 'Update', pages: [page], lock: 'key share' } as const;
        await requireCustomer(tx, user, row.customer_id, reached);
      }
      if (momentOf(row.visited_at) > now) throw toCome(row.visited_at.slice(0, 16));
      if (row.next_date && row.next_date < row.visited_at.slice(0, 10))
        throw nextBefore(row.next_date, row.visited_at.slice(0, 10));
      if (row.contact_id && row.contact_id !== before?.contact_id)
        await requireContacts(tx, row.customer_id, [row.contact_id]);
    },
  }),
);
