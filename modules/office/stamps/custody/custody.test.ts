import { afterAll, beforeAll, expect, test } from 'vitest';
import { messages } from '#modules/platform/messages/contract.ts';
import { custodyCalls } from '../contract/custody.ts';
import { custodyKind } from '../contract/seal-codes.ts';
import { sealCalls } from '../contract/seals.ts';
import { tellOfEnded } from './jobs.ts';
import { openSealHouse } from '../testing/seals.ts';

let house: Awaited<ReturnType<typeof openSealHouse>>;
beforeAll(async () => {
  house = await openSealHouse();
});
afterAll(() => house.app.close());

test('custody of a seal changes hands only when both people have signed', async () => {
  const stamp = await house.register();
  const { event, signed } = await house.handOver(stamp);
  expect(await house.keptNow(stamp)).toBe('张保管');
  expect(await house.sign(house.clerk.client, event)).toMatchObject({ code: 4004 });
  expect((await house.sign(house.other.client, event)).msg).toMatch('请拍摄印模照片');
  expect((await house.sign(house.other.client, event, { password: 'Wrong-2026' })).msg).toMatch('登录密码不正确');
  expect(await signed()).toMatchObject({ code: 0 });
  expect(await house.keptNow(stamp)).toBe('李保管');
  expect((await house.sign(house.other.client, event)).msg).toMatch('已生效');
  const { value } = await house.auditor.client.get(custodyCalls.custody, { query: { stamp_id: stamp } });
  expect(value.map((one) => [one.kind, one.state, one.pictures.length])).toEqual([
    [custodyKind.handOver, 1, 2],
    [custodyKind.begin, 1, 0],
  ]);
  const told = (await house.auditor.client.get(messages.unread)).value.map((one) => one.title);
  expect(told).toContain('“行政公章1”已办理交接');
});

test('a person who takes over a seal without a keeper has to sign for it like anybody', async () => {
  const { app, dept } = house;
  const both = await app.person({ alias: '兼任', roles: ['office_admin', 'seal_keeper', 'staff'], dept });
  const left = await app.person({ alias: '离任', roles: ['seal_keeper', 'staff'], dept });
  const client = await app.signIn(both);
  const stamp = await house.register({ name: '无人保管的章', keeper: left.username });
  await house.run(`update app_user set is_active = false where id = ${left.id}`);
  const files = [await house.picture(client)];
  const asked = await house.propose(client, stamp, { kind: custodyKind.handOver, to: both.username, files });
  expect(asked.msg).toBe('已登记');
  expect((await house.box(client)).map((one) => one.title)).toContain('请签收：“无人保管的章”交接');
});

test('a seal is listed, offered to its department, partly changed, and deleted only while it was never used', async () => {
  const { office, clerk, other } = house;
  const stamp = await house.register();
  const { name } = await office.client.get(sealCalls.stamp, { params: { id: stamp } });
  const listed = async () => (await office.client.get(sealCalls.stamps, { query: { search_value: name } })).value;
  expect((await listed()).map((one) => [one.id, one.keeper_info.alias, one.actions])).toEqual([
    [stamp, '张保管', ['update', 'delete']],
  ]);
  const { value } = await clerk.client.get(sealCalls.deptStamps);
  expect(value.find((one) => one.id === stamp)).toMatchObject({ keeper_now: { alias: '张保管' }, why: '' });
  const saved = await office.client.ask(sealCalls.putStamp, {
    params: { id: stamp },
    body: { place: '二号柜' } as never,
  });
  expect(saved.code).toBe(0);
  expect(await office.client.get(sealCalls.stamp, { params: { id: stamp } })).toMatchObject({ name, place: '二号柜' });
  const drop = (id: number, who = office) => who.client.ask(sealCalls.removeStamp, { params: { id } });
  expect((await drop(stamp, other)).code).toBe(4003);
  expect((await drop(stamp)).code).toBe(0);
  expect(await listed()).toEqual([]);
  const used = await house.register();
  await (await house.handOver(used)).signed();
  expect((await drop(used)).code).toBe(4010);
  expect(await house.keptNow(used)).toBe('李保管');
});

