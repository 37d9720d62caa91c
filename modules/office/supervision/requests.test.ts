import { afterAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { newsLevel } from '#modules/platform/messages/contract.ts';
import { checkedBefore, dueWrong, notAllowed, pending } from './contract/refusals.ts';
import { openSupervision } from './testing/house.ts';

const house = await openSupervision();
const { app, clerk, inDays, staff, head, stranger, principal, sql } = house;
const { get, run, report, check, put, part, sub, items, subs, requests } = house;
afterAll(app.close);

const ask = (sub_id: number, kind: number, more: object = {}, who = staff) =>
  who.ask(requests.create, { body: { sub_id, kind, reason: '材料未到', ...more } as never });
const decide = (id: number, result: 1 | 2, more: object = {}, who = clerk) =>
  put(who, requests.check, id, { result, opinion: '知道了', ...more });
const withdraw = (id: number, who = staff) => put(who, requests.withdraw, id);
const extension = { done_so_far: '完成一半', apply_due: inDays(25) };
const rowOf = async (id: number) =>
  (await clerk.get(requests.list, { query: { per_page: 100 } })).value.find((one) => one.id === id)!;
const tell = async () => {
  const found = app.services.product.tasks().find((one) => one.name === 'tell of lights of supervision')!;
  await found.run({} as never, { now: new Date() } as never);
};

test('a request is withdrawn by its author until it is decided; then another may be made, and an objection’s light runs on', async () => {
  const {
    subs: [one],
  } = await run();
  const asked = await ask(one!, 1, extension);
  const mine = (await staff.get(requests.list, { query: { scope: 'mine' } })).value.find(
    (row) => row.id === asked.data.id,
  )!;
  expect(mine.actions).toEqual(['withdraw']);
  expect(await withdraw(asked.data.id, clerk)).toRefuse(notAllowed, '延期申请', '申请中', '撤回', '申请人');
  expect((await clerk.get(subs.count)).requests).toBe(1);
  expect((await withdraw(asked.data.id)).code).toBe(0);
  expect((await clerk.get(subs.count)).requests).toBe(0);
  expect(await rowOf(asked.data.id)).toMatchObject({ state: 4, actions: [], decider_info: null });
  expect(await decide(asked.data.id, 1)).toRefuse(checkedBefore, '申请人（已撤回）');
  expect(await withdraw(asked.data.id)).toRefuse(checkedBefore, '申请人（已撤回）');
  expect((await house.news(clerk, '督办申请')).length).toBe(0);
  const again = await ask(one!, 1, extension);
  expect((await decide(again.data.id, 1)).code).toBe(0);
  expect(await withdraw(again.data.id)).toRefuse(checkedBefore, '督办员');
  const objected = await ask(one!, 2, { to: stranger.userId });
  expect((await part(one!)).rested_at).not.toBeNull();
  expect((await withdraw(objected.data.id)).code).toBe(0);
  expect((await part(one!)).rested_at).toBeNull();
});

test('settling one request leaves the message about another request of the same part in place', async () => {
  const {
    subs: [one, other],
  } = await run({ subs: [sub({ title: '两个申请的' }), sub({ title: '旁边的' })] });
  const asked = [await ask(one!, 1, extension), await ask(one!, 3, { to: stranger.userId })];
  const heard = () => house.news(clerk, '督办申请：两个申请的');
  expect(await heard()).toHaveLength(2);
  expect((await withdraw(asked[0]!.data.id)).code).toBe(0);
  expect(await heard()).toHaveLength(1);
  expect((await ask(one!, 1, extension)).code).toBe(0);
  expect((await decide(asked[1]!.data.id, 2)).code).toBe(0);
  expect(await heard()).toHaveLength(1);
  expect(await part(other!)).toMatchObject({ status: 0 });
});

test('a new owner must be another person, a department must exist, and work must begin before it is due', async () => {
  const {
    subs: [one],
  } = await run();
  expect((await ask(one!, 3, { to: (await part(one!)).owner })).msg).toBe('建议由谁承办：已是现在的责任人，请另选');
  const body = { title: '倒着的', source: 9, start_date: inDays(30).slice(0, 10), due_at: inDays(10) };
  const said = `开始日期：${body.start_date} 晚于时限 ${inDays(10).slice(0, 16)}，请修改`;
  expect((await clerk.ask(items.create, { body: body as never })).msg).toBe(said);
  const nowhere = { ...body, start_date: null, lead_dept: 9999 };
  expect((await clerk.ask(items.create, { body: nowhere as never })).msg).toBe('主办部门不存在，或您无权查看');
  const { id } = await clerk.get(items.create, { body: { ...body, start_date: null } as never });
  expect((await put(clerk, items.update, id, { lead_dept: 9999 })).msg).toBe('主办部门不存在，或您无权查看');
  expect((await put(clerk, items.update, id, { start_date: body.start_date })).msg).toBe(said);
});

test('a part is not reassigned by request while its report is being checked, and goes to the person requested then', async () => {
  const {
    subs: [one],
  } = await run();
  const asked = await ask(one!, 3, { to: stranger.userId });
  const reported = await report(one!, 100);
  expect(await decide(asked.data.id, 1)).toRefuse(pending, '“整改宿舍线路”反馈的审核');
  expect(await part(one!)).toMatchObject({ status: 2, owner: staff.userId });
  expect(await rowOf(asked.data.id)).toMatchObject({ state: 1 });
  expect((await check(reported.data.id, 2)).code).toBe(0);
  expect((await decide(asked.data.id, 1)).code).toBe(0);
  expect(await part(one!)).toMatchObject({ status: 0, owner: stranger.userId });
});

test('of withdrawing and deciding a request at once one succeeds', async () => {
  const {
    subs: [one],
  } = await run();
  const before = (await part(one!)).due_at;
  const asked = await ask(one!, 1, extension);
  const [gone, agreed] = await Promise.all([withdraw(asked.data.id), decide(asked.data.id, 1)]);
  expect([gone.code, agreed.code].toSorted((a, b) => b - a)).toEqual([4010, 0]);
  const after = await part(one!);
  expect(after.due_at).toBe(gone.code === 0 ? before : `${extension.apply_due}:00`);
  expect((await rowOf(asked.data.id)).state).toBe(gone.code === 0 ? 4 : 2);
});

test('a request not decided before the deadline lapses, is reported to the decider’s leader, and may still be decided', async () => {
  const {
    id,
    subs: [one],
  } = await run({ leader: principal.userId, title: '过期的申请', level: 2 });
  const asked = await ask(one!, 1, extension);
  await sql(
    `update supervise_sub set due_at = now() - interval '1 hour', red_at = now() - interval '1 hour' where id = $1`,
    [one],
  );
  await tell();
  await tell();
  expect(await rowOf(asked.data.id)).toMatchObject({ state: 5, decided_at: null, actions: ['decide'] });
  expect((await house.news(principal, '督办申请')).map((row) => [row.title, newsLevel.label(row.level)])).toEqual([
    ['督办申请：整改宿舍线路', '重要'],
  ]);
  expect((await clerk.get(requests.list, { query: { scope: 'to_decide' } })).total).toBe(
    (await clerk.get(subs.count)).requests,
  );
  expect((await decide(asked.data.id, 1)).code).toBe(0);
  expect((await part(one!)).due_at).toBe(`${extension.apply_due}:00`);
  expect((await get(id)).status).toBe(1);
});

test('an objection does not lapse at the deadline, as it stops the clock; a request about a finished part lapses with it', async () => {
  const {
    id,
    subs: [one, other],
  } = await run({ subs: [sub(), sub({ title: '第二项' })] });
  const objected = await ask(one!, 2, { to: stranger.userId });
  await sql(`update supervise_sub set due_at = now() - interval '1 hour' where id = $1`, [one]);
  await tell();
  expect((await rowOf(objected.data.id)).state).toBe(1);
  const asked = await ask(other!, 3, { to: head.userId });
  const done = await report(other!, 100);
  expect((await check(done.data.id)).code).toBe(0);
  expect(await rowOf(asked.data.id)).toMatchObject({ state: 5, opinion: '任务已完成', actions: [] });
  expect(await decide(asked.data.id, 1)).toRefuse(checkedBefore, '系统（任务已结束）');
  expect((await put(clerk, items.terminate, id, { reason: '不做了' })).code).toBe(0);
  expect(await rowOf(objected.data.id)).toMatchObject({ state: 5, opinion: '事项终止：不做了' });
  await expect(sql('update supervise_request set state = 1 where id = $1', [asked.data.id])).rejects.toThrow(
    'supervise_request_decided',
  );
});

test('a person gets at most one text message a day about supervision, and all messages in their box', async () => {
  const owner = await app.signIn(
    await app.person({ alias: '机主', dept: house.dept, phone: '13800009911', roles: ['staff'] }),
  );
  const other = await app.signIn(
    await app.person({ alias: '同事机主', dept: house.dept, phone: '13800009912', roles: ['staff'] }),
  );
  const rows = [1, 2, 3].map((no) => sub({ title: `短信 ${no}`, owner: owner.userId }));
  await run({ title: '发短信的', subs: [...rows, sub({ title: '短信 4', owner: other.userId })] });
  const left = async () =>
    (
      await sql(`select 1 from graphile_worker.jobs where key like 'outside:%:' || $1 or key like 'outside:%:' || $2`, [
        owner.userId,
        other.userId,
      ])
    ).rows.length;
  const texts = async (who: typeof owner) =>
    (await sql(`select s.id from sms_log s where s.module = 'messages' and s.user_id = $1`, [who.userId])).rows.length;
  await eventually(async () => expect(await left()).toBe(0));
  expect([await texts(owner), await texts(other)]).toEqual([1, 1]);
  expect((await house.news(owner, '短信')).length).toBe(3);
  await sql(`update sms_log set gmt_created = gmt_created - interval '1 day'`);
  await run({ title: '次日再发', subs: [sub({ title: '短信 5', owner: owner.userId })] });
  await eventually(async () => expect(await left()).toBe(0));
  expect(await texts(owner)).toBe(2);
}, 180_000);

test('an approved extension must set a date later than the deadline, also if it differs from the one requested', async () => {
  const {
    subs: [one],
  } = await run();
  const before = (await part(one!)).due_at!;
  const asked = await ask(one!, 1, extension);
  for (const due_at of [inDays(5), before.slice(0, 16)])
    expect(await decide(asked.data.id, 1, { due_at })).toRefuse(
      dueWrong,
      '延期后',
      due_at,
      `不晚于现在的时限 ${before.slice(0, 16)}`,
    );
  expect((await rowOf(asked.data.id)).state).toBe(1);
  expect((await part(one!)).due_at).toBe(before);
  expect((await decide(asked.data.id, 1, { due_at: inDays(22) })).code).toBe(0);
  expect((await part(one!)).due_at).toBe(`${inDays(22)}:00`);
});

test('parts, reports, requests and sheets of others answer byte for byte like ones that do not exist', async () => {
  const {
    id,
    subs: [one],
  } = await run();
  const reported = (await report(one!, 20)).data.id;
  const asked = (await ask(one!, 1, extension)).data.id;
  const sheet = { colour: 3, sub_ids: [one!], content: '请说明', answer_by: inDays(3) };
  expect((await put(clerk, house.sheets.issue, id, sheet)).code).toBe(0);
  const issued = (await clerk.get(house.sheets.list, { query: { supervise_id: id } })).value[0]!.id;
  const none = 2_000_000_000;
  const body = { reason: '无关', result: 1, opinion: '无关', title: '无关', is_finish: false };
  const forms = { ...body, sub_id: 0, percent: 10, content: '无关', kind: 4 };
  const tries: [call: Parameters<typeof put>[1], there: number][] = [
    [subs.get, one!],
    [subs.update, one!],
    [subs.remove, one!],
    [subs.cancel, one!],
    [house.progress.check, reported],
    [requests.check, asked],
    [requests.withdraw, asked],
    [house.sheets.receive, issued],
  ];
  const said = async (call: (typeof tries)[number][0], id: number) => {
    const { code, msg, data } = await put(stranger, call, id, body);
    return JSON.stringify({ code, msg, data });
  };
  const same = async () => {
    for (const [call, there] of tries) expect(await said(call, there), call.summary).toBe(await said(call, none));
    for (const call of [house.progress.report, requests.create]) {
      const of = async (sub_id: number) => {
        const { code, msg } = await stranger.ask(call as never, { body: { ...forms, sub_id } } as never);
        return [code, msg];
      };
      expect(await of(one!), call.summary).toEqual(await of(none));
    }
  };
  await same();
  expect(await said(subs.get, one!)).toContain('督办任务');
});
