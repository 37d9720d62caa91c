import { randomUUID } from 'node:crypto';
import { and, asc, eq, getTableColumns, gte, inArray, sql, type SQL } from 'drizzle-orm';
import { z } from 'zod';
import { absent } from '#kernel/contract/refusal.ts';
import { phone } from '#kernel/contract/shapes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import { saveRules } from '#kernel/server/rules/rules.ts';
import { maskPhones } from '#kernel/server/text/mask-phones.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { matches } from '#kernel/server/list/search.ts';
import { searchedPageOf } from '#kernel/server/list/search-page.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { quietRules } from '#modules/platform/settings/contract/quiet.ts';
import { membersOf, peopleById } from '#modules/platform/people/service.ts';
import { namesSomebody, saysOrShows } from '#modules/platform/people/service/words.ts';
import {
  channels,
  deliveries,
  deliveryStates,
  notQuiet,
  notResendable,
  notTarget,
  resentElsewhere,
  stuckMinutes,
  superOnly,
} from './contract.ts';
import { maskAnswer, maskTarget } from './mask.ts';
import { callBackAll, enqueueDeliveries, post } from './service.ts';
import { deliveryTable, deliveryTryTable } from './tables.ts';

const page = 'system/delivery';
const stuck = sql<boolean>`(${inArray(deliveryTable.state, ['waiting', 'retrying'])}
  and ${deliveryTable.due_at} < now() - make_interval(mins => ${stuckMinutes}))`;

/** The deliveries that say what was typed, or go to whom it names. An index gives either; `or` would read all of them. */
const saysOrReaches = (typed: string): SQL | undefined =>
  saysOrShows(
    typed,
    () => undefined,
    (ids, word) =>
      sql`${deliveryTable.id} in (select ${deliveryTable.id} from ${deliveryTable} where ${matches(deliveryTable.search, word)}
        union select ${deliveryTable.id} from ${deliveryTable} where ${deliveryTable.user_id} in ${ids})`,
  );

export interface DeliveriesServices {
  /** Sends a test by text message to a number; answers the delivery's id. */
  textTest(tx: Db, mobile: string): Promise<number>;
}

