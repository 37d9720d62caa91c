import { afterAll, expect, test } from 'vitest';
import { notify } from '#kernel/server/live/bus.ts';
import { noteNeeded } from './contract/refusals.ts';
import { bulletinCalls, superviseStatistics } from './contract/statistics.ts';
import { openSupervision } from './testing/house.ts';

const house = await openSupervision();
const { app, clerk, inDays, staff, head, colleague, stranger, principal, sql } = house;
const { get, run, report, reach, put, part, sub, items, subs, progress, requests } = house;
afterAll(app.close);

const ask = (sub_id: number, kind: number, more: object = {}, who = staff) =>
  who.ask(requests.create, { body: { sub_id, kind, reason: '材料未到', ...more } as never });
const decide = (id: number, result: 1 | 2, more: object = {}, who = clerk) =>
  put(who, requests.check, id, { result, opinion: '知道了', ...more });
const extension = { done_so_far: '完成一半', apply_due: inDays(25) };
const task = async (name: string) => {
  const found = app.services.product.tasks().find((one) => one.name === name)!;
  await found.run({} as never, { now: new Date() } as never);
};
const tell = () => task('tell of lights of supervision');
/** Simulates the passing of time by moving the marks and the times they are computed from. */
const turn = (id: number, columns: string) => sql(`update supervise_sub set ${columns} where id = $1`, [id]);

test('an extension is requested before the deadline, once, and moves the item only if that is said', async () => {
  const {
    id,
    subs: [one, other],
  } = await run({ subs: [sub(), sub({ title: '第二项' })] });
  expect((await ask(one!, 1)).data).toMatchObject({ errors: [{ field: 'apply_due' }, { field: 'done_so_far' }] });
  const first = await ask(one!, 1, extension);
  expect((await ask(one!, 1, extension)).msg).toContain('已有的延期申请还没有处理');
  expect((await decide(first.data.id, 1, {}, staff)).code).toBe(4003);
  expect((await decide(first.data.id, 1)).code).toBe(0);
  expect((await part(one!)).due_at).toBe(`${extension.apply_due}:00`);
  expect((await ask(one!, 1, { ...extension, apply_due: inDays(28) })).msg).toBe(
    '每项任务最多延期 1 次，已经用完，请按时限办理或由督办人调整',
  );
  const far = { ...extension, apply_due: inDays(60) };
  const second = await ask(other!, 1, far);
  expect((await decide(second.data.id, 1)).msg).toContain('晚于事项的时限');
  expect((await decide(second.data.id, 1, { with_item: true })).code).toBe(0);
  expect((await get(id)).due_at).toBe(`${far.apply_due}:00`);
  expect((await decide(second.data.id, 2)).msg).toContain('已由督办员处理');
  const {
    subs: [late],
  } = await run();
  await turn(late!, `due_at = now() - interval '1 hour'`);
  expect((await ask(late!, 1, extension)).msg).toContain('延期须在');
});

test('extensions and the end of urgent items are decided by their leader', async () => {
  const {
    id,
    subs: [one],
  } = await run({ level: 3, leader: principal.userId });
  const asked = await ask(one!, 1, extension);
  expect((await decide(asked.data.id, 1)).code).toBe(4010);
  expect((await decide(asked.data.id, 1, {}, principal)).code).toBe(0);
  expect((await put(clerk, items.terminate, id, { reason: '不做了' })).code).toBe(4010);
  await reach(one!, 100);
  expect(await get(id)).toMatchObject({ status: 2 });
  expect(await put(clerk, items.finish, id, { result: 1, score: 90 })).toRefuse(noteNeeded);
  expect((await put(clerk, items.finish, id, { result: 1, finish_note: '已完成', score: 90 })).data.status).toBe(2);
  expect(await get(id)).toMatchObject({ status: 2, finish_at: null, finish_note: '已完成' });
  expect((await put(principal, items.finish, id, { result: 1, finish_note: '同意', score: 90 })).data.status).toBe(3);
  expect(await get(id)).toMatchObject({ status: 3, score: 90, light: 0, finished_late: false });
});

test('requesting an item’s completion hides no overdue part in list, counts, figures and bulletin', async () => {
  const {
    id,
    subs: [late],
  } = await run();
  await turn(late!, `due_at = now() - interval '3 days', red_at = now() - interval '3 days'`);
  const month = (await part(late!)).due_at!.slice(0, 7);
  const query = { supervise_id: id } as never;
  const seen = async () => {
    const list = await clerk.get(subs.list, { query });
    const figures = (await clerk.get(superviseStatistics.call, { query: { start: `${month}-01` } as never })).value;
    const bulletin = (await clerk.get(bulletinCalls.bulletin, { query: { month } })).value;
    const { by_red, summary } = figures as unknown as { by_red: { key: string }[]; summary: { late: number } };
    return {
      lights: (list as unknown as { lights: Record<string, number> }).lights,
      overdue: (await staff.get(subs.count)).overdue,
      red: by_red.some(({ key }) => key === String(id)),
      late: [summary.late, bulletin.late],
    };
  };
  const before = await seen();
  expect(before).toMatchObject({ lights: { 4: 1 }, red: true });
  expect(before.overdue).toBeGreaterThan(0);
  expect((await put(head, items.applyFinish, id, { content: '其余的不再办理' })).code).toBe(0);
  expect((await get(id)).status).toBe(2);
  expect(await seen()).toEqual(before);
});

