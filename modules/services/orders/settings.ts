import { randomBytes } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { qrPicture } from '#kernel/server/text/qr-code.ts';
import { absent, invalid } from '#kernel/contract/refusal.ts';
import { nounHandlers } from '#kernel/server/noun/handlers.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { deptNamesById } from '#modules/platform/people/service.ts';
import { labelsPdf } from '#modules/platform/typesetting/service.ts';
import { type Level, orderLevel, orderStage } from './contract/codes.ts';
import { assets, categories } from './contract/settings.ts';
import { categoryTaken, labelTaken } from './contract/refusals.ts';
import { orderAssetTable as a, orderCategoryTable as c, orderTable as t } from './tables.ts';

type Times = Record<`${'response' | 'finish'}_${Level}`, number>;
/** Refuses a category whose repair limit is shorter than its response limit. */
function refuseLateAnswers(row: Times): void {
  const errors = ([0, 1, 2] as const).flatMap((level) => {
    const [response, finish] = [row[`response_${level}`], row[`finish_${level}`]];
    const msg = `${finish} 分钟比响应的 ${response} 分钟短，请改为不短于响应`;
    return finish < response
      ? [{ field: `finish_${level}`, label: `${orderLevel.label(level)}：完工（分钟）`, msg }]
      : [];
  });
  if (errors.length > 0) throw invalid(errors);
}

export const categoryHandlers = nounHandlers(categories, {
  table: c,
  noun: '故障类别',
  search: [c.name],
  select: { team_name: sql<string>`coalesce((select d.name from dept d where d.id = "order_category"."team_id"), '')` },
  unique: { order_category_name: (row) => categoryTaken(row.name) },
  async check({ tx }, { row, sent }) {
    refuseLateAnswers(row);
    if (sent.team_id !== undefined && !(await deptNamesById(tx, [sent.team_id])).has(sent.team_id))
      throw absent('维修班组');
  },
  inUse: {
    张订单: (id) => sql`select count(*) from ${t} where ${t.category_id} = ${id}`,
    个资产: (id) => sql`select count(*) from ${a} where ${a.category_id} = ${id} and not ${a.is_deleted}`,
  },
});

const alphabet = 'abcdefghijklmnopqrstuvwxyz234567';
/** 80 random bits for a label. */
export const newLabel = () => Array.from(randomBytes(16), (byte) => alphabet[byte & 31]).join('');

export const assetHandlers = nounHandlers(assets, {
  table: a,
  noun: '资产',
  select: {
    category_name: sql<string>`coalesce((select k.name from order_category k where k.id = "order_asset"."category_id"), '')`,
    open_count: sql<number>`(select count(*)::int from repair_order o where o.asset_id = "order_asset"."id" and o.stage between ${inSql(orderStage.reported)} and ${inSql(orderStage.finished)})`,
  },
  unique: { order_asset_no: (row) => labelTaken(row.asset_no) },
  async check({ tx }, { row, before, sent }) {
    if (
      sent.category_id != null &&
      (await tx.$count(c, and(eq(c.id, sent.category_id), eq(c.is_deleted, false)))) === 0
    )
      throw absent('故障类别');
    return { search: assetSearch(row), ...(before ? {} : { code: newLabel() }) };
  },
});

/** The search words of a place or a thing with a label. */
export const assetSearch = (row: Partial<Record<'asset_no' | 'name' | 'building' | 'room', string | null>>) =>
  searchVector({ codes: [row.asset_no], texts: [row.name, row.building, row.room] });

/** The facts of a label: place, asset and usual kind of fault; nothing of its history. */
export async function labelled(tx: Db, code: string) {
  const [row] = await tx
    .select({ asset: a, category: c.name })
    .from(a)
    .leftJoin(c, eq(c.id, a.category_id))
    .where(and(eq(a.code, code), eq(a.is_deleted, false)));
  if (!row) throw absent('标签');
  const { id, name, building, floor, room, category_id } = row.asset;
  return { asset_id: id, name, building, floor, room, category_id, category_name: row.category ?? '' };
}

/** Labels of assets as PDF; printed again they are the same, because codes never change. */
export async function labelSheet(tx: Db, ids: readonly number[], by: number) {
  const wanted = and(inArray(a.id, [...ids]), eq(a.is_deleted, false));
  const rows = await tx.select().from(a).where(wanted).orderBy(a.building, a.room, a.id);
  if (rows.length === 0) throw absent('资产');
  const origin = tx.services.publicUrl() ?? '';
  const labels: Parameters<typeof labelsPdf>[0]['labels'][number][] = [];
  for (const { name, building, floor, room, asset_no, code } of rows) {
    const picture = new Uint8Array(
      await qrPicture(`${origin}/myOrder?label=${code}`, { errorCorrectionLevel: 'M', margin: 0, width: 260 }),
    );
    labels.push({
      picture,
      lines: [name, [building, floor, room].filter(Boolean).join(' '), asset_no, '扫码报修'].filter(Boolean),
    });
  }
  return () => labelsPdf({ title: '报修标签', labels }, by);
}