test('a substitute keeper’s right ends at its hour', async () => {
  const stamp = await house.register();
  const until = new Date(Date.now() + 8 * 3_600_000 + 3_600_000).toISOString().slice(0, 16);
  const ask = (more: object) =>
    house.propose(house.keeper.client, stamp, {
      kind: custodyKind.caretaker,
      to: house.other.username,
      until,
      ...more,
    });
  expect((await ask({ until: '2030-01-01 00:00' })).msg).toMatch('最长 15 天');
  const asked = await ask({});
  expect(await ask({})).toMatchObject({ code: 4009 });
  const by = { password: undefined };
  expect((await house.sign(house.other.client, asked.data.id!, by)).msg).toMatch('请手写签名，或输入登录密码');
  const signature = await house.picture(house.other.client);
  expect(await house.sign(house.other.client, asked.data.id!, { ...by, signature })).toMatchObject({ code: 0 });
  expect(await house.keptNow(stamp)).toBe('李保管');
  await house.run('alter table stamp_custody disable trigger stamp_custody_append_only');
  await house.run(
    `update stamp_custody set from_time = now() - interval '2 hours', until = now() - interval '1 second' where id = ${asked.data.id}`,
  );
  await house.run('alter table stamp_custody enable trigger stamp_custody_append_only');
  expect(await house.keptNow(stamp)).toBe('张保管');
  const told = async (who: typeof house.keeper) =>
    (await house.box(who.client)).filter((one) => one.title.includes('代管到期')).map((one) => one.web_path);
  for (let nth = 0; nth < 2; nth += 1) await house.app.services.databases.write(tellOfEnded);
  for (const who of [house.keeper, house.other]) expect(await told(who)).toEqual([`/stamp/list/detail/${stamp}`]);
  expect(await house.propose(house.keeper.client, stamp, { kind: custodyKind.caretakerEnds })).toMatchObject({
    code: 0,
  });
});

test('the keeper cannot change keeper, supervisor or status of any seal', async () => {
  const stamp = await house.register();
  const change = (who = house.keeper) =>
    who.client.ask(sealCalls.changeStamp, {
      params: { id: stamp },
      body: { keeper_id: house.other.id, supervisor_id: null, status: 3, place: '一号柜' } as never,
    });
  expect(await change()).toMatchObject({ code: 4003 });
  expect(await change(house.auditor)).toMatchObject({ code: 4003 });
  expect(await change(house.office)).toMatchObject({ code: 0 });
  expect(await house.office.client.get(sealCalls.stamp, { params: { id: stamp } })).toMatchObject({
    place: '一号柜',
    status: 1,
    keeper_info: { alias: '张保管' },
    supervisor_info: { alias: '王监印' },
  });
  for (const kind of [custodyKind.suspend, custodyKind.resume, custodyKind.reappoint, custodyKind.destroy])
    expect((await house.propose(house.keeper.client, stamp, { kind })).code).toBe(4003);
  await expect(house.run(`update stamp set keeper_id = ${house.other.id} where id = ${stamp}`)).rejects.toThrow(
    'by custody alone',
  );
});

test('a new supervisor replaces only the old one, and an update without people changes none', async () => {
  const stamp = await house.register({ backup: house.other.username });
  const change = (body: object) => house.propose(house.office.client, stamp, { kind: custodyKind.reappoint, ...body });
  const parts = async () => {
    const { supervisor_info, backup_info } = await house.office.client.get(sealCalls.stamp, { params: { id: stamp } });
    return [supervisor_info?.alias, backup_info?.alias];
  };
  expect(await change({})).toMatchObject({ code: -1, msg: '办理监印变更请选择备岗或监印人' });
  expect(await parts()).toEqual(['王监印', '李保管']);
  expect((await change({ supervisor: house.other.username })).msg).toBe('同一人不能既是备岗又是监印人，请另选一人');
  expect((await change({ supervisor: house.witness.username })).code).toBe(0);
  expect(await parts()).toEqual(['孙见证', '李保管']);
  expect((await change({ backup: null })).code).toBe(0);
  expect(await parts()).toEqual(['孙见证', undefined]);
});

test('a chain of custody can only be appended to, by any statement', async () => {
  const stamp = await house.register();
  for (const statement of [
    `update stamp_custody set reason = '' where stamp_id = ${stamp}`,
    `delete from stamp_custody where stamp_id = ${stamp}`,
    'truncate stamp_custody cascade',
  ])
    await expect(house.run(statement)).rejects.toThrow('append-only');
});

test('a seal is destroyed once two others have signed, and then has no keeper', async () => {
  const stamp = await house.register();
  const files = [await house.picture(house.office.client)];
  const witnesses = [house.witness.username, house.head.username];
  const ask = (more: object) =>
    house.propose(house.office.client, stamp, { kind: custodyKind.destroy, files, witnesses, ...more });
  expect((await ask({ witnesses: [house.witness.username] })).msg).toMatch('两位见证人');
  const event = (await ask({})).data.id!;
  expect(await house.sign(house.clerk.client, event, { result: 3 })).toMatchObject({ code: 4004 });
  expect(await house.sign(house.witness.client, event, { result: 3 })).toMatchObject({ code: 0 });
  const status = async () => (await house.office.client.get(sealCalls.stamp, { params: { id: stamp } })).status;
  expect([await status(), (await house.sign(house.head.client, event, { result: 3 })).code, await status()]).toEqual([
    1, 0, 5,
  ]);
  expect((await ask({})).code).toBe(4010);
});

