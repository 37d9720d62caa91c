import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestOffice, type Client, type TestOffice } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { workflows } from '#modules/workflows/contract.ts';
import { deptPersonTable } from '#modules/people/tables.ts';
import { categories, tickets } from './contract.ts';

const form = {
  title: '水管漏水',
  category: 'water_power',
  place: '一号楼 301',
  urgency: 'urgent',
  description: '洗手池',
};
const own = { 'ticket/new': ['Create'], 'ticket/owner': ['Retrieve'] } as const;
const [save, submit, headAgrees, headRefuses, leaderAgrees, leaderRefuses, finish, giveBack] = [1, 2, 3, 4, 5, 6, 7, 8];

let office: TestOffice;
let repair: number;
let leave: number;
let staff: Client;
let head: Client;
let leader: Client;
let worker: Client;
let other: Client;
let stranger: Client;

beforeAll(async () => {
  office = await openTestOffice();
  const dept = await office.dept('后勤处');
  const elsewhere = await office.dept('图书馆');
  const grants = { 'ticket/new': [...own['ticket/new']], 'ticket/owner': [...own['ticket/owner']] };
  const clerk = (alias: string, more: object = {}) => office.clerk(grants, { alias, dept, dataScope: 5, ...more });
  staff = await clerk('张三');
  head = await clerk('李四');
  leader = await clerk('王五');
  worker = await clerk('赵六', { roles: ['order_handler'] });
  other = await clerk('钱七', { roles: ['order_handler'] });
  stranger = await clerk('外人', { dept: elsewhere });
  await office.services.databases.write((tx) =>
    tx.insert(deptPersonTable).values([
      { deptId: dept, userId: head.userId, part: 'leader' },
      { deptId: dept, userId: leader.userId, part: 'dept_ld' },
    ]),
  );
  const flows = await staff.get(workflows.list);
  repair = flows.value.find((flow) => flow.key === 'repair')!.id;
  leave = flows.value.find((flow) => flow.key === 'leave')!.id;
}, 60_000);
afterAll(() => office.close());

const begin = (fields: object = {}, transition_id = submit, by = staff) =>
  by.get(tickets.start, { body: { workflow_id: repair, transition_id, ...form, ...fields } });
const does = (who: Client, id: number, transition_id: number, more: object = {}) =>
  who.ask(tickets.handle, { params: { id }, body: { transition_id, suggestion: '好', ...more } });
const detail = async (who: Client, id: number) => (await who.get(tickets.get, { params: { id } })).value;
const duties = async (who: Client) =>
  (await who.get(tickets.list, { query: { category: 'duty', per_page: 100 } })).value.map((row) => row.id);

