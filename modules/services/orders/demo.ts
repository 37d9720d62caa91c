import { and, eq, ne, sql } from 'drizzle-orm';
import { dayMs, dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { nextNumber } from '#kernel/server/db/numbering.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { demoDesk } from '#modules/workflow/tickets/demo/desk.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import { deptTable } from '#modules/platform/people/tables.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { hangKind, orderLevel, orderStage } from './contract/codes.ts';
import { categoryShape } from './contract/settings.ts';
import { act } from './record/acts.ts';
import { change, comment, merge } from './record/ends.ts';
import { report } from './record/write.ts';
import { assetSearch, newLabel } from './settings.ts';
import { placeFor } from './visitors/visitors.ts';
import {
  orderAssetTable,
  orderCategoryTable,
  orderCommentTable,
  orderEventTable,
  orderMaterialTable,
  orderTable,
} from './tables.ts';
import { z } from 'zod';

type Act = Parameters<typeof act>[2];
type Change = Parameters<typeof change>[2];

const kinds = ['水电维修', '门窗家具', '空调暖通', '教学设备'];
const faults = [
  ['水龙头漏水', '日光灯不亮', '插座没有电', '下水道堵塞'],
  ['门锁打不开', '窗户关不严', '课桌桌面翘起'],
  ['空调不制冷', '暖气不热', '空调漏水'],
  ['投影仪不亮', '扩音没有声音', '幕布收不起来'],
];
const buildings = ['一号教学楼', '二号教学楼', '信息楼', '图书馆', '东区宿舍 3 号楼'];
const crew = ['jia.shunli', 'xia.tiezhu', 'fu.chunsheng', 'fang.zhigang'];
const callers = ['qin.haoyu', 'kong.lingwei', 'bai.xue', 'jiang.bo', 'su.jianing', 'hou.zhenyu'];
const live = [10, 10, 20, 20, 30, 30, 40, 40, 50, 60, 80, 90];
const lived = 60 - live.length;
const words = ['修得很快，师傅很耐心', '已经好了，谢谢', '能用了', '等得久了些', '来了两次才修好'];

/**
 * Six weeks of a school's repairs in every stage, with late, suspended, returned and rated ones; everything is derived from the order of
 * the rows.
 */
export async function addDemoOrders(tx: Db, now: Date): Promise<void> {
  const [team] = await tx.select().from(deptTable).where(eq(deptTable.code, 'WXK'));
  const people = await peopleByName(tx, [...crew, ...callers, 'ren.shuzhen']);
  const who = new Map<string, Viewer>();
  const { person, as } = demoDesk(tx);
  for (const [name, { id }] of people) who.set(name, await person(id));
  if (!team || who.size < 11) return;
  const usual = z.object(categoryShape).parse({ name: '-', team_id: team.id });
  const categories = await tx
    .insert(orderCategoryTable)
    .values(kinds.map((name) => ({ ...usual, name })))
    .returning();
  const assets = await tx
    .insert(orderAssetTable)
    .values(
      Array.from({ length: 20 }, (_one, at) => {
        const [name, building, room] = [
          at % 2 === 0 ? '投影仪' : '空调',
          buildings[at % 5]!,
          `${1 + (at % 4)}0${1 + (at % 8)}`,
        ];
        const asset = { name, building, room, asset_no: `ZC${2000 + at}` };
        return {
          ...asset,
          floor: `${1 + (at % 4)}`,
          category_id: categories[at % 2 === 0 ? 3 : 2]!.id,
          code: newLabel(),
          search: assetSearch(asset),
        };
      }),
    )
    .returning();
  const clerk = 'ren.shuzhen';
  const past: (typeof orderTable.$inferInsert)[] = [];
  for (let at = 0; at < 60; at += 1) {
    // The last orders stay open for the board; the earlier ones are finished together with their tickets.
    const stage = at < lived ? (at % 6 === 5 ? 70 : 80) : live[at - lived]!;
    const began = new Date(now.getTime() - (at < lived ? 42 - at * 0.85 : 1.2 - (at - lived) * 0.08) * dayMs);
    const later = (hours: number) => new Date(Math.min(now.getTime() - 60_000, began.getTime() + hours * 3_600_000));
    const [fault, caller, hand] = [at % 4, callers[at % 6]!, crew[at % 4]!];
    const title = faults[fault]![at % faults[fault]!.length]!;
    const place =
      at % 12 === 0
        ? { building: '信息楼', room: '305' }
        : { building: buildings[at % 5]!, room: `${1 + (at % 5)}0${1 + (at % 9)}` };
    const asset = fault === 3 && at % 8 === 3 ? { asset_id: assets[at % 20]!.id } : {};
    const sent = {
      title: `${place.room} ${title}`,
      description: `${title}，请尽快安排。`,
      category_id: categories[fault]!.id,
      ...place,
      ...asset,
      level: (at % 9 === 0 ? orderLevel.most : at % 4 === 0 ? orderLevel.urgent : orderLevel.usual) as 0,
    };
    if (at < lived) {
      const period = dayOf(began).replaceAll('-', '');
      const sn = `ORD${period}${String(await nextNumber(tx, 'sn', 'ORD', period)).padStart(4, '0')}`;
      const creator = who.get(caller)!.id;
      const [accept_at, finish_at] = [later(1).toISOString(), later(at % 7 === 3 ? 60 : 5).toISOString()];
      const score = stage === orderStage.rated ? ([5, 5, 4, 5, 3, 4, 5, 2, 5, 1] as const)[at % 10]! : null;
      const came = {
        gmt_created: began.toISOString(),
        sent_at: began.toISOString(),
        accept_at,
        finish_at,
        response_due: later(4).toISOString(),
      };
      const done = {
        act_state: actState.finished,
        stage,
        score,
        auto_confirmed: score === null,
        finish_met: at % 7 !== 3,
        result: '已更换配件，恢复正常',
        used_minutes: 90 + at,
      };
      const people = {
        creator_id: creator,
        reporter_id: creator,
        contact: who.get(caller)!.alias,
        handler_id: who.get(hand)!.id,
        team_id: team.id,
        dept_id: who.get(caller)!.depts[0] ?? null,
      };
      past.push({
        ...sent,
        ...came,
        ...done,
        ...people,
        sn,
        reopen_count: Number(at === 7),
        search: searchVector({ codes: [sn], texts: [sent.title] }),
      });
      continue;
    }
    const { id } = await report(await as(caller, began), sent, { gmt_created: began.toISOString() });
    const does = async (name: string, action: Act['action'], hours: number, more: Omit<Act, 'action'> = {}) =>
      act(await as(name, later(hours)), id, { action, ...more });
    const state = async (name: string, s: Change['s'], hours: number, more: Omit<Change, 's'> = {}) =>
      change(await as(name, later(hours)), id, { s, ...more });
    if (stage === orderStage.reported) continue;
    if (stage === orderStage.closed) {
      const [open] = await tx
        .select({ id: orderTable.id })
        .from(orderTable)
        .where(and(eq(orderTable.stage, orderStage.reported), ne(orderTable.id, id)))
        .orderBy(orderTable.id)
        .limit(1);
      await merge(await as(clerk, later(0.5)), id, { into: open!.id, reason: '同一处故障' });
      continue;
    }
    await does(clerk, 'assign', 0.4, { handlers: [who.get(hand)!.id] });
    if (stage === orderStage.assigned) continue;
    await does(hand, 'take', 1);
    if (stage === orderStage.taken) continue;
    await does(hand, 'start', 1.5);
    if (at % 3 === 0)
      await does(hand, 'material', 1.8, {
        materials: [{ name: fault === 0 ? '密封圈' : '螺丝', spec: '', qty: 2, price: 3.5 }],
      });
    if (stage === orderStage.working) continue;
    if (stage === orderStage.hung) {
      await does(hand, 'hang', 2, {
        hang_kind: hangKind.parts,
        hang_until: new Date(now.getTime() + 3 * dayMs).toISOString().slice(0, 16).replace('T', ' '),
        words: '等压缩机到货',
      });
      continue;
    }
    const done = { result: '已更换配件，恢复正常' };
    await state(hand, 6, 3, done);
    for (let again = stage === orderStage.rated ? 2 : 0; again > 0; again -= 1) {
      await state(caller, 1, 5, { remark: '又坏了' });
      await state(hand, 6, 7, done);
    }
    if (stage === orderStage.finished) continue;
    await comment(await as(caller, later(10)), id, { score: 4, content: words[4]! });
  }
  const rows = await tx.insert(orderTable).values(past).returning();
  const rated = rows.flatMap(({ id, score, reporter_id, finish_at }, at) =>
    score === null ? [] : [{ order_id: id, user_id: reporter_id, score, content: words[at % 5]!, at: finish_at! }],
  );
  await tx.insert(orderCommentTable).values(rated);
  const story = { report: 'gmt_created', take: 'accept_at', finish: 'finish_at' } as const;
  const told = rows.flatMap((row) =>
    Object.entries(story).map(([kind, when]) => ({
      order_id: row.id,
      kind,
      user_id: kind === 'report' ? row.reporter_id : row.handler_id,
      at: row[when]!,
    })),
  );
  await tx.insert(orderEventTable).values(told);
  const used = rows.filter((_row, at) => at % 3 === 0);
  await tx.insert(orderMaterialTable).values(
    used.map((row) => ({
      order_id: row.id,
      name: '密封圈',
      qty: 2,
      price: 3.5,
      user_id: row.handler_id!,
      gmt_created: row.finish_at!,
    })),
  );
  const texted = { tx, now, services: tx.services, audit: () => undefined };
  for (const [at, name] of ['大厅感应门关不上', '卫生间水龙头漏水', '报告厅灯不亮'].entries()) {
    const sent = {
      title: name,
      description: `${name}，来访时发现`,
      category_id: categories[0]!.id,
      building: '图书馆',
      floor: '',
      room: `${101 + at}`,
      place: '',
      contact: '来访人',
      appoint_time: null,
    };
    const { id } = await placeFor(texted, `1390000000${at}`, sent);
    if (at < 2) await act(await as(clerk, now), id, { action: 'accept' });
  }
  // Creation times are moved back to the time of sending.
  const latest = now.toISOString();
  await tx.execute(sql`update repair_order set gmt_created = least(gmt_created, sent_at, ${latest}::timestamptz)`);
  await tx.execute(sql`update ticket t set gmt_created = least(t.gmt_created, o.gmt_created),
    submitted_at = least(t.submitted_at, o.gmt_created) from repair_order o where o.ticket_id = t.id`);
}
