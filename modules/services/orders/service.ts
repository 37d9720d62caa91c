import { cutTo } from '#kernel/contract/words/cut.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { and, eq, sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { link, type Ref } from '#modules/platform/links/service.ts';
import type { Writing } from '#modules/workflow/records/service.ts';
import { type Level, orderLevel, orderSource, orderStage, orderType } from './contract/codes.ts';
import { orderNews } from './record/news.ts';
import { module, note, orders, type Order } from './record/record.ts';
import { report } from './record/write.ts';
import { orderCategoryTable, orderTable as t } from './tables.ts';

export interface Registered {
  /** The source record: one order each, however often it is registered. */
  incident: Ref;
  title: string;
  description: string;
  /** Defaults to the first category for networks and systems. */
  category_id?: number;
  place: string;
  level?: Level;
}

const ofIncident = async (tx: Db, id: number): Promise<Order | null> => {
  const [row] = await tx.select(orders.columns).from(t).where(eq(t.incident_id, id)).for('no key update');
  return (row as Order | undefined) ?? null;
};

const usualCategory = async (tx: Db): Promise<number | null> => {
  const { id, name, is_active, is_deleted } = orderCategoryTable;
  const [row] = await tx
    .select({ id })
    .from(orderCategoryTable)
    .where(and(eq(is_active, true), eq(is_deleted, false)))
    .orderBy(sql`${name} !~ '网络|信息|系统'`, id)
    .limit(1);
  return row?.id ?? null;
};
/** True if orders can be made of incidents. */
export const ordersTaken = async (tx: Db): Promise<boolean> => (await usualCategory(tx)) !== null;

/** Makes an order of an incident (source 4) and links them; returns the existing one if there is one. */
export async function register(
  context: Writing,
  { incident, title, description, category_id: chosen, place, level = orderLevel.usual }: Registered,
) {
  const { tx } = context;
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended(${`order of incident ${incident.id}`}, 0))`);
  const known = await ofIncident(tx, incident.id);
  if (known) return { id: known.id, sn: known.sn, stage: known.stage, is_new: false };
  const category_id = chosen ?? (await usualCategory(tx));
  if (category_id === null) throw absent('故障类别');
  const input = {
    title: cutTo(title, 80),
    description: description.slice(0, 2000),
    category_id,
    place: place.slice(0, 100),
    level,
    type_id: orderType.network,
  };
  const made = await report(context, input, { source: orderSource.incident, incident_id: incident.id });
  await link(tx, { from: incident, to: { module, id: made.id }, type: 'result', userId: context.user.id });
  return { ...made, is_new: true };
}

/** The order of an incident with its state, for the incident's page. */
export async function orderOf(tx: Db, incident: number) {
  const row = await ofIncident(tx, incident);
  return row && { id: row.id, sn: row.sn, state: orderStage.label(row.stage) };
}

/** Notifies the order of an incident that it is closed. The order stays open: its handler decides when it is repaired. */
export async function incidentClosed(tx: Db, incident: number, words: string): Promise<void> {
  const row = await ofIncident(tx, incident);
  if (!row || row.stage >= orderStage.confirmed) return;
  await note({ tx, now: houseNow() }, row.id, 'incident', null, words);
  const content = `${row.sn} 的告警已解除：${words}。请核实后完工`;
  await announce(tx, orderNews.ORDER_ASSIGNED, row, { content, by: null, occasion: `incident ${incident}` }, [
    row.handler_id,
    row.reporter_id,
  ]);
}
