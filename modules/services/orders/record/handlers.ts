import { inSql } from '#kernel/server/db/columns.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { namedRows, type Db } from '#kernel/server/db/db.ts';
import { holdersOf, membersOf } from '#modules/platform/people/service.ts';
import { orderStage } from '../contract/codes.ts';
import { orderTable } from '../tables.ts';
import type { Category, Order } from './record.ts';

const handlerRole = 'order_handler';
/** All repairers, and those of a team. */
export async function handlersOf(tx: Db, team: number | null) {
  const all = await holdersOf(tx, handlerRole);
  const members = team === null ? [] : (await membersOf(tx, [team])).map((one) => one.id);
  return { all, team: all.filter((one) => members.includes(one.id)) };
}

/** The telephone of a team, or of the first one there is. */
export async function officePhone(tx: Db, team: number | null): Promise<string> {
  const of = team === null ? sql`true` : sql`d.id = ${team}`;
  const [row] = await namedRows<{ phone: string }>(
    tx,
    sql`select d.phone from order_category c join dept d on d.id = c.team_id where not c.is_deleted and d.phone <> '' and ${of} order by c.id limit 1`,
  );
  return row?.phone ?? '';
}

interface Load extends Record<string, unknown> {
  id: number;
  open: number;
  today: number;
  skill: number;
  near: boolean;
}
/** The load of people, and their fitness for an order. */
async function loadsOf(
  tx: Db,
  ids: readonly number[],
  order: Pick<Order, 'category_id' | 'building'>,
): Promise<Load[]> {
  const t = orderTable;
  return namedRows<Load>(
    tx,
    sql`select who.id, (count(*) filter (where ${t.stage} in (${inSql(orderStage.assigned, orderStage.taken, orderStage.working, orderStage.hung)})))::int open,
      (count(*) filter (where ${t.stage} in (${inSql(orderStage.assigned, orderStage.taken, orderStage.working, orderStage.hung)}) and ${t.appoint_time}::date = ${dayOf(houseNow())}))::int today,
      (count(*) filter (where ${t.category_id} = ${order.category_id} and ${t.stage} in (${inSql(orderStage.finished, orderStage.confirmed, orderStage.rated)})))::int skill,
      coalesce(bool_or(${t.building} = ${order.building} and ${t.building} <> '' and ${t.stage} in (${inSql(orderStage.assigned, orderStage.taken, orderStage.working)})), false) near
    from unnest(${sql.param([...ids])}::int[]) who(id)
    left join ${t} on ${t.handler_id} = who.id and not ${t.is_deleted} and ${t.gmt_created} > now() - interval '90 days'
    group by who.id`,
  );
}

/** The least loaded member of the team, if the category is dispatched without the desk; serialized, so that each dispatch sees the one before. */
export async function leastLoaded(tx: Db, category: Category, order: Order): Promise<number | null> {
  if (!category.auto_dispatch) return null;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`order team ${category.team_id}`}, 0))`);
  const { team } = await handlersOf(tx, category.team_id);
  if (team.length === 0) return null;
  const loads = await loadsOf(
    tx,
    team.map((one) => one.id),
    order,
  );
  return loads.toSorted((a, b) => a.open - b.open || b.skill - a.skill || a.id - b.id)[0]?.id ?? null;
}

/** The possible handlers of an order, its team first, then by load. */
export async function candidates(tx: Db, order: Order) {
  const { all, team } = await handlersOf(tx, order.team_id);
  const loads = new Map(
    (
      await loadsOf(
        tx,
        all.map((one) => one.id),
        order,
      )
    ).map((load) => [load.id, load]),
  );
  const mine = new Set(team.map((one) => one.id));
  return all
    .map((one) => ({ alias: one.alias, phone: '', ...loads.get(one.id)!, in_team: mine.has(one.id) }))
    .toSorted((a, b) => Number(b.in_team) - Number(a.in_team) || a.open - b.open || b.skill - a.skill);
}
