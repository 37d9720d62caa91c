import { afterAll, expect, test } from 'vitest';
import { started } from '#modules/platform/started/contract.ts';
import { waiting } from '#modules/platform/waits/contract.ts';
import { finishedBare, orders } from './contract/orders.ts';
import { categories } from './contract/settings.ts';
import { incidentClosed, register as registerIncident } from './service.ts';
import { openOrders } from './testing/house.ts';

const house = await openOrders();
const {
  app,
  staff,
  desk,
  second,
  jia,
  xia,
  fu,
  chief,
  act,
  state,
  get,
  finish,
  walked,
  report,
  done,
  sql,
  news,
  category,
} = house;
afterAll(app.close);

const said = (answer: { bytes: Buffer }) => JSON.parse(answer.bytes.toString()) as { code: number };
const write = app.services.databases.write;

test('the service desk sees who of the team has most open orders, and a printed slip links to its order', async () => {
  const id = await report();
  const taken = await walked(40);
  const { value } = await desk.get(orders.handlers, { params: { id } });
  const busy = value.find((one) => one.id === jia.userId)!;
  expect(busy).toMatchObject({ alias: '贾师傅' });
  expect(busy.open).toBeGreaterThan(0);
  expect((await get(taken)).handler_name).toBe('贾师傅');
  expect((await staff.ask(orders.handlers, { params: { id } })).code).toBe(4003);
  expect((await staff.get(orders.slip, { params: { id } })).image).toMatch(/^data:image\/(png|svg\+xml)[;,]/);
  expect((await house.colleague.ask(orders.slip, { params: { id } })).code).toBe(4004);
});

test('an order with a fee above the limit is not finished without consent, and its materials are summed from their rows', async () => {
  const id = await walked(40);
  const lines = [
    { name: '水龙头', spec: 'DN15', qty: 2, price: 35.1 },
    { name: '生料带', spec: '', qty: 1, price: 2.05 },
  ];
  await done(act(jia, id, 'material', { materials: lines }));
  const [first] = (await get(id)).materials;
  const twice = await Promise.all([
    act(jia, id, 'material', { storno: first!.id }),
    act(jia, id, 'material', { storno: first!.id }),
  ]);
  expect(twice.filter((one) => one.code === 0)).toHaveLength(1);
  expect((await get(id)).materials_sum).toBe(2.05);
  await done(act(jia, id, 'fee', { fee: 150, words: '' }));
  expect(await get(id)).toMatchObject({ fee: 150, fee_state: 0 });
  expect((await finish(jia, id, { fee: 800 })).msg).toBe(
    '费用 802.05 元（含材料 2.05 元）超过 200.00 元，须先申请费用审批，同意后才能完工',
  );
  expect((await get(id)).stage).toBe(40);
  await done(act(jia, id, 'fee', { fee: 800, words: '要换阀门' }));
  expect(await get(id)).toMatchObject({ stage: 40, fee: 800, fee_state: 1 });
  const { ticket_id } = await get(id);
  await house.press(chief, ticket_id!, '同意');
  expect(await get(id, jia)).toMatchObject({ stage: 40, fee_state: 2, handler_name: '贾师傅' });
  await done(finish(jia, id));
});

test('materials alone above the limit also need consent, and no line may exceed the largest amount', async () => {
  const id = await walked(40);
  await done(act(jia, id, 'material', { materials: [{ name: '灯管', qty: 3, price: 100 }] }));
  expect((await finish(jia, id)).msg).toContain('费用 300.00 元（含材料 300.00 元）超过 200.00 元，须先申请费用审批');
  const dear = { name: '灯管', qty: 1_000_000, price: 99_999_999 };
  expect((await act(jia, id, 'material', { materials: [dear] })).msg).toContain('金额过大，请核对数量和单价');
  expect(await get(id)).toMatchObject({ stage: 40, materials_sum: 300 });
});

test('a reporter sees text and pictures of an order merged into theirs but not its reporter, who follows the merged order', async () => {
  const { colleague } = house;
  const sent = await house.picture(staff);
  const merged = await report({ description: '机房漏水', photos: [sent], contact: '张三本人' });
  const kept = await report({}, colleague);
  await done(desk.ask(orders.merge, { params: { id: merged }, body: { into: kept, reason: '同一处' } }));
  const [shown] = (await get(kept, colleague)).merged;
  expect(shown).toMatchObject({ id: merged, seen: false, description: '机房漏水', photo_files: [{ id: sent }] });
  expect((await get(merged, staff)).merged_into).toMatchObject({ id: kept, seen: true });
  // It continues with the open order, whose reporter is not disclosed.
  expect(await get(kept, staff)).toMatchObject({ contact: '', reporter_name: '', phone: '' });
  expect((await colleague.fetch(`/api/file/${sent}/`)).headers.get('content-type')).toContain('image/');
  expect((await colleague.ask(orders.get, { params: { id: merged } })).code).toBe(4004);
  const listed = (await colleague.get(orders.list, { query: { per_page: 100 } as never })).value.map((row) => row.id);
  expect(listed).toContain(kept);
  expect(listed).not.toContain(merged);
  await done(act(desk, kept, 'assign', { handlers: [jia.userId] }));
  expect((await get(merged, jia)).contact).toBe('张三本人');
});

