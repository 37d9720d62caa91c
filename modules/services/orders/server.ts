import { and, sql } from 'drizzle-orm';
import { qrAddress } from '#kernel/server/text/qr-code.ts';
import { tooMany } from '#kernel/contract/refusal.ts';
import type { Limit } from '#kernel/server/access/attempts.ts';
import type { Services } from '#kernel/server/services.ts';
import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { orders as calls } from './contract/orders.ts';
import { assets, categories } from './contract/settings.ts';
import { labels } from './contract/visitors.ts';
import { orderStatistics } from './contract/statistics.ts';
import { act, allowedOn, assignMany, openFor } from './record/acts.ts';
import { change, changeByAddress, comment, merge, visit } from './record/ends.ts';
import { candidates } from './record/handlers.ts';
import { counts, detail, ledger, ledgerRows, listed, similar } from './record/reading.ts';
import { module, orders } from './record/record.ts';
import { requireAction } from './record/rights.ts';
import { register, report } from './record/write.ts';
import { assetHandlers, categoryHandlers, labelled, labelSheet } from './settings.ts';
import { statistics } from './statistics.ts';
import { orderMaterialTable as m } from './tables.ts';
import { visitorModule } from './visitors/visitors.ts';

export function orderModules(services: Services): ServerModule[] {
  return [
    implement(module, calls, {
      list: listed,
      create: ({ body }, context) => report(context, body),
      get: async ({ params }, context) => ({ value: await detail(context, params.id) }),
      act: ({ params, body }, context) => act(context, params.id, body),
      async slip({ params }, { tx, user }) {
        await orders.requireVisible(tx, await orders.viewerOf(tx, user), params.id);
        const page = `${tx.services.publicUrl() ?? ''}/order/detail/${params.id}`;
        return { image: await qrAddress(page, { errorCorrectionLevel: 'M', margin: 0, width: 260 }) };
      },
      assignMany: ({ body }, context) => assignMany(context, body),
      async remove({ params }, context) {
        const row = await openFor(context, params.id);
        requireAction(row, await allowedOn(context, row), 'delete');
        return orders.remove(context, row);
      },
      comment: ({ params, body }, context) => comment(context, params.id, body),
      state: ({ params, query }, context) => changeByAddress(context, params.id, query),
      statePost: ({ params, body }, context) => change(context, params.id, body),
      statePut: ({ params, body }, context) => change(context, params.id, body),
      register: ({ body }, context) => register(context, body),
      count: (_input, context) => counts(context),
      handlers: async ({ params }, { tx, user }) => ({
        value: await candidates(tx, await orders.requireVisible(tx, await orders.viewerOf(tx, user), params.id)),
      }),
      similar,
      merge: ({ params, body }, context) => merge(context, params.id, body),
      visit: ({ params, body }, context) => visit(context, params.id, body.words),
      materials: ({ query }, { tx }) =>
        pageOf(
          tx,
          query,
          ledgerRows(tx)
            .where(
              and(
                within(query),
                saysOrShows(
                  query.search_value,
                  (word) => contains(ledgerWords, word),
                  (ids) => sql`${m.user_id} in ${ids}`,
                ),
              ),
            )
            .$dynamic(),
          {
            by: { gmt_created: m.gmt_created, amount: m.amount },
            first: 'gmt_created',
            descending: true,
            tie: m.id,
          },
        ),
    }),
    implement(module, categories, categoryHandlers),
    implement(module, assets, {
      ...assetHandlers,
      labels: staged(assets.labels, {
        before: async ({ query }, { read, user }) => (await labelSheet(read, query.ids, user.id))(),
        run: ({ prepared }) => ({ type: 'application/pdf', bytes: prepared, size: prepared.length }),
      }),
    }),
    visitorModule(services),
    implement(module, { statistics: orderStatistics.call }, { statistics }),
    implement(module, labels, {
      label: staged(labels.label, {
        before: async (_input, { origin, services: { attempts } }) => {
          const tries = await attempts.hit(scanning, origin.ip);
          if (tries.exceeded) throw tooMany('扫码', tries.retryAfter);
        },
        run: async ({ params }, { tx }) => ({ value: await labelled(tx, params.code) }),
      }),
    }),
  ];
}
/** By address: codes cannot be guessed, but a lookup is expensive. */
const scanning: Limit = { kind: 'order label', limit: 60, seconds: 60 };
/** The searchable words of a row in the ledger of materials: the material, the order and its place. */
const ledgerWords = sql`concat_ws(' ', ${ledger.name}, ${ledger.spec}, ${ledger.sn}, ${ledger.place})`;
const within = ({ start, end }: { start?: string | undefined; end?: string | undefined }) =>
  sql`${start ? sql`${m.gmt_created} >= ${start}` : sql`true`} and ${end ? sql`${m.gmt_created} < ${end}::date + 1` : sql`true`}`;
