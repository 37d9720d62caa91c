import { afterAll, expect, test } from 'vitest';
import { createPhoneCodes } from '#modules/platform/accounts/service.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { orders } from './contract/orders.ts';
import { labels, visitorHeader, visitors } from './contract/visitors.ts';
import { openOrders } from './testing/house.ts';

const house = await openOrders();
const { app, staff, desk, second, jia, act, get, finish, done, sql } = house;
afterAll(app.close);
const mine = '13900001111';
const other = '13900002222';
const codes = createPhoneCodes(app.services.secret, app.services.attempts);
const issue = (phone: string) => app.services.databases.write((tx) => codes.issue(tx, phone, 'order'));
const ask = async (method: string, path: string, ticket = '', body?: object) => {
  const answer = await app.stranger.send(path, {
    method,
    headers: { [visitorHeader]: ticket, ...(body ? { 'content-type': 'application/json' } : {}) },
    ...(body ? { body: JSON.stringify(body) } : {}),
  });
  return JSON.parse(answer.bytes.toString()) as { code: number; msg: string; data: never };
};
const proven = async (phone: string) =>
  ((await ask('POST', visitors.visitor.path, '', { phone, code: await issue(phone) })).data as { ticket: string })
    .ticket;
const report = (ticket: string, more: object = {}) =>
  ask('POST', visitors.mine.path, ticket, {
    title: '大厅灯不亮',
    category_id: house.water,
    place: '图书馆大厅',
    description: '灯闪了一下就灭了',
    ...more,
  });
const open = (visitor_orders: boolean) => app.admin.get(settings.saveSite, { body: { visitor_orders } });
const reported = async (ticket: string) => ((await report(ticket)).data as { id: number }).id;

test('while visitors are not admitted every visitor call is refused', async () => {
  expect((await ask('POST', visitors.visitor.path, '', { phone: mine, code: '123456' })).msg).toContain(
    '没有开放访客报修',
  );
  expect((await ask('GET', visitors.mine.path, 'x')).msg).toContain('没有开放访客报修');
  await open(true);
});

test('a visitor’s code allows five guesses, is used once, and only for its number and purpose', async () => {
  const code = await issue(mine);
  const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, '0');
  expect((await ask('POST', visitors.visitor.path, '', { phone: other, code })).code).not.toBe(0);
  for (let guess = 0; guess < 5; guess += 1)
    expect((await ask('POST', visitors.visitor.path, '', { phone: mine, code: wrong })).code).not.toBe(0);
  expect((await ask('POST', visitors.visitor.path, '', { phone: mine, code })).code).not.toBe(0);
});

test('asking for a visitor’s code always needs a proof of work, and answers alike for numbers with orders and without', async () => {
  for (const phone of [mine, other, '13700000000']) {
    const answer = await ask('GET', `/api/accounts/smscode/${phone}/?scene=order`);
    expect(answer.code).not.toBe(0);
    expect(JSON.stringify(answer)).not.toContain('order');
  }
});

test('a visitor’s ticket that was altered, is for another purpose or has expired is refused', async () => {
  const ticket = await proven('13900003333');
  const box = app.services.secretBox;
  const old = ['order visitor', Math.floor(Date.now() / 1000) - 1, '4', mine].join('|');
  const elsewhere = ['order visitor', Math.floor(Date.now() / 1000) + 900, '6', mine].join('|');
  for (const bad of [
    '',
    'x',
    `${ticket.slice(0, -2)}AA`,
    box.seal(mine),
    box.seal(old),
    box.seal(elsewhere),
    `${ticket}${ticket}`,
  ])
    expect((await ask('GET', visitors.mine.path, bad)).msg).toContain('手机验证已过期');
  expect((await ask('GET', visitors.mine.path, ticket)).code).toBe(0);
});