describe('a repair order', () => {
  test('goes over the head to whoever claims it, and ends', async () => {
    const { id, sn, act_state } = await begin({ amount: 300 });
    expect(act_state).toBe(1);
    expect(sn).toMatch(/^BX\d{8}\d{4}$/);
    expect(await duties(head)).toContain(id);
    expect((await does(head, id, headAgrees)).msg).toBe('处理成功');
    expect(await duties(head)).not.toContain(id);
    expect(await duties(worker)).toContain(id);
    expect(await duties(other)).toContain(id);
    expect((await worker.ask(tickets.accept, { params: { id }, body: {} })).code).toBe(0);
    expect(await duties(other)).not.toContain(id);
    const done = await does(worker, id, finish, { result: '换了垫圈', actual_amount: 12.5 });
    expect([done.code, done.data.act_state]).toEqual([0, 4]);
    const seen = await detail(staff, id);
    expect([seen.act_state_name, seen.state.state_name, seen.finished_at !== null, seen.actions]).toEqual([
      '已完成',
      '完成',
      true,
      ['cc', 'comment'],
    ]);
    const { value } = await staff.get(tickets.flowlogs, { params: { id } });
    expect(value.map((row) => row.transition.transition_name)).toEqual(['提交', '同意', '接单', '完成']);
    expect(value.map((row) => row.participant_info?.alias)).toEqual(['张三', '李四', '赵六', '赵六']);
    const steps = await staff.get(tickets.flowsteps, { params: { id } });
    expect(steps.value.filter((step) => step.is_current).map((step) => step.state_name)).toEqual(['完成']);
  });

  test('goes to the leader in charge as well above 5000 yuan', async () => {
    const { id } = await begin({ amount: 5001 });
    await does(head, id, headAgrees);
    expect(await duties(leader)).toContain(id);
    expect((await detail(staff, id)).participant_info.participant_alias).toBe('王五');
    expect((await does(leader, id, leaderAgrees)).code).toBe(0);
    expect(await duties(worker)).toContain(id);
  });

  test('comes back to its creator with words when refused, and starts a new round', async () => {
    const { id } = await begin({ amount: 6000 });
    const wordless = await does(head, id, headRefuses, { suggestion: ' ' });
    expect([wordless.code, wordless.msg]).toEqual([4000, '意见：“拒绝”需要填写意见']);
    await does(head, id, headAgrees);
    const refused = await does(leader, id, leaderRefuses, { suggestion: '请补充报价' });
    expect(refused.data.act_state).toBe(2);
    expect(await duties(staff)).toContain(id);
    expect((await detail(staff, id)).actions.toSorted()).toEqual([
      'cc',
      'close',
      'comment',
      'delete',
      'save',
      'submit',
    ]);
    const again = await does(staff, id, submit, { amount: 100 });
    expect([again.code, again.data.act_state]).toEqual([0, 1]);
    expect((await detail(head, id)).round).toBe(2);
    await does(head, id, headAgrees);
    await worker.ask(tickets.accept, { params: { id }, body: {} });
    expect((await does(worker, id, giveBack, { suggestion: '地点不清' })).data.act_state).toBe(2);
  });

  test('is claimed by exactly one of two who try at once', async () => {
    for (let round = 0; round < 5; round++) {
      const { id } = await begin();
      await does(head, id, headAgrees);
      const answers = await Promise.all(
        [worker, other].map((who) => who.ask(tickets.accept, { params: { id }, body: {} })),
      );
      expect(answers.map((answer) => answer.code).toSorted()).toEqual([0, 4010]);
      const late = answers.find((answer) => answer.code === 4010)!;
      expect(late.msg).toMatch(/^(赵六|钱七)已在 \d{4}-\d\d-\d\d \d\d:\d\d:\d\d「接单」/);
      expect(late.data).toEqual({ act_state: 1, actions: ['comment'] });
    }
  });
});

describe('a draft', () => {
  test('is nobody else’s, and its creator may delete it', async () => {
    const { id, act_state } = await begin({ title: '还没写完' }, save);
    expect(act_state).toBe(0);
    for (const who of [head, office.admin]) expect((await who.ask(tickets.get, { params: { id } })).code).toBe(4004);
    expect((await staff.ask(tickets.remove, { params: { id } })).code).toBe(0);
    expect((await staff.ask(tickets.get, { params: { id } })).code).toBe(4004);
  });

  test('keeps what was written and asks for the rest when it is submitted', async () => {
    const { id } = await begin({ title: '半成品', description: '' }, save);
    const early = await does(staff, id, submit);
    expect([early.code, early.msg]).toEqual([4000, '说明：不能为空']);
    expect((await does(staff, id, submit, { description: '都在这里' })).data.act_state).toBe(1);
  });
});

describe('a stranger', () => {
  test('finds a ticket nowhere, and missing and forbidden look the same', async () => {
    const { id, sn } = await begin({ title: '金丝雀工单' });
    const missing = await stranger.ask(tickets.get, { params: { id: 2_000_000_000 } });
    for (const call of [tickets.get, tickets.transitions, tickets.flowsteps, tickets.flowlogs] as const) {
      const answer = await stranger.ask(call as typeof tickets.get, { params: { id } });
      expect([answer.code, answer.msg, answer.data]).toEqual([4004, missing.msg, missing.data]);
    }
    expect((await does(stranger, id, headAgrees)).code).toBe(4004);
    expect((await stranger.ask(tickets.accept, { params: { id }, body: {} })).code).toBe(4004);
    expect((await stranger.ask(tickets.remove, { params: { id } })).code).toBe(4004);
    for (const query of [{}, { search_value: '金丝雀' }, { sn }, { ticket_ids: String(id) }, { title: '金丝雀' }]) {
      const list = await stranger.get(tickets.list, { query: query as never });
      expect([list.total, list.value]).toEqual([0, []]);
    }
    const counts = await stranger.get(tickets.jiaobiao);
    expect(Object.values(counts.by_category).every((count) => count === 0)).toBe(true);
    expect((await stranger.ask(tickets.list, { query: { category: 'all' } })).code).toBe(4003);
    expect((await (await stranger.fetch('/api/tickets/?export=xlsx')).json()) as object).toMatchObject({ code: 4003 });
    const mine = await staff.get(tickets.list, { query: { search_value: '金丝雀' } });
    expect(mine.value.map((row) => row.id)).toEqual([id]);
  });

  test('sees all tickets of the own scope with the page of all tickets, and no more', async () => {
    const { id } = await begin();
    const wide = await office.clerk({ 'ticket/all': ['Retrieve', 'daochu'] }, { dataScope: 1 });
    const narrow = await office.clerk(
      { 'ticket/all': ['Retrieve', 'daochu'] },
      { dataScope: 3, dept: await office.dept() },
    );
    const has = async (who: Client) =>
      (await who.get(tickets.list, { query: { category: 'all', ticket_ids: String(id) } as never })).total;
    expect([await has(wide), await has(narrow)]).toEqual([1, 0]);
    expect((await narrow.ask(tickets.get, { params: { id } })).code).toBe(4004);
    expect((await detail(wide, id)).actions).toEqual(['comment']);
    const sheet = await wide.fetch('/api/tickets/?category=all&export=xlsx');
    expect(sheet.headers.get('content-type')).toContain('spreadsheet');
  });
});