test('an urgent item keeps its urgency and its leader, which its supervisor cannot change alone', async () => {
  const { id } = await run({ level: 3, leader: principal.userId });
  const change = (body: object, who = clerk) => put(who, items.update, id, body);
  for (const body of [{ level: 1 }, { leader: null }, { leader: clerk.userId }])
    expect((await change(body)).msg).toContain('调整紧急事项的级别和批示领导由批示领导');
  expect((await change({ lead_dept: null })).msg).toContain('主办部门');
  expect((await change({ title: '另一名称', level: 3, leader: principal.userId })).code).toBe(0);
  await sql('update app_user set is_active = false where id = $1', [principal.userId]);
  expect((await change({ leader: house.leader.userId })).code).toBe(0);
  await sql('update app_user set is_active = true where id = $1', [principal.userId]);
  expect((await change({ level: 1 }, house.leader)).code).toBe(0);
});

test('no deadline of a running item is moved into the past, by anybody', async () => {
  const {
    id,
    subs: [one],
  } = await run();
  const past = { due_at: '2001-01-01 10:00', due_reason: '提前' };
  expect((await put(clerk, subs.update, one!, past)).msg).toContain('已经过去');
  expect((await put(clerk, items.update, id, past)).msg).toContain('已经过去');
  const asked = await ask(one!, 1, extension);
  expect((await decide(asked.data.id, 1, { due_at: '2001-01-01 10:00' })).msg).toContain('已经过去');
});

test('an objection stops the light until it is decided, and is possible only in the first two days', async () => {
  const {
    id,
    subs: [one],
  } = await run();
  const asked = await ask(one!, 2, { to: stranger.userId });
  await turn(one!, `due_at = now()`);
  await put(clerk, items.update, id, { title: '重算' });
  const rested = await part(one!);
  expect([rested.light < 4, rested.rested_at !== null]).toEqual([true, true]);
  expect((await decide(asked.data.id, 2)).code).toBe(0);
  await expect.poll(async () => (await part(one!)).light).toBe(4);
  const {
    subs: [late],
  } = await run();
  await turn(late!, `issued_at = now() - interval '9 days'`);
  expect((await ask(late!, 2)).msg).toContain('异议须在');
  const {
    subs: [moved],
  } = await run();
  const again = await ask(moved!, 2, { to: stranger.userId });
  expect((await decide(again.data.id, 1)).code).toBe(0);
  expect(await part(moved!)).toMatchObject({ owner: stranger.userId, dept: house.elsewhere, status: 0 });
});

test('evidence is required where a stage says so, and again for reopened parts', async () => {
  const stages = [
    { title: '方案', day: inDays(5).slice(0, 10), weight: 40, evidence: true },
    { title: '验收', day: inDays(15).slice(0, 10), weight: 60 },
  ];
  const {
    id,
    subs: [one, other],
  } = await run({ subs: [sub({ stages }), sub({ title: '第二项' })] });
  expect((await report(one!, 100)).msg).toContain('阶段“方案”要求提交佐证材料');
  const upload = async () => {
    const form = new FormData();
    form.set('module', 'supervision');
    form.set('file', new Blob(['证明']), '证明.txt');
    const answer = await staff.fetch('/api/file/upload/', { method: 'POST', body: form });
    return ((await answer.json()) as { data: { id: number } }).data.id;
  };
  await reach(one!, 100, { stages: [1, 2], files: [await upload()] });
  await reach(other!, 100);
  const file = (await staff.get(progress.list, { query: { sub_id: one! } })).value[0]!.files[0]!;
  expect(await (await colleague.fetch(`/api/file/${file.id}/`)).text()).not.toContain('证明');
  expect((await put(clerk, items.finish, id, { result: 1, finish_note: '完成' })).data.status).toBe(3);
  const again = await put(clerk, items.reopen, id, { reason: '发现问题', due_at: inDays(60), subs: [one] });
  expect(again.data.status).toBe(1);
  expect(await part(one!)).toMatchObject({
    status: 4,
    progress: 0,
    stages: [{ done_at: null }, { done_at: expect.any(String) as string }],
  });
  expect(await part(other!)).toMatchObject({ status: 3 });
  expect((await report(one!, 100, { stages: [1, 2] })).msg).toContain('阶段“方案”');
  expect(await get(id)).toMatchObject({ reopened: 1, status: 1 });
});