test('a visitor sees only orders of their verified number, without names, and cannot act on others', async () => {
  const [ours, theirs] = [await proven('13900004444'), await proven('13900005555')];
  const id = await reported(ours);
  const staffs = await house.report({ phone: '13900005555' });
  const { data } = await ask('GET', visitors.mine.path, theirs);
  expect((data as { value: unknown[] }).value).toEqual([]);
  for (const path of [`/api/order/mine/${id}/`, `/api/order/mine/${staffs}/`, '/api/order/mine/999999/'])
    expect(await ask('GET', path, theirs)).toMatchObject({ code: 4004, msg: '订单不存在，或您无权查看' });
  expect((await ask('PUT', `/api/order/mine/${id}/state/`, theirs, { s: 3, remark: '' })).code).toBe(4004);
  expect((await ask('PUT', `/api/order/mine/${id}/comment/`, theirs, { score: 1 })).code).toBe(4004);
  const shown = JSON.stringify(await ask('GET', `/api/order/mine/${id}/`, ours));
  for (const word of ['handler', 'creator', 'reporter', 'phone', '13900004444', 'events', '受理员'])
    expect(shown).not.toContain(word);
  expect((await app.stranger.ask(orders.get, { params: { id } })).code).toBe(401);
});

test('a number may report five faults a day, also at once, and the sixth is told so', async () => {
  const ticket = await proven('13900006666');
  const answers = await Promise.all(Array.from({ length: 8 }, () => report(ticket)));
  expect(answers.filter((one) => one.code === 0)).toHaveLength(5);
  expect(answers.find((one) => one.code !== 0)!.msg).toContain('一天最多报修 5 次');
});

test('a visitor’s report waits for the desk, is accepted by one of two clerks, and is confirmed and rated by the visitor', async () => {
  const ticket = await proven('13900007777');
  const id = await reported(ticket);
  expect(
    (await desk.get(orders.list, { query: { category: 'duty', per_page: 100 } })).value.map((row) => row.id),
  ).toContain(id);
  expect(
    (await jia.get(orders.list, { query: { category: 'duty', per_page: 100 } })).value.map((row) => row.id),
  ).not.toContain(id);
  const both = await Promise.all([act(desk, id, 'accept'), act(second, id, 'accept')]);
  expect(both.filter((one) => one.code === 0)).toHaveLength(1);
  expect(both.find((one) => one.code !== 0)!.msg).toMatch(/已由受理(员|二)受理/);
  await done(act(desk, id, 'assign', { handlers: [jia.userId] }));
  await done(act(jia, id, 'take'));
  await done(finish(jia, id));
  const change = (s: number, remark = '') => ask('PUT', `/api/order/mine/${id}/state/`, ticket, { s, remark });
  expect((await change(3)).msg).toContain('不能撤回');
  expect((await change(1, '还是不亮')).code).toBe(0);
  expect(await get(id)).toMatchObject({ stage: 40, reopen_count: 1, handler_name: '贾师傅' });
  await done(finish(jia, id));
  expect((await change(4)).code).toBe(0);
  const rate = (score: number) => ask('PUT', `/api/order/mine/${id}/comment/`, ticket, { score, content: '谢谢' });
  const twice = await Promise.all([rate(5), rate(1)]);
  expect(twice.some((one) => one.code === 0)).toBe(true);
  const { comments, events, stage } = await get(id);
  expect([stage, comments.filter((one) => !one.is_addition)]).toEqual([
    80,
    [expect.objectContaining({ score: comments[0]!.score })],
  ]);
  expect(events.find((event) => event.kind === 'confirm')!.who).toBe('来访人');
  expect(events.find((event) => event.kind === 'rework')!.who).toBe('来访人');
  expect((await desk.ask(orders.comment, { params: { id }, body: { score: 5 } as never })).msg).toBe(
    '评价由报修人本人办理',
  );
});