test('finishing an order twice succeeds the second time only for the person who finished it', async () => {
  const id = await walked(60);
  expect(await finish(jia, id)).toMatchObject({ code: 0, data: { stage: 60 } });
  expect(await finish(jia, id, { result: '又换了一次阀门' })).toMatchObject({ code: 4010 });
  expect(await finish(house.head, id)).not.toMatchObject({ code: 0 });
  expect(await finish(xia, id)).not.toMatchObject({ code: 0 });
  expect((await get(id)).result).toBe('更换了密封圈');
});

test('two clerks who merge two orders into each other close exactly one, and the other shows its text and history', async () => {
  const [a, b] = [await report({ description: '甲处漏水' }), await report({ description: '乙处漏水' })];
  const merge = (who: typeof desk, id: number, into: number) =>
    who.ask(orders.merge, { params: { id }, body: { into, reason: '同一处' } });
  const answers = await Promise.all([merge(desk, a, b), merge(second, b, a)]);
  expect(answers.filter((one) => one.code === 0)).toHaveLength(1);
  expect(answers.find((one) => one.code !== 0)!.msg).toContain('不能合并');
  const [closed, open] = (await get(a)).stage === 90 ? [a, b] : [b, a];
  const kept = await get(open);
  expect(kept.stage).toBe(10);
  expect(kept.merged).toMatchObject([{ id: closed, description: closed === a ? '甲处漏水' : '乙处漏水' }]);
  expect((await get(closed)).merged_into).toMatchObject({ id: open, seen: true });
  await expect(
    sql(`update repair_order set act_state = 5, stage = 90, merged_into = ${closed} where id = ${open}`),
  ).rejects.toThrow('is not open');
});

test('simultaneous actions on an order leave one outcome: assigned or withdrawn, finished or closed, confirmed or sent back', async () => {
  for (let round = 0; round < 4; round += 1) {
    const one = await report();
    const first = await Promise.all([act(desk, one, 'assign', { handlers: [jia.userId] }), state(staff, one, 3)]);
    expect(first.some((answer) => answer.code === 0)).toBe(true);
    expect([0, 20]).toContain((await get(one, staff)).stage);
    const two = await walked(40);
    const second = await Promise.all([finish(jia, two), state(desk, two, 5, { remark: '不修了' })]);
    expect(second.some((answer) => answer.code === 0)).toBe(true);
    expect([60, 90]).toContain((await get(two)).stage);
    const three = await walked(60);
    const third = await Promise.all([state(staff, three, 4), state(staff, three, 1, { remark: '没好' })]);
    expect(third.filter((answer) => answer.code === 0)).toHaveLength(1);
    expect([70, 40]).toContain((await get(three)).stage);
  }
}, 180_000);

test('a finishing request repeated by a proxy takes effect once, and one from another site is refused', async () => {
  const id = await walked(40);
  const ask = (headers: Record<string, string> = {}) => jia.send(`/api/order/${id}/state/?s=6`, { headers });
  expect(said(await ask({ 'sec-fetch-site': 'cross-site' })).code).not.toBe(0);
  expect((await get(id)).stage).toBe(40);
  for (const one of await Promise.all([ask(), ask(), ask()]))
    expect(said(one)).toMatchObject({ code: 0, data: { stage: 60 } });
  expect((await get(id)).events.filter((event) => event.kind === 'finish')).toHaveLength(1);
});

test('an order finished by its address alone gets the earlier result, the remark sent, or a standard sentence', async () => {
  const finished = async (more = '', before?: string) => {
    const id = await walked(40);
    if (before) await sql('update repair_order set result = $1 where id = $2', [before, id]);
    expect(said(await jia.send(`/api/order/${id}/state/?s=6${more}`))).toMatchObject({ code: 0, data: { stage: 60 } });
    return (await get(id)).result;
  };
  expect(await finished()).toBe(finishedBare);
  expect(await finished('&remark=好了')).toBe(finishedBare);
  expect(await finished(`&remark=${encodeURIComponent('换了水龙头')}`)).toBe('换了水龙头');
  expect(await finished('', '已经修好了')).toBe('已经修好了');
  // The form still requires a result.
  const id = await walked(40);
  expect(await state(jia, id, 6)).toMatchObject({ code: 4000, msg: expect.stringContaining('处理结果') as string });
});