describe('fields', () => {
  test('are written only where the state lets one, and read only by who may', async () => {
    const { id } = await begin({ amount: 300 });
    const touched = await does(head, id, headAgrees, { amount: 1 });
    expect([touched.code, touched.msg]).toEqual([4000, '预计金额：在当前环节不能修改']);
    const hidden = await does(head, id, headAgrees, { result: '偷写' });
    expect([hidden.code, hidden.msg]).toEqual([4000, 'result：当前环节没有这个字段']);
    const unknown = await does(head, id, headAgrees, { nonsense: 1 });
    expect(unknown.msg).toBe('nonsense：当前环节没有这个字段');
    const rights = (await detail(head, id)).field_list.map((field) => [field.field_key, field.field_attribute]);
    expect(rights).toContainEqual(['amount', 1]);
    const viewer = await office.clerk({ 'ticket/all': ['Retrieve'] });
    const shown = (await detail(viewer, id)).field_list.map((field) => field.field_key);
    expect(shown).toEqual(['title', 'category', 'place', 'urgency', 'result']);
    const logs = await viewer.get(tickets.flowlogs, { params: { id }, query: { ticket_data: true } as never });
    expect(Object.keys(logs.value[0]!.ticket_data!).toSorted()).toEqual(['category', 'place', 'title', 'urgency']);
  });
});

test('every category’s list total is its badge, for everybody', async () => {
  for (const who of [staff, head, leader, worker, other, stranger, office.admin]) {
    const { by_category, total } = await who.get(tickets.jiaobiao);
    for (const category of categories) {
      const list = await who.ask(tickets.list, { query: { category, per_page: 1 } });
      expect([category, list.code === 0 ? list.data.total : undefined]).toEqual([category, by_category[category]]);
    }
    expect(total).toBe(by_category['duty']);
    expect((await who.get(tickets.userMsg)).duty).toBe(total);
  }
});

test('the same key twice starts one ticket', async () => {
  const body = { workflow_id: repair, transition_id: submit, ...form };
  const send = () => staff.ask(tickets.start, { body }, { 'idempotency-key': 'one-ticket-once' });
  const [first, second] = await Promise.all([send(), send()]);
  expect(second.data).toEqual(first.data);
  expect((await staff.get(tickets.list, { query: { sn: first.data.sn } as never })).total).toBe(1);
});

test('an older version is refused with the ticket as it is now', async () => {
  const { id } = await begin({ title: '旧版本' }, save);
  const { version } = await detail(staff, id);
  await does(staff, id, save, { title: '新版本', version });
  const late = await does(staff, id, save, { title: '更旧的', version });
  expect(late.code).toBe(4011);
  expect((late.data as unknown as { current: { title: string } }).current.title).toBe('新版本');
});