test('a label reveals only a place, and guessed labels or those of another site all get one answer', async () => {
  const { code, id } = await house.asset({ asset_no: 'ZC-77' });
  const { data } = await app.stranger.ask(labels.label, { params: { code } });
  expect(Object.keys(data.value).sort()).toEqual([
    'asset_id',
    'building',
    'category_id',
    'category_name',
    'floor',
    'name',
    'room',
  ]);
  expect(JSON.stringify(data)).not.toContain('ZC-77');
  const guess = 'a'.repeat(16);
  expect((await app.stranger.ask(labels.label, { params: { code: guess } })).msg).toBe('标签不存在，或您无权查看');
  await sql(`update order_asset set is_deleted = true where id = ${id}`);
  expect((await app.stranger.ask(labels.label, { params: { code } })).msg).toBe('标签不存在，或您无权查看');
  await expect(sql(`update order_asset set code = '${guess}' where id = ${id}`)).rejects.toThrow('stands');
  expect((await report(await proven('13900008888'), { label: guess })).msg).toBe('标签不存在，或您无权查看');
});

test('labels requested more often than anybody scans are delayed, with the waiting time', async () => {
  const { code } = await house.asset({ asset_no: 'ZC-78' });
  const answers = [];
  for (let n = 0; n < 70; n++) answers.push(await app.stranger.ask(labels.label, { params: { code } }));
  expect([answers[0]!.code, answers.at(-1)!.code]).toEqual([0, 4029]);
  expect(answers.at(-1)!.msg).toMatch(/扫码.*秒/);
});

test('labels are reprinted without new codes', async () => {
  const { id, code } = await house.asset();
  const print = async () => (await desk.send(`/api/order/asset/labels/?ids=${id}`)).bytes;
  const [first, again] = [await print(), await print()];
  expect(first.subarray(0, 5).toString()).toBe('%PDF-');
  expect(first.equals(again)).toBe(true);
  expect(
    (await desk.get((await import('./contract/settings.ts')).assets.list, { query: { per_page: 100 } })).value.find(
      (row) => row.id === id,
    )!.code,
  ).toBe(code);
  expect((await staff.send(`/api/order/asset/labels/?ids=${id}`)).bytes.toString()).toContain('权限');
});

test('a visitor may give one star, and the desk is told', async () => {
  const ticket = await proven('13900003333');
  const id = await reported(ticket);
  await done(act(desk, id, 'accept'));
  await done(act(desk, id, 'assign', { handlers: [jia.userId] }));
  await done(act(jia, id, 'take'));
  await done(act(jia, id, 'start'));
  await done(finish(jia, id));
  const rating = await ask('PUT', `/api/order/mine/${id}/comment/`, ticket, { score: 1, content: '还是不亮' });
  expect([rating.code, rating.msg]).toEqual([0, expect.any(String)]);
  expect((await get(id)).stage).toBe(80);
});

test('a visitor’s withdrawal is announced and recorded as theirs, before and after acceptance', async () => {
  const ticket = await proven('13900009191');
  const withdraw = async (id: number, remark: string) =>
    expect((await ask('PUT', `/api/order/mine/${id}/state/`, ticket, { s: 3, remark })).code).toBe(0);
  const told = async (who: typeof desk, sn: string) =>
    (
      await sql(
        `select from msg m join msg_user u on u.msg_id = m.id where u.user_id = $1 and m.content like '%' || $2 || ' 已由来访人撤回%'`,
        [who.userId, sn],
      )
    ).rowCount === 1;
  const fresh = await reported(ticket);
  await withdraw(fresh, '自己修好了');
  const sent = await reported(ticket);
  await done(act(desk, sent, 'accept'));
  await done(act(desk, sent, 'assign', { handlers: [jia.userId] }));
  await withdraw(sent, '');
  for (const id of [fresh, sent]) {
    const { stage, events, sn } = await get(id);
    expect(stage).toBe(90);
    expect(events[0]).toMatchObject({ kind: 'withdraw', who: '来访人' });
    expect(await told(desk, sn)).toBe(true);
    expect(await told(jia, sn)).toBe(id === sent);
  }
});