test('fifty orders of an automatic category are distributed evenly over five handlers', async () => {
  for (const name of ['甲', '乙']) await house.hire(`${name}师傅`, { dept: house.team, roles: ['order_handler'] });
  const kind = await category({ auto_dispatch: true });
  for (let batch = 0; batch < 5; batch += 1)
    await Promise.all(Array.from({ length: 10 }, (_one, at) => report({ category_id: kind, room: `${batch}${at}` })));
  const { rows } = await sql(
    `select count(*)::int n from repair_order where category_id = ${kind} and stage = 20 group by handler_id`,
  );
  const { rows: held } = await sql(
    `select handler_id, count(*)::int n from repair_order where stage in (20, 30, 40, 50) and handler_id is not null group by 1 order by 2`,
  );
  expect(rows.reduce((sum: number, row: { n: number }) => sum + row.n, 0)).toBe(50);
  expect(held.at(-1).n - held[0].n).toBeLessThanOrEqual(1);
}, 180_000);

test('the counts of a tab and of a column equal the total of its list for everybody, including intakes', async () => {
  for (const who of [staff, desk, second, jia, xia, fu, chief]) {
    const count = await who.get(orders.count, {});
    const total = async (query: object) => (await who.get(orders.list, { query: query as never })).total;
    expect([count.duty, count.mine]).toEqual([await total({ category: 'duty' }), await total({ category: 'owner' })]);
    for (const stage of [10, 20, 40, 60]) expect(count.by_stage[stage] ?? 0).toBe(await total({ stage }));
    expect(count.overdue).toBe(await total({ overdue: true }));
  }
});

test('an incident makes one repair order however often it is pressed, and closing the order does not end the incident', async () => {
  const kind = house.water;
  const one = () =>
    write(async (tx) => {
      const { personWithRights, viewerOf } = await import('#modules/platform/people/service/rights.ts');
      const user = viewerOf((await personWithRights(tx, desk.userId))!, 0);
      const context = {
        tx,
        user,
        now: new Date(),
        origin: { ip: '', userAgent: '', traceId: '' },
        audit: () => undefined,
      };
      return registerIncident(context, {
        incident: { module: 'monitors', id: 77 },
        title: '门户网站打不开',
        description: '连续 3 次失败',
        category_id: kind,
        place: '门户网站',
      });
    });
  const made = await Promise.all([one(), one(), one()]);
  expect(new Set(made.map((order) => order.id)).size).toBe(1);
  expect(made.filter((order) => order.is_new)).toHaveLength(1);
  const { id } = made[0]!;
  await done(act(desk, id, 'assign', { handlers: [jia.userId] }));
  await done(act(jia, id, 'take'));
  await write((tx) => incidentClosed(tx, 77, '已恢复，历时 12 分钟'));
  const shown = await get(id, jia);
  expect(shown).toMatchObject({ stage: 30, source: 4, place: '门户网站' });
  expect(shown.events[0]).toMatchObject({ kind: 'incident', words: '已恢复，历时 12 分钟' });
  expect((await news(jia, '报修进展')).length).toBeGreaterThan(0);
});

test('a caller is registered with few fields: their number finds them and their last place', async () => {
  const body = { ...house.input({ room: '402' }), contact: '王女士', phone: '13800001234' };
  const { id } = await desk.get(orders.register, { body: body as never });
  expect(await get(id)).toMatchObject({ source: 3, contact: '王女士', phone: '13800001234', reporter_name: '王女士' });
  const { caller } = await desk.get(orders.similar, { query: { phone: '13800001234' } });
  expect(caller).toMatchObject({ id: null, name: '王女士', room: '402' });
  expect((await staff.get(orders.similar, { query: { phone: '13800001234' } })).caller).toBeNull();
  const { data } = await desk.ask(orders.register, {
    body: { ...body, reporter: staff.userId, handlers: [jia.userId] } as never,
  });
  expect(data.stage).toBe(20);
  // The person who registered it sends it to another, although they are its handler.
  await done(act(desk, data.id, 'assign', { handlers: [xia.userId], version: (await get(data.id)).version }));
  expect(await get(data.id)).toMatchObject({ stage: 20, handler_name: '夏师傅' });
  expect((await get(data.id, staff)).reporter_name).toBe('张三');
});