test('what is offered succeeds and what is not is refused, for everybody at each step', async () => {
  const everybody = [staff, head, leader, worker, other];
  for (let walk = 0; walk < 4; walk++) {
    const { id } = await begin({ amount: walk % 2 ? 9000 : 10 });
    for (let step = 0; step < 8; step++) {
      const offers = [];
      for (const who of everybody) {
        const answer = await who.ask(tickets.transitions, { params: { id } });
        const mine = answer.code === 0 ? answer.data.value : [];
        for (const transition of [1, 2, 3, 4, 5, 6, 7, 8]) {
          if (mine.some((offer) => offer.transition_id === transition)) continue;
          expect([4004, 4010]).toContain((await does(who, id, transition)).code);
        }
        offers.push(
          ...mine
            .filter((offer) => offer.transition_id !== null || offer.code === 'accept')
            .map((offer) => ({ who, offer })),
        );
      }
      if (offers.length === 0) break;
      const { who, offer } = offers[(walk + step) % offers.length]!;
      const answer =
        offer.code === 'accept'
          ? await who.ask(tickets.accept, { params: { id }, body: {} })
          : await does(who, id, offer.transition_id!, offer.state_id === 4 ? { result: '好了' } : {});
      expect([offer.code, answer.code, answer.msg]).toEqual([offer.code, 0, expect.any(String)]);
    }
  }
}, 60_000);

test('a leave request asks the superior of a head who applies, and says why', async () => {
  const body = {
    workflow_id: leave,
    transition_id: 2,
    kind: 'sick',
    from: '2026-11-23',
    to: '2026-11-24',
    days: 2,
    reason: '感冒',
  };
  const { id } = await head.get(tickets.start, { body });
  expect((await detail(head, id)).title).toBe('李四 病假 2 天');
  expect((await detail(head, id)).participant_info.participant_alias).toBe('王五');
  const { value } = await head.get(tickets.flowlogs, { params: { id } });
  expect(value[0]!.reasons).toEqual(['处理人是发起人本人，转由上级处理（李四）']);
});

describe('the workflows', () => {
  test('say how a ticket begins and who may look at conditions', async () => {
    const start = await staff.get(workflows.initState, { params: { id: repair } });
    expect(start.field_list.map((field) => field.field_attribute)).toEqual([2, 2, 2, 3, 2, 2, 3]);
    expect(start.transition.map((offer) => offer.code)).toEqual(['save', 'submit']);
    const conditions = async (who: Client) =>
      (await who.get(workflows.simpleDescription, { params: { id: repair } })).workflow_transition_info.flatMap(
        (transition) => transition.condition_expression.map((condition) => condition.text),
      );
    expect([await conditions(staff), await conditions(office.admin)]).toEqual([[], ['预计金额 大于 5000']]);
    expect(await staff.get(workflows.canIntervene, { params: { id: repair } })).toEqual({ can_intervene: false });
  });

  test('keep what was published, and the log what was done', async () => {
    const { pool } = office.services.databases;
    await expect(pool.query(`update workflow_version set definition = '{}'`)).rejects.toThrow('immutable');
    await expect(pool.query('delete from ticket_log')).rejects.toThrow('append-only');
    await expect(pool.query(`update ticket_log set suggestion = 'x'`)).rejects.toThrow('append-only');
  });
});

test('a decision on a form that has changed since it was seen is refused with what changed', async () => {
  const { id } = await begin({ amount: 300 });
  const seen = await detail(head, id);
  const hash = { seen_hash: seen.seen_hash };
  expect((await detail(staff, id)).seen_hash).not.toBe('');
  await does(head, id, headRefuses);
  expect((await does(staff, id, submit, { ...form, amount: 900, title: '水管又漏水' })).code).toBe(0);
  const refused = await does(head, id, headAgrees, hash);
  expect([refused.code, refused.msg]).toEqual([
    4011,
    '您打开之后，「标题」由“水管漏水”改为“水管又漏水”；「预计金额」由“300”改为“900”，请核对后再提交',
  ]);
  const { changes, current } = refused.data as unknown as { changes: object[]; current: { seen_hash: string } };
  expect(changes).toHaveLength(2);
  expect((await does(head, id, headAgrees, { seen_hash: 'f'.repeat(64) })).msg).toMatch(/表单内容有变化/);
  expect((await does(head, id, headAgrees, { seen_hash: current.seen_hash })).code).toBe(0);
  const { rows } = await office.db.$client.query(
    'select seen_hash from ticket_task where ticket_id = $1 and status = $2',
    [id, 'agree'],
  );
  expect(rows.map((row: { seen_hash: string }) => row.seen_hash)).toContain(current.seen_hash);
});

