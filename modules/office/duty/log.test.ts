import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { pathOf } from '#kernel/contract/call.ts';
import { dayAfter, momentOf, momentText } from '#kernel/contract/moment.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { dutyCalls as calls } from './contract.ts';
import { openDuty } from './testing/duty.ts';
import type { Client } from '#apps/server/testing.ts';
import { readPaper } from '#modules/platform/typesetting/testing/paper.ts';
import { items } from '#modules/office/supervision/contract/supervise.ts';
import { dueIn } from '#modules/office/supervision/testing/house.ts';
import { emptyLog, noReason, notNow, openMatters, outside } from './contract/refusals.ts';
import { remindTomorrow, tellLate } from './server/told.ts';

const duty = await openDuty();
const { school, picture, clerk, outsider, run, ready, clientOf, get, swap, told, waiting, freeFor, beginsIn } = duty;
beforeEach(() => void duty.next());
afterAll(() => duty.school.office.close());

describe('a shift under way', () => {
  const begin = async () => {
    const all = await ready();
    await beginsIn(all[0]!.id, -30);
    return all;
  };
  const take = (who: Client, id: number) => who.ask(calls.takeOver, { params: { id }, body: { result: '正常' } });
  const log = (who: Client, id: number, body: object) =>
    who.ask(calls.log, { params: { id }, body: { kind: 1, content: '来电询问', ...body } as never });
  /** The entries written in the shift itself, without those carried over. */
  const own = async ({ id }: { id: number }) => (await get(clerk, id)).log.filter((one) => one.shift_id === id);
  const hand = (who: Client, id: number, open: number[] = []) =>
    who.ask(calls.handOver, { params: { id }, body: { open, note: '' } });

  test('is reported once while nobody takes it over, and is taken over once from two devices', async () => {
    const all = await begin();
    const shift = all[0]!;
    const me = clientOf(shift);
    const late = async () =>
      (await told(me)).filter((one) => one === `值班未接班：${shift.day.slice(5)} 总值班`).length;
    await run(tellLate);
    await run(tellLate);
    expect(await late()).toBe(1);
    expect(await waiting(me)).toContain(`待接班：${shift.day.slice(5)} 总值班`);
    expect((await take(outsider, shift.id)).code).toBe(codes.forbidden);
    const both = await Promise.all([take(me, shift.id), take(me, shift.id)]);
    expect(both.filter((one) => one.code === 0)).toHaveLength(1);
    expect(both.find((one) => one.code !== 0)).toRefuse(notNow, '已经接班', '接班');
    await run(tellLate);
    expect(await late()).toBe(0);
    expect(await waiting(me)).not.toContain(`待接班：${shift.day.slice(5)} 总值班`);
    await log(me, shift.id, { handled: true });
    expect(await hand(me, shift.id)).toMatchObject({ code: 0 });
  });

  test('ends once its log settles every matter, and open matters reach the next shift’s log', async () => {
    const all = await begin();
    const [shift, next] = [all[0]!, all[1]!];
    const me = clientOf(shift);
    await take(me, shift.id);
    expect(await hand(me, shift.id)).toRefuse(emptyLog);
    const photo = await picture(me);
    await log(me, shift.id, { content: '水管爆裂', urgent: true, kind: 4, files: [photo] });
    expect(await told(school.principal)).toContainEqual(expect.stringContaining('突发情况'));
    await log(me, shift.id, { content: '门卫报修', handled: true });
    expect(await hand(me, shift.id)).toRefuse(openMatters, ['水管爆裂']);
    const { log: entries } = await get(me, shift.id);
    const open = entries.find((one) => !one.handled)!.id;
    await beginsIn(next.id, 10);
    expect((await take(clientOf(next), next.id)).msg).toContain('还没有交班');
    expect(await hand(me, shift.id, [open])).toMatchObject({ code: 0 });
    expect(await log(me, shift.id, {})).toRefuse(notNow, '已交班', '记日志');
    expect(await take(clientOf(next), next.id)).toMatchObject({ code: 0 });
    expect((await get(clientOf(next), next.id)).log).toMatchObject([{ id: open, content: '水管爆裂', handled: false }]);
    // With its photos, even if the reader may not see the earlier shift.
    const seen = await clientOf(next).fetch(`/api/file/${photo}/preview/`);
    expect(seen.headers.get('content-type')).toContain('image/');
    const closing = await Promise.all(
      [1, 2].map(() => log(clientOf(next), next.id, { content: '已抢修', closes: open })),
    );
    expect(closing.filter((one) => one.code === 0)).toHaveLength(1);
    expect((await get(clientOf(next), next.id)).log.every((one) => one.handled)).toBe(true);
    await expect(
      run((tx) => tx.execute(sql`update duty_entry set content = '没有事' where id = ${open}`)),
    ).rejects.toThrow('Failed query');
    expect(await hand(clientOf(next), next.id)).toRefuse(notNow, '还没有开始', '交班');
    expect((await get(clientOf(next), next.id)).actions).not.toContain('handover');
    await beginsIn(next.id, -1);
    expect((await hand(clientOf(next), next.id)).msg).toMatch(
      /结束前半小时起才能交班；确需提前的，请联系办公室代为交班$/,
    );
    expect((await get(clientOf(next), next.id)).actions).not.toContain('handover');
    await beginsIn(next.id, -15);
    const signature = await picture(clientOf(next));
    const signed = { params: { id: next.id }, body: { open: [], note: '', signature } };
    expect((await clerk.ask(calls.handOver, signed)).code).not.toBe(0);
    expect(await clientOf(next).ask(calls.handOver, signed)).toMatchObject({ code: 0 });
    expect((await get(clerk, next.id)).handover!.signature).toMatchObject({ id: signature });
  });

  test('is printed with what it took over, logged and handed on, and room for three signatures', async () => {
    const all = await begin();
    const shift = all[0]!;
    const me = clientOf(shift);
    await me.ask(calls.takeOver, { params: { id: shift.id }, body: { result: '设备完好' } });
    await log(me, shift.id, { content: '水管爆裂', kind: 4 });
    await log(me, shift.id, { content: '门卫报修', handled: true });
    const open = (await get(me, shift.id)).log.find((one) => !one.handled)!.id;
    await beginsIn(all[1]!.id, 10);
    expect(
      await me.ask(calls.handOver, { params: { id: shift.id }, body: { open: [open], note: '请留意水泵' } }),
    ).toMatchObject({ code: 0 });
    const answer = await me.send(pathOf(calls.logPdf, { id: shift.id }));
    expect(answer.headers.get('content-type')).toContain('application/pdf');
    const words = (await readPaper(answer.bytes)).texts.map(({ text }) => text.replace(/\s/g, '')).join('');
    for (const said of ['接班', '设备完好', '水管爆裂', '门卫报修', '交班', '请留意水泵', '待办：水管爆裂', '移交1件'])
      expect(words).toContain(said);
    for (const name of ['带班领导签字：', '交班人签字：', '接班人签字：']) expect(words).toContain(name);
  });

  test('shows its log only to those on the shift and the plan’s keepers, on page, paper and in messages', async () => {
    const all = await begin();
    const shift = all[0]!;
    const me = clientOf(shift);
    await take(me, shift.id);
    await log(me, shift.id, { content: '金丝雀密语' });
    const seen = await outsider.get(calls.get, { params: { id: shift.id } });
    expect(JSON.stringify(seen)).not.toContain('金丝雀密语');
    expect((await outsider.ask(calls.logPdf, { params: { id: shift.id } })).code).not.toBe(0);
    expect(
      (await outsider.ask(calls.log, { params: { id: shift.id }, body: { kind: 1, content: '插话' } as never })).code,
    ).toBe(codes.forbidden);
    expect(JSON.stringify(await get(clerk, shift.id))).toContain('金丝雀密语');
  });

  test('that nobody took over is logged afterwards with a reason, by its person or the plan’s keeper', async () => {
    const [shift] = await ready();
    const me = clientOf(shift!);
    await beginsIn(shift!.id, -60);
    const seen = await get(me, shift!.id);
    expect(seen).toMatchObject({ state: 4, actions: ['late'] });
    expect(await take(me, shift!.id)).toRefuse(notNow, '已经结束', '接班');
    const at = seen.start_time.slice(0, 16);
    const first = momentText(new Date(momentOf(seen.start_time).getTime() - 30 * 60_000)).slice(0, 16);
    expect(await log(me, shift!.id, { at })).toRefuse(noReason, '补登');
    const late_reason = '设备故障，当时没有接班';
    expect(await log(me, shift!.id, { late_reason })).toRefuse(outside, first, seen.end_time.slice(0, 16));
    expect((await log(outsider, shift!.id, { at, late_reason })).code).toBe(codes.forbidden);
    expect(await log(me, shift!.id, { at, late_reason, urgent: true, content: '夜间停电' })).toMatchObject({ code: 0 });
    expect(await log(clerk, shift!.id, { at, late_reason, content: '已恢复供电' })).toMatchObject({ code: 0 });
    expect(await own(shift!)).toMatchObject([{ late_reason, content: '夜间停电' }, { late_reason }]);
    // An entry about a shift long over notifies nobody of an emergency.
    expect(await told(school.principal)).not.toContainEqual(expect.stringContaining('紧急情况'));
  });

  test('accepts log entries only within its own time', async () => {
    const [shift] = await begin();
    const me = clientOf(shift!);
    await take(clerk, shift!.id);
    for (const minutes of [5, -70]) {
      const at = momentText(new Date(Date.now() + minutes * 60_000));
      expect((await log(me, shift!.id, { at })).msg).toContain('发生的时间须在');
    }
    const at = momentText(new Date(Date.now() - 60_000));
    expect(await log(me, shift!.id, { at, late_reason: '不该留下' })).toMatchObject({ code: 0 });
    expect(await own(shift!)).toMatchObject([{ at, late_reason: '' }]);
  });

  test('has photos beside its log entries, for readers of the log only', async () => {
    const [shift] = await begin();
    const me = clientOf(shift!);
    await take(clerk, shift!.id);
    const photo = await picture(me);
    expect((await log(clerk, shift!.id, { files: [photo] })).code).not.toBe(0);
    expect(await log(me, shift!.id, { files: [photo], handled: true })).toMatchObject({ code: 0 });
    const [entry] = await own(shift!);
    expect(entry!.files).toMatchObject([{ id: photo, name: '现场.png' }]);
    expect((await clerk.fetch(`/api/file/${photo}/preview/`)).headers.get('content-type')).toContain('image/');
    expect((await outsider.fetch(`/api/file/${photo}/preview/`)).headers.get('content-type')).not.toContain('image/');
  });

  test('turns a matter of its log into one supervised item, only by a reader of the log', async () => {
    const [shift] = await begin();
    const me = clientOf(shift!);
    await take(clerk, shift!.id);
    const key = String((await log(me, shift!.id, { content: '水管爆裂', kind: 4 })).data.id);
    const raise = (who: Client) =>
      who.ask(items.create, {
        body: {
          title: '修复水管',
          content: '水管爆裂',
          source: 9,
          due_at: dueIn(9),
          from: { module: 'duty', id: shift!.id, key },
          subs: [],
        } as never,
      });
    const supervises = await school.hire('督办员', { roles: ['supervise_admin', 'office_admin'] });
    const far = await school.hire('远督办员', { roles: ['supervise_admin'], dept: school.elsewhere });
    expect((await raise(far)).code).toBe(codes.absent);
    const [first, again] = [await raise(supervises), await raise(supervises)];
    expect(first).toMatchObject({ code: 0, data: { existed: false } });
    expect(again).toMatchObject({ code: 0, data: { id: first.data.id, existed: true } });
  });

  test('is announced the evening before to its present person, not to the one before a swap', async () => {
    const all = await ready();
    const shift = all[4]!;
    const me = clientOf(shift);
    const other = freeFor(shift, all);
    await swap(clerk, shift.id, { user: me.username, with: other.username });
    const eve = new Date(`${dayAfter(shift.day, -1)}T17:00:00+08:00`);
    await run((tx) => remindTomorrow(tx, eve));
    await run((tx) => remindTomorrow(tx, eve));
    expect((await told(other)).filter((one) => one === '明日值班：总值班')).toHaveLength(1);
    expect(await told(me)).not.toContain('明日值班：总值班');
  });
});