test('an order registered for somebody else is listed as that person’s order and as the registrar’s ticket', async () => {
  const title = '替张三登记的报修';
  const body = { ...house.input({ title }), contact: '张三', phone: '13800005678', reporter: staff.userId };
  const { id } = await desk.get(orders.register, { body: body as never });
  const startedBy = async (who: typeof desk) => {
    const { value } = await who.get(started.list, { query: { search_value: title, per_page: 100 } as never });
    return value.map(({ key, web_path }) => [key, web_path]);
  };
  expect(await startedBy(staff)).toEqual([['orders', `/order/detail/${id}`]]);
  expect(await startedBy(desk)).toEqual([['ticket', `/order/detail/${id}`]]);
  // An order that one registers without a reporter counts as one's own, and is listed once.
  const again = { ...body, room: '612', reporter: desk.userId };
  const own = await desk.get(orders.register, { body: again as never });
  expect((await startedBy(desk)).toSorted()).toEqual([
    ['orders', `/order/detail/${own.id}`],
    ['ticket', `/order/detail/${id}`],
  ]);
});

test('the desk returns an order with a comment to its reporter, who corrects and resubmits it', async () => {
  const id = await house.report();
  expect(await house.act(house.desk, id, 'refuse')).toMatchObject({ code: 4000 });
  await house.done(house.act(house.desk, id, 'refuse', { words: '不属维修范围' }));
  expect(await house.get(id)).toMatchObject({ act_state: 2, stage: 0 });
});

test('an order reassigned while its fee is being approved can still be finished', async () => {
  const id = await house.walked(40);
  await house.done(house.act(house.jia, id, 'fee', { fee: 500 }));
  const { version } = await get(id);
  await house.done(house.act(house.desk, id, 'assign', { handlers: [house.xia.userId], version }));
  await house.done(house.act(house.xia, id, 'take'));
  await house.done(house.act(house.xia, id, 'start'));
  expect((await house.get(id, house.xia)).actions).toContain('finish');
});

test('of many clerks who assign one order at once exactly one does, and the others hear who assigned it to whom', async () => {
  const clerks = [
    desk,
    second,
    ...(await Promise.all(['三', '四', '五', '六'].map((n) => house.hire(`受理${n}`, { roles: ['order_desk'] })))),
  ];
  const hands = [jia, xia, fu];
  for (const visited of [false, true]) {
    const id = await report();
    const { version } = await get(id);
    const answers = await Promise.all(
      clerks.map((clerk, at) =>
        act(clerk, id, 'assign', { handlers: [hands[at % 3]!.userId], ...(visited ? { version } : {}) }),
      ),
    );
    expect(answers.filter((one) => one.code === 0)).toHaveLength(1);
    const { handler_name, events } = await get(id);
    const sent = events.filter((event) => event.kind === 'dispatch');
    expect(sent).toHaveLength(1);
    for (const one of answers.filter((answer) => answer.code !== 0))
      expect(one).toMatchObject({ code: 4010, msg: expect.stringContaining(`已由${sent[0]!.who}派给${handler_name}`) });
  }
});

test('a closed order cannot be assigned, and says that it is closed even if it was assigned before', async () => {
  const id = await walked(20);
  await done(state(desk, id, 5, { remark: '重复报修' }));
  const { value } = await desk.get(orders.assignMany, { body: { ids: [id], handlers: [xia.userId] } });
  expect(value[0]!.msg).toContain('现在是“已关闭”，不能派单');
});

test('the completion time of a fault category cannot be shorter than its response time', async () => {
  const short = { response_0: 500, finish_0: 10 };
  await expect(category(short)).rejects.toThrow('普通：完工（分钟）：10 分钟比响应的 500 分钟短');
  const id = await category({ response_0: 10, finish_0: 10 });
  const change = (body: object) => desk.ask(categories.change, { params: { id }, body: body as never });
  expect((await change({ response_0: 11 })).code).toBe(4000);
  expect((await change({ name: '改了名字的类别' })).code).toBe(0);
});

test('orders assigned in a batch each go to the handler if open, and the others get a reason', async () => {
  const ids = [await report(), await report(), await walked(20)];
  const { value } = await desk.get(orders.assignMany, { body: { ids: [...ids, 999_999], handlers: [xia.userId] } });
  expect(value.map((one) => one.ok)).toEqual([true, true, false, false]);
  expect(value[2]!.msg).toContain('派给贾师傅');
  for (const id of ids.slice(0, 2)) expect(await get(id)).toMatchObject({ stage: 20, handler_name: '夏师傅' });
  expect(await staff.ask(orders.assignMany, { body: { ids, handlers: [xia.userId] } })).toMatchObject({ code: 4003 });
});