export const deliveriesModule = ({ textTest }: DeliveriesServices): ServerModule =>
  implement('deliveries', deliveries, {
    async test({ body: { channel, target } }, { tx, user, audit }) {
      if (!user.superAdmin) throw superOnly();
      if (channel === 'mail' && !z.email().safeParse(target).success) throw notTarget(target, '邮箱地址');
      if (channel === 'sms' && !phone.safeParse(target).success) throw notTarget(target, '手机号');
      const body = { text: '这是工单系统发出的测试邮件，收到即表示邮件服务器设置正确。' };
      const payload = {
        channel: 'mail',
        target,
        title: '测试邮件',
        body,
        key: `test:${randomUUID()}`,
        userId: user.id,
      } as const;
      const id = channel === 'sms' ? await textTest(tx, target) : (await post(tx, [payload]))[0]!;
      audit({ type: '投递', id, title: `测试${channels[channel]}` });
      return { id };
    },

    list: async ({ query }, { tx, user }) => {
      const where = and(
        await visible(tx, user, 'Retrieve'),
        query.channel ? eq(deliveryTable.channel, query.channel) : undefined,
        query.state ? eq(deliveryTable.state, query.state) : undefined,
        query.stuck ? stuck : undefined,
        query.created_from ? gte(deliveryTable.gmt_created, query.created_from) : undefined,
        query.created_to ? sql`${deliveryTable.gmt_created} < ${query.created_to}::date + 1` : undefined,
      );
      const { search, ...row } = getTableColumns(deliveryTable);
      const select = (found: SQL | undefined) =>
        tx.select({ row, stuck }).from(deliveryTable).where(and(where, found)).$dynamic();
      const asked = { column: search, value: query.search_value };
      const order = {
        by: { id: deliveryTable.id, due_at: deliveryTable.due_at },
        first: 'id',
        descending: true,
        tie: deliveryTable.id,
      };
      const found = (await namesSomebody(tx, query.search_value))
        ? await pageOf(tx, query, select(saysOrReaches(query.search_value)), order)
        : await searchedPageOf(tx, query, asked, select, { ...order, along: { id: sql`true` } });
      const tries = await triesOf(
        tx,
        found.value.map(({ row }) => row.id),
      );
      const people = await peopleById(
        tx,
        found.value.flatMap(({ row }) => row.user_id ?? []),
      );
      const may = holds(user, 'chuli', page);
      return {
        ...found,
        value: found.value.map(({ row, stuck }) => ({
          ...row,
          target: maskTarget(row.channel, row.target),
          title: maskPhones(row.title),
          answer: maskAnswer(row.answer),
          object_id: row.object_id,
          user_name: row.user_id === null ? null : (people.get(row.user_id)?.alias ?? null),
          stuck,
          due_at: row.due_at,
          sent_at: row.sent_at,
          provider_id: row.provider_id,
          gmt_created: row.gmt_created,
          log: tries.get(row.id) ?? [],
          actions: may && isResendable(row, stuck) ? ['resend'] : [],
        })),
      };
    },

    async letOut(_input, { tx, audit, services }) {
      if (!(await services.settings.of(quietRules)).since) throw notQuiet();
      // Messages that arose while sending was suspended are not sent afterwards.
      await callBackAll(tx);
      await saveRules(tx, quietRules, { since: '' }, audit);
      return {};
    },

    async resend({ params }, { tx, user, audit }) {
      const where = and(eq(deliveryTable.id, params.id), await visible(tx, user, 'chuli'));
      const [found] = await tx.select({ before: deliveryTable, stuck }).from(deliveryTable).where(where).for('update');
      if (!found) throw absent('这条投递');
      const { before } = found;
      if (!isResendable(before, found.stuck))
        throw before.state === 'waiting' ? notResendable(before.title) : resentElsewhere(maskPhones(before.title));
      await tx
        .update(deliveryTable)
        .set({ state: 'waiting', failures: 0, due_at: sql`now()`, gmt_modified: sql`now()` })
        .where(eq(deliveryTable.id, before.id));
      await enqueueDeliveries(tx, [{ id: before.id, channel: before.channel }]);
      audit({
        type: '投递',
        id: before.id,
        title: `${channels[before.channel]} ${maskPhones(before.title)}`,
        before: { 状态: deliveryStates[before.state] },
        after: { 状态: deliveryStates.waiting },
      });
      return { id: before.id };
    },
  });

/**
 * True for deliveries that do not wait, or wait in vain. An ended text message is resent by the text message module, which checks quota, quiet hours
 * and consent and makes a new delivery; this one must not be sent a second time.
 */
function isResendable(
  { channel, state }: Pick<typeof deliveryTable.$inferSelect, 'channel' | 'state'>,
  isStuck: boolean,
): boolean {
  if (state === 'waiting') return isStuck;
  return state === 'retrying' || channel !== 'sms';
}

/** Deliveries to people within the scope, and to the viewer; those without a recipient only with a full scope. */
async function visible(tx: Db, user: Viewer, code: PermissionCode): Promise<SQL | undefined> {
  const scope = scopeOf(user, code, page);
  if (scope.all) return undefined;
  const members = await membersOf(tx, [...scope.depts]);
  return inArray(deliveryTable.user_id, [user.id, ...members.map((member) => member.id)]);
}

async function triesOf(tx: Db, ids: readonly number[]) {
  const rows = await tx
    .select()
    .from(deliveryTryTable)
    .where(inArray(deliveryTryTable.delivery_id, [...ids]))
    .orderBy(asc(deliveryTryTable.number));
  const tries = Map.groupBy(rows, (row) => row.delivery_id);
  return new Map(
    [...tries].map(([id, of]) => [
      id,
      of.map((row) => ({
        number: row.number,
        repeated: row.number > 1,
        started_at: row.started_at,
        ended_at: row.ended_at,
        done: row.done,
        answer: maskAnswer(row.answer),
      })),
    ]),
  );
}