test('approaching, overdue and missed reports are announced once per occasion, again after a moved date, and after downtime', async () => {
  const {
    id,
    subs: [one],
  } = await run({ title: '提醒一次', subs: [sub({ title: '要提醒的' })] });
  const heard = async (what: string) =>
    (await house.news(staff, '要提醒的')).filter((row) => row.title.startsWith(what)).length;
  await tell();
  expect(await heard('督办任务临期')).toBe(0);
  await turn(one!, `blue_at = now() - interval '3 days', marked_by = marked_by`);
  await Promise.all([tell(), tell()]);
  await tell();
  expect(await heard('督办任务临期')).toBe(1);
  await turn(one!, `yellow_at = now() - interval '2 hours', next_feedback = now() - interval '2 hours'`);
  await tell();
  await tell();
  expect(await heard('督办任务滞后')).toBe(1);
  await turn(one!, `due_at = now() - interval '2 days', red_at = now() - interval '2 days'`);
  await tell();
  await tell();
  expect(await heard('督办任务逾期')).toBe(1);
  expect(await get(id)).toMatchObject({ subs: [{ light: 4 }] });
  await put(clerk, subs.update, one!, { due_at: inDays(10), due_reason: '调整' });
  expect((await part(one!)).light).not.toBe(4);
  await turn(one!, `due_at = now() - interval '1 day', red_at = now() - interval '1 day'`);
  await tell();
  expect(await heard('督办任务逾期')).toBe(2);
});

test('a late check does not turn the owner’s light yellow, and counts in the figures', async () => {
  const {
    id,
    subs: [one],
  } = await run({ feedback_cycle: 1 });
  await turn(one!, `next_feedback = now() - interval '1 hour', issued_at = now() - interval '15 days'`);
  await put(clerk, items.update, id, { title: '审核慢' });
  expect((await part(one!)).light).toBe(3);
  await report(one!, 90);
  expect((await part(one!)).light).toBe(1);
  expect((await part(one!)).progress).toBe(0);
  await sql(`alter table supervise_progress disable trigger supervise_progress_kept`);
  await sql(`update supervise_progress set check_due = now() - interval '1 day' where sub_id = $1`, [one]);
  await sql(`alter table supervise_progress enable trigger supervise_progress_kept`);
  expect((await clerk.get(subs.count)).to_check_late).toBeGreaterThan(0);
  const { value } = await clerk.get(superviseStatistics.call, {
    query: { dim: 'checker', end: inDays(60).slice(0, 10) } as never,
  });
  expect(
    (value as { name: string; late_checks: number }[]).find((row) => row.name === '督办员')!.late_checks,
  ).toBeGreaterThan(0);
});

test('a changed calendar or rule updates the lights of running items', async () => {
  const {
    subs: [one],
  } = await run({ subs: [sub({ due_at: inDays(6) })] });
  const near = async () =>
    (await sql('select blue_at from supervise_sub where id = $1', [one])).rows[0] as { blue_at: Date };
  const before = await near();
  await sql(
    `insert into setting (key, value) values ('supervise', '{"near_days": 20}') on conflict (key) do update set value = excluded.value`,
  );
  const heard = () => app.services.databases.write((tx) => notify(tx, 'settings', 'supervise'));
  await heard();
  await expect
    .poll(async () => {
      await tell();
      return (await near()).blue_at < before.blue_at;
    })
    .toBe(true);
  await sql(`delete from setting where key = 'supervise'`);
  await heard();
  await expect
    .poll(async () => {
      await tell();
      return String((await near()).blue_at);
    })
    .toBe(String(before.blue_at));
});

test('only finished parts can be reopened, and a cancelled one is named and refused', async () => {
  const {
    id,
    subs: [one, other],
  } = await run({ title: '重办事项', subs: [sub(), sub({ title: '不做的一项' })] });
  await reach(one!, 100);
  expect((await put(clerk, house.subs.cancel, other!, { reason: '不再需要' })).code).toBe(0);
  expect((await put(clerk, items.finish, id, { result: 1, finish_note: '完成' })).data.status).toBe(3);
  const again = (subs: number[]) => put(clerk, items.reopen, id, { reason: '发现问题', due_at: inDays(60), subs });
  expect((await again([one!, other!])).msg).toBe('任务“不做的一项”没有办结，不需要重办；请只选已办结的任务');
  expect(await get(id)).toMatchObject({ status: 3, reopened: 0 });
  const {
    subs: [foreign],
  } = await run();
  expect(await again([foreign!])).toMatchObject({ code: 4004, msg: '所选的子任务不存在，或您无权查看' });
  expect((await put(clerk, items.reopen, id, { reason: '发现问题', due_at: '2026-01-01 00:00', subs: [] })).msg).toBe(
    '回头看的时限 2026-01-01 00:00 已经过去，请修改后再提交',
  );
  expect(await get(id)).toMatchObject({ status: 3, reopened: 0 });
  expect((await again([])).data.status).toBe(1);
  expect(await part(one!)).toMatchObject({ status: 4 });
  expect(await part(other!)).toMatchObject({ status: 5 });
  await reach(one!, 100);
  const back = (subs: number[]) => put(clerk, items.finish, id, { result: 2, reason: '还不行', subs });
  expect((await back([foreign!])).code).toBe(4004);
  expect(await get(id)).toMatchObject({ status: 2 });
  expect(await back([one!])).toMatchObject({ data: { status: 1 }, msg: '已退回继续办理' });
});