test('materials count toward the limit, and exceeding an approved fee needs a new approval', async () => {
  const id = await walked(40);
  await done(act(jia, id, 'material', { materials: [{ name: '阀门', spec: '', qty: 1, price: 150 }] }));
  await done(act(jia, id, 'fee', { fee: 60, words: '' }));
  expect(await get(id)).toMatchObject({ fee_state: 1 });
  expect((await act(jia, id, 'material', { materials: [{ name: '水泵', spec: '', qty: 1, price: 900 }] })).msg).toBe(
    '费用 210.00 元正在审批，加上这些材料为 1,110.00 元；请等审批结束后再登记，并按新的费用重新申请',
  );
  expect(await get(id)).toMatchObject({ materials_sum: 150 });
  await house.press(chief, (await get(id)).ticket_id!, '同意');
  expect((await finish(jia, id, { materials: [{ name: '软管', spec: '', qty: 1, price: 20 }] })).msg).toBe(
    '费用 230.00 元（含材料 170.00 元）超过 200.00 元，须先申请费用审批，同意后才能完工',
  );
  await done(finish(jia, id));
  const dear = await walked(40);
  expect((await finish(jia, dear, { materials: [{ name: '水泵', spec: '', qty: 1, price: 300 }] })).code).toBe(4010);
  expect(await get(dear)).toMatchObject({ stage: 40, materials: [] });
});

test('a caller is recognised by their mobile number in any spelling, such as +86 and spaces', async () => {
  const body = { ...house.input({ room: '777' }), contact: '李先生', phone: '+86 138 1111 2222' };
  const { id } = await desk.get(orders.register, { body: body as never });
  expect((await get(id)).phone).toBe('13811112222');
  for (const phone of ['13811112222', '86-138-1111-2222', '+8613811112222'])
    expect((await desk.get(orders.similar, { query: { phone } })).caller).toMatchObject({
      name: '李先生',
      room: '777',
    });
});

test('the reporter of a merged order is told each step of the order it went into, and asked nothing', async () => {
  const { colleague, head } = house;
  const kept = await report({ title: '主单漏水' });
  const first = await report({ title: '先并漏水' }, colleague);
  const last = await report({ title: '后并漏水' }, head);
  const merge = (id: number, into: number) =>
    done(desk.ask(orders.merge, { params: { id }, body: { into, reason: '同一处' } }));
  await merge(last, first);
  await merge(first, kept);
  await done(act(desk, kept, 'assign', { handlers: [jia.userId] }));
  await done(act(jia, kept, 'take'));
  await done(act(jia, kept, 'start'));
  await done(finish(jia, kept));
  const heard = async (who: typeof desk, title: string): Promise<string> => {
    const { rows } = await sql(
      `select string_agg(m.content, chr(10)) said from msg m join msg_user u on u.msg_id = m.id
        where u.user_id = $1 and m.title like '%' || $2`,
      [who.userId, title],
    );
    return rows[0].said ?? '';
  };
  for (const [who, title] of [
    [colleague, '先并漏水'],
    [head, '后并漏水'],
  ] as const) {
    const words = await heard(who, title);
    for (const step of ['已派给贾师傅', '贾师傅已完工：更换了密封圈']) expect(words).toContain(step);
    expect(words).not.toContain('请确认');
  }
  // The reporter of the remaining order is asked to confirm it by their ticket.
  expect(await heard(staff, '主单漏水')).toContain('报修人确认');
  expect((await state(colleague, first, 4)).code).not.toBe(0);
});

test('the number of reports from outside is the same in the badge, the tab and the list, for all who see it', async () => {
  for (let round = 0; round < 3; round += 1) {
    await sql(
      `insert into repair_order (sn, title, category_id, stage, act_state, source, is_deleted, search)
        select 'R' || $1::text || '-' || n, '访客报修' || n, $2, 10, 1, 5, random() < 0.3, '' from generate_series(1, 9) n`,
      [round, house.water],
    );
    for (const who of [desk, second, jia, staff]) {
      const { value } = await who.get(waiting.mine, {});
      const badge = value.find((kind) => kind.page === 'order/list');
      const { total } = await who.get(orders.list, { query: { category: 'intake' } as never });
      expect(badge?.count ?? 0).toBe(total);
      if (badge) expect(badge.path).toBe('/order/list?category=intake');
    }
  }
});