test('lists are filtered and ordered by the fields a workflow shows, and by nothing it hides', async () => {
  const ids: number[] = [];
  for (const amount of [100, 7000, 900]) ids.push((await begin({ amount })).id);
  const ask = (who: Client, query: object) =>
    who.ask(tickets.list, { query: { workflow_ids: String(repair), ticket_ids: ids.join(), ...query } as never });
  const found = async (who: Client, query: object) => (await ask(who, query)).data.value.map((row) => row.id);
  const own = { category: 'owner' };
  const fields = (asked: object) => ({ ...own, fields: JSON.stringify(asked) });
  expect(await found(staff, fields({ amount: { gte: 900 } }))).toEqual([ids[2], ids[1]]);
  expect(await found(staff, fields({ amount: 100, category: 'water_power' }))).toEqual([ids[0]]);
  expect(await found(staff, fields({ place: '301' }))).toHaveLength(3);
  expect(await found(staff, { ...own, field_sort: '-amount' })).toEqual([ids[1], ids[2], ids[0]]);
  expect(await found(staff, { ...own, field_sort: 'amount' })).toEqual([ids[0], ids[2], ids[1]]);
  const refused = async (who: Client, query: object) => (await ask(who, query)).msg;
  // The head sees the amount while it is theirs to decide, others never: so nobody may ask for it among tickets of others.
  expect(await refused(head, { fields: '{"amount":100}' })).toBe('字段：“amount”不能用来筛选或排序');
  expect(await refused(head, { field_sort: 'amount' })).toBe('字段：“amount”不能用来筛选或排序');
  expect(await refused(staff, fields({ nothing: 'x' }))).toMatch(/不能用来筛选或排序/);
  expect(await refused(staff, fields({ amount: 'viel' }))).toBe('预计金额：请输入数字');
  expect(await refused(staff, fields({ category: { gte: 'a' } }))).toBe('报修类别：不能按范围筛选');
  expect(await refused(staff, { ...fields({ amount: 1 }), workflow_ids: `${repair},${leave}` })).toMatch(
    /请选择一个流程/,
  );
  expect((await ask(staff, { ...own, fields: '{' })).code).toBe(4000);

  const told = async (query: object) =>
    (await staff.get(workflows.simpleDescription, { params: { id: repair }, query })).workflow_field_info;
  expect(await told({})).toEqual([]);
  const offered = await told({ fields: true });
  const of = (key: string) => offered.find((field) => field.field_key === key);
  expect(of('amount')).toMatchObject({ filter: 'number', sortable: true, own: true });
  expect(of('category')).toMatchObject({
    filter: 'choice',
    choices: expect.arrayContaining([{ value: 'network', label: '网络' }]),
  });
  expect(of('photos')).toBeUndefined();
  // What is offered is what is taken: for everybody, or among one's own only.
  for (const { field_key, sortable, own: mine } of offered.filter((field) => field.sortable)) {
    expect([sortable, (await ask(staff, { ...own, field_sort: field_key })).code]).toEqual([true, 0]);
    expect((await ask(head, { field_sort: field_key })).code).toBe(mine ? 4000 : 0);
  }
});

test('a list takes as many statements for one row as for many, and each call a known number', async ({ skip }) => {
  skip(process.env['NODES'] !== undefined, 'counted in this process, and another node answers every second call');
  const related = (per_page: number) => head.get(tickets.list, { query: { category: 'relation', per_page } });
  const { id } = await begin();
  await begin();
  await related(100);
  const first = await counted(head, () => related(1));
  const many = await counted(head, () => related(100));
  expect(many).toEqual(first);
  const writing = (statements: string[]) => statements.filter((text) => /^(begin|update)/.test(text));
  const marked = await counted(head, () => detail(head, id));
  expect(writing(marked)).toHaveLength(3);
  const read = await counted(head, () => detail(head, id));
  expect(writing(read)).toEqual([]);
  const badges = await counted(head, () => head.get(tickets.jiaobiao));
  const created = await counted(staff, () => begin());
  const handled = await counted(head, () => does(head, id, headAgrees));
  const counts = { list: many, detail: read, badges, create: created, handle: handled };
  expect(Object.fromEntries(Object.entries(counts).map(([call, all]) => [call, all.length]))).toEqual({
    list: 5,
    detail: 4,
    badges: 3,
    create: 18,
    handle: 23,
  });
});