test('a refusal names the refused action, and a proposal to end is not called the end', async () => {
  const {
    id,
    subs: [one],
  } = await run({ level: 3, leader: principal.userId });
  const speak = async (type: number) =>
    (
      await staff.ask(house.opinions.create, {
        body: { supervise_id: id, type, content: '请抓紧', at_users: [] } as never,
      })
    ).msg;
  expect(await speak(1)).toContain('现在不能批示；批示由批示领导');
  expect(await speak(4)).toContain('现在不能发表督办意见或催办；');
  const moved = { due_at: inDays(25), due_reason: '晚一些' };
  for (const answer of [await put(clerk, subs.update, one!, moved), await put(clerk, items.update, id, moved)])
    expect(answer.msg).toContain('现在不能调整时限；');
  await reach(one!, 100);
  const finish = (who: typeof clerk) => put(who, items.finish, id, { result: 1, finish_note: '完成' });
  expect(await finish(clerk)).toMatchObject({ data: { status: 2 }, msg: '已提请办结，由批示领导决定' });
  expect(await finish(principal)).toMatchObject({ data: { status: 3 }, msg: '已办结' });
});

test('a stage lies within the term of its part, and a report on an unknown stage is refused', async () => {
  const stage = (day: string) => [{ title: '方案', day, weight: 100 }];
  const late = inDays(21).slice(0, 10);
  const refused = `阶段“方案”的计划完成日 ${late} 晚于任务的时限`;
  const made = await clerk.ask(items.create, { body: house.input({ subs: [sub({ stages: stage(late) })] }) as never });
  expect(made.msg).toContain(refused);
  const {
    subs: [one],
  } = await run({ subs: [sub({ stages: stage(inDays(19).slice(0, 10)) })] });
  expect((await put(clerk, subs.update, one!, { stages: stage(late) })).msg).toContain(refused);
  expect((await put(clerk, subs.update, one!, { due_at: inDays(10), due_reason: '提前' })).msg).toContain('阶段“方案”');
  expect((await report(one!, 30, { stages: [1, 9] })).msg).toContain('没有第 9 个阶段');
});

test('the owner of a part ends neither it nor its item and moves no own deadline, even as its supervisor', async () => {
  const {
    id,
    subs: [one],
  } = await run({ subs: [sub(), sub({ title: '第二项', owner: stranger.userId })] });
  expect((await put(clerk, items.update, id, { supervisor: staff.userId })).code).toBe(0);
  expect((await get(id, staff)).actions).not.toContain('terminate');
  expect((await put(staff, items.terminate, id, { reason: '自己终止' })).msg).toContain('承办的人除外');
  expect((await put(staff, subs.cancel, one!, { reason: '不做了' })).msg).toContain('承办的人除外');
  const moved = { due_at: inDays(25), due_reason: '再缓缓' };
  expect((await put(staff, subs.update, one!, moved)).msg).toContain('现在不能调整时限；');
  expect((await put(clerk, items.terminate, id, { reason: '不做了' })).code).toBe(0);
});

test('an item that is ended keeps its percentage, whatever its open parts had', async () => {
  const {
    id,
    subs: [one],
  } = await run({ subs: [sub(), sub({ title: '第二项' })] });
  await house.reach(one!, 60);
  const { progress } = await get(id);
  expect(progress).toBeGreaterThan(0);
  expect((await put(clerk, items.terminate, id, { reason: '不做了' })).code).toBe(0);
  expect((await get(id)).progress).toBe(progress);
});

test('a deadline and a supervisor can be changed but not removed, and a draft needs no deadline', async () => {
  const { id } = await run();
  expect((await put(clerk, items.update, id, { due_at: null, due_reason: '不限' })).msg).toContain('时限：');
  expect((await put(clerk, items.update, id, { supervisor: null })).msg).toContain('督办人：');
  const draft = await house.create();
  expect((await put(clerk, items.update, draft, { due_at: null })).code).toBe(0);
  expect((await get(draft)).due_at).toBeNull();
});