test('an inventory requires the label of that seal and a picture of its imprint', async () => {
  const [stamp, another] = [await house.register(), await house.register()];
  const files = async () => [await house.picture(house.keeper.client)];
  const look = async (more: object) =>
    house.propose(house.keeper.client, stamp, { kind: custodyKind.inventory, files: await files(), ...more });
  expect((await look({})).msg).toMatch('扫描印章标签');
  expect((await look({ code: `YZ:${another}:` })).msg).toMatch('请核对印章');
  expect((await look({ code: `YZ:${stamp}:` })).code).toBe(0);
});

test('a person who may not use the sealing desk cannot become keeper, and the refusal says what to do', async () => {
  const stamp = await house.register();
  const files = [await house.picture(house.keeper.client)];
  const give = (kind: number, more: object) =>
    house.propose(house.keeper.client, stamp, { kind, to: house.clerk.username, files, ...more });
  const until = new Date(Date.now() + 9 * 3_600_000).toISOString().slice(0, 16);
  for (const [kind, more] of [
    [custodyKind.handOver, {}],
    [custodyKind.caretaker, { until }],
  ] as const)
    expect((await give(kind, more)).msg).toContain('赵职员没有“用印办理”的权限');
  await expect(house.register({ keeper: house.clerk.username })).rejects.toThrow('请先授予“印章保管员”角色');
  await expect(house.register({ backup: house.witness.username })).rejects.toThrow('备岗孙见证');
});

test('a message about a seal links to its page for those who may open it, and for others to where they sign', async () => {
  const stamp = await house.register();
  const files = [await house.picture(house.office.client)];
  const witnesses = [house.witness.username, house.head.username];
  const asked = await house.propose(house.office.client, stamp, { kind: custodyKind.destroy, files, witnesses });
  expect(await house.sign(house.office.client, asked.data.id!, { result: 2 })).toMatchObject({ code: 0 });
  const path = async (who: typeof house.head) => (await house.box(who.client))[0]!.web_path;
  expect(await path(house.head)).toBe(`/stamp/list/detail/${stamp}`);
  expect(await path(house.witness)).toBe('/stamp/custody');
  const open = (who: typeof house.head) => who.client.ask(sealCalls.stamp, { params: { id: stamp } });
  expect((await open(house.head)).data.custody).toContain(custodyKind.suspend);
  expect((await open(house.witness)).code).toBe(4004);
});

test('a seal for two people cannot be registered or changed without a second person', async () => {
  const { office, propose, register, dept, keeper } = house;
  const told = '是须双人用印的印章，没有监印人或备岗就无人可以确认，请选择监印人';
  const body = { name: '无人监印', type: 1, dept_id: dept, keeper: keeper.username, stamp_no: 'WRJY' };
  const added = await office.client.ask(sealCalls.addStamp, { body: body as never });
  expect(added.msg).toBe(`“无人监印”${told}`);
  const plain = await register({ name: '部门章', type: 6, supervisor: null });
  const changed = await office.client.ask(sealCalls.changeStamp, { params: { id: plain }, body: { type: 1 } as never });
  expect(changed.msg).toContain(told);
  const two = await register();
  const left = await propose(office.client, two, { kind: custodyKind.reappoint, supervisor: null });
  expect(left.msg).toContain(told);
});

test('a two-person seal is not handed over to its second person where nobody else could confirm', async () => {
  const { keeper, other, office, picture, propose, register, sign, watcher } = house;
  const stamp = await register({ supervisor: null, backup: other.username });
  const ask = async () =>
    propose(keeper.client, stamp, {
      kind: custodyKind.handOver,
      to: other.username,
      files: [await picture(keeper.client)],
    });
  expect((await ask()).msg).toContain('没有监印人或备岗就无人可以确认，请选择监印人');
  const name = (supervisor: string | null) =>
    propose(office.client, stamp, { kind: custodyKind.reappoint, supervisor });
  expect((await name(watcher.username)).code).toBe(0);
  const asked = await ask();
  expect(asked.code, asked.msg).toBe(0);
  // The second person may be removed between proposal and signature.
  expect((await name(null)).code).toBe(0);
  const signs = async () => sign(other.client, asked.data.id!, { files: [await picture(other.client)] });
  expect((await signs()).msg).toContain('没有监印人或备岗就无人可以确认，请选择监印人');
  expect((await name(watcher.username)).code).toBe(0);
  expect((await signs()).msg).not.toContain('监印人');
  expect(await house.keptNow(stamp)).toBe('李保管');
});
