import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { workflows } from './contract.ts';
import { designCalls } from './contract/design.ts';
import { partCalls } from './contract/parts.ts';
import { releaseCalls } from './contract/release.ts';

const all: PermissionCode[] = ['Create', 'Retrieve', 'Update', 'Delete'];
let app: TestOffice;
let keeper: Client;
let staff: Client;
let serial = 0;

beforeAll(async () => {
  app = await openTestApp();
  keeper = await app.clerk({ 'workflow/list': all }, { alias: '流程员', dept: await app.dept('信息中心') });
  staff = await app.clerk({}, { alias: '张三' });
}, 180_000);
afterAll(() => app.close());

const add = (body: object = {}, by = keeper) =>
  by.get(designCalls.add, { body: { name: `流程 ${++serial}`, ...body } });
const design = (id: number, by = keeper) => by.get(designCalls.get, { params: { id } });
const change = (id: number, body: object, by = keeper) => by.ask(designCalls.change, { params: { id }, body });

describe('a new workflow', () => {
  test('begins as a publishable draft, and nobody can start it before it is published', async () => {
    const { id } = await add();
    const seen = await design(id);
    expect([seen.has_draft, seen.published_version, seen.problems, seen.tickets]).toEqual([true, null, [], 0]);
    expect(seen.actions).toEqual(['edit', 'publish', 'retire', 'delete']);
    expect(seen.next_ids).toEqual({ state: 4, transition: 5, field: 2 });
    expect((await staff.ask(workflows.initState, { params: { id } })).code).toBe(4004);
    const rows = (await keeper.get(workflows.list, { query: { per_page: 100 } })).value;
    const row = rows.find((flow) => flow.id === id);
    expect([row?.can_start, row?.why_not, row?.has_draft]).toEqual([false, '流程还没有发布', true]);
  });

  test('needs a name and a key that no other workflow has', async () => {
    const { id } = await add({ name: '唯一的', key: 'only_one' });
    const again = await keeper.ask(designCalls.add, { body: { name: '唯一的' } });
    expect([again.code, again.msg]).toEqual([4009, '名称“唯一的”已被使用，请换一个']);
    expect((await keeper.ask(designCalls.add, { body: { name: '另一个', key: 'only_one' } })).code).toBe(4009);
    const other = await add();
    expect((await change(other.id, { name: '唯一的' })).code).toBe(4009);
    expect((await design(id)).name).toBe('唯一的');
  });

  test('can begin as a copy, or from an exported definition', async () => {
    const repair = (await keeper.get(workflows.list)).value.find((flow) => flow.key === 'it_service')!;
    const exported = await design(repair.id);
    const copy = await design((await add({ copy_of: repair.id })).id);
    expect({ ...copy.definition, name: '信息化服务' }).toEqual(exported.definition);
    const file = JSON.parse(JSON.stringify(exported.definition)) as object;
    const imported = await design((await add({ definition: file })).id);
    expect(imported.definition.states).toEqual(exported.definition.states);
    expect((await keeper.ask(designCalls.add, { body: { name: '无源', copy_of: 999_999 } })).code).toBe(4004);
  });
});

describe('the draft of a workflow', () => {
  test('is edited in parts, and the same parts are read back', async () => {
    const { id } = await add();
    const participants = [{ type: 4 as const, roles: ['xld'] }];
    const state = { name: '复核', kind: 'approve' as const, order: 3, participants };
    const made = await keeper.get(partCalls.addState, { params: { id }, body: state });
    expect([made.id, made.key]).toEqual([4, 'state_4']);
    const cid = made.id;
    await keeper.get(partCalls.changeState, { params: { id, cid }, body: { name: '二审', version: made.version } });
    const states = (await keeper.get(partCalls.states, { params: { id } })).value;
    expect(states.map((one) => one.name)).toEqual(['发起', '审批', '完成', '二审']);
    expect(states[3]!.participants).toEqual(participants);

    const way = { name: '送复核', source: 2, destination: cid, attribute: 1 } as const;
    const link = await keeper.get(partCalls.addTransition, { params: { id }, body: way });
    await keeper.get(partCalls.changeTransition, { params: { id, cid: link.id }, body: { alert_enable: true } });
    const linked = (await keeper.get(partCalls.transitions, { params: { id } })).value.find(
      (one) => one.id === link.id,
    );
    expect([linked?.name, linked?.alert_enable, linked?.destination]).toEqual(['送复核', true, cid]);

    const field = await keeper.get(partCalls.addField, {
      params: { id },
      body: { key: 'amount', name: '金额', type: 15 },
    });
    const full = await design(id);
    const access = { title: 2, amount: 3 } as const;
    await keeper.get(partCalls.changeState, { params: { id, cid: 1 }, body: { access, version: full.version } });
    const compared = await design(id);
    const doubles = { fields: ['title', 'amount'], days: 30 };
    const amount = { op: 'field', field: 'amount' } as const;
    const checks = [{ left: amount, op: 'gt', right: { op: 'value', value: 0 }, message: '金额要大于 0' }];
    const settings = { ...compared.definition.settings, doubles, checks };
    await keeper.get(designCalls.change, {
      params: { id },
      body: { definition: { ...compared.definition, settings } as never },
    });
    await keeper.get(partCalls.changeField, { params: { id, cid: field.id }, body: { key: 'money' } });
    const renamed = await design(id);
    expect(renamed.definition.states[0]!.access).toEqual({ title: 2, money: 3 });
    expect(renamed.definition.settings.doubles?.fields).toEqual(['title', 'money']);
    expect(renamed.definition.settings.checks?.[0]?.left).toEqual({ op: 'field', field: 'money' });
    const fields = (await keeper.get(partCalls.fields, { params: { id } })).value;
    expect(fields.map((one) => one.key)).toEqual(['title', 'money']);

    await keeper.get(partCalls.removeField, { params: { id, cid: fields[1]!.id } });
    await keeper.get(partCalls.removeTransition, { params: { id, cid: 4 } });
    await keeper.get(partCalls.removeState, { params: { id, cid } });
    const last = await design(id);
    expect(last.definition.transitions.map((one) => one.key)).toEqual(['save', 'submit', 'agree']);
    expect(last.definition.states[0]!.access).toEqual({ title: 2 });
    expect(last.definition.settings.doubles?.fields).toEqual(['title']);
    for (const call of [partCalls.removeState, partCalls.removeTransition, partCalls.removeField])
      expect((await keeper.ask(call, { params: { id, cid: 99 } })).code).toBe(4004);
  });

  test('refuses doubled keys, reserved keys and transitions to nowhere with a sentence', async () => {
    const { id } = await add();
    const field = (key: string) =>
      keeper.ask(partCalls.addField, { params: { id }, body: { key, name: '字段', type: 5 } });
    expect((await field('title')).msg).toBe('字段标识“title”重复，请改成不同的');
    expect((await field('creator')).msg).toBe('字段“字段”的标识“creator”是系统保留字，请换一个');
    const lost = await keeper.ask(partCalls.addTransition, {
      params: { id },
      body: { name: '去哪', source: 2, destination: 77, attribute: 1 },
    });
    expect([lost.code, lost.msg]).toEqual([4000, '流转“去哪”连着的环节 77 不在流程里']);
    expect((await design(id)).definition.fields.length).toBe(1);
  });

  test('is also saved as a whole under the lock, and discarded for the published version', async () => {
    const { id } = await add();
    const first = await design(id);
    const { definition } = first;
    const moved = { ...definition, states: definition.states.map((state) => ({ ...state, label: { x: 10 } })) };
    const saved = await change(id, { definition: moved, version: first.version });
    expect([saved.code, saved.data.version, saved.data.definition.states[0]!.label]).toEqual([
      0,
      first.version + 1,
      { x: 10 },
    ]);
    const late = await change(id, { definition, version: first.version });
    expect(late.code).toBe(4011);
    expect((late.data as unknown as { current: { version: number } }).current.version).toBe(saved.data.version);
    expect((await change(id, { discard_draft: true })).msg).toBe('流程还没有发布过，草稿不能放弃');
    const stalePart = await keeper.ask(partCalls.changeState, {
      params: { id, cid: 2 },
      body: { name: '晚', version: 0 },
    });
    expect(stalePart.code).toBe(4011);
    await keeper.get(releaseCalls.publish, { params: { id }, body: {} });
    await change(id, { definition: { ...definition, transitions: [] } });
    const back = await change(id, { discard_draft: true });
    expect([back.data.has_draft, back.data.definition.states[0]!.label]).toEqual([false, { x: 10 }]);
  });

  test('keeps the number of each part with its key, also when an imported definition replaces it', async () => {
    const { id } = await add();
    await keeper.get(releaseCalls.publish, { params: { id }, body: {} });
    const { definition } = await design(id);
    // The same keys under other numbers, and a new key under a number another key has had.
    const number: Record<number, number> = { 1: 8, 2: 9, 3: 2 };
    const elsewhere = {
      ...definition,
      states: [
        ...definition.states.map((state) => ({ ...state, id: number[state.id]! })),
        { ...definition.states[1]!, id: 3, key: 'extra', name: '加审' },
      ],
      transitions: definition.transitions.map((one) => ({
        ...one,
        source: number[one.source]!,
        destination: one.key === 'agree' ? 3 : number[one.destination]!,
      })),
    };
    const { data } = await change(id, { definition: elsewhere });
    expect(data.definition.states.map(({ id: no, key }) => [no, key])).toEqual([
      [1, 'start'],
      [2, 'approve'],
      [3, 'done'],
      [4, 'extra'],
    ]);
    expect(data.definition.transitions.find((one) => one.key === 'agree')?.destination).toBe(4);
    expect(data.definition.transitions.find((one) => one.key === 'submit')?.destination).toBe(2);
  });
});

describe('an import', () => {
  const body = (definition: unknown) => JSON.stringify({ name: `导入 ${++serial}`, definition });
  const send = async (text: string) => {
    const response = await keeper.fetch('/api/workflows/', {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: text,
    });
    return (await response.json()) as { code: number; msg: string };
  };

  test('of hostile JSON is refused with a sentence', async () => {
    const { definition } = await design((await add()).id);
    const [state] = definition.states;
    const many = Array.from({ length: 10_000 }, (_none, n) => ({
      id: n + 1,
      key: `s${n}`,
      name: 's',
      kind: 'end',
      order: 1,
    }));
    const tooMany = await send(body({ ...definition, states: many }));
    expect([tooMany.code, tooMany.msg]).toEqual([4000, '环节：最多 100 个环节']);
    const proto = body(definition).replace(
      '"states":[',
      '"states":[{"__proto__":{"polluted":true},"id":99,"key":"z","name":"z","kind":"end","order":9},',
    );
    const refused = await send(proto);
    expect(refused.code).not.toBe(0);
    expect(refused.msg).toMatch(/\p{Script=Han}/u);
    for (const [key, sentence] of [
      ['__proto__', /只能用小写字母/],
      ['constructor', /系统保留字/],
      ['prototype', /系统保留字/],
    ] as const) {
      const answer = await send(body({ ...definition, fields: [{ id: 1, key, name: '坏', type: 5 }] }));
      expect([answer.code, sentence.test(answer.msg)], key).toEqual([4000, true]);
    }
    for (const [levels, sentence] of [
      [20, /条件过于复杂/],
      [2000, /嵌套过深，最多 64 层/],
    ] as const) {
      let deep: unknown = { op: 'empty', field: 'title' };
      for (let level = 0; level < levels; level++) deep = { op: 'not', of: deep };
      const conditions = [{ expression: deep, target_state_id: state!.id }];
      const transitions = definition.transitions.map((one) => ({ ...one, conditions }));
      const nested = await send(body({ ...definition, transitions }));
      expect([nested.code, sentence.test(nested.msg)], `${levels}`).toEqual([4000, true]);
    }
    const text = [{ expression: '{amount} > 5', target_state_id: 1 }];
    expect(
      (await send(body({ ...definition, transitions: [{ ...definition.transitions[0]!, conditions: text }] }))).code,
    ).toBe(4000);
    expect('polluted' in {}).toBe(false);
  });

  test('of an endless loop is kept as a draft, and the loop is named at publishing', async () => {
    const { definition } = await design((await add()).id);
    const ring = definition.transitions.map((one) => (one.key === 'agree' ? { ...one, destination: 1 } : one));
    const { id } = await add({ definition: { ...definition, transitions: ring } });
    const answer = await keeper.ask(releaseCalls.publish, { params: { id }, body: {} });
    expect([answer.code, answer.msg]).toEqual([
      -1,
      '还不能发布，有 3 个问题：环节“发起”之后走不到结束环节，工单会一直停在“发起”“审批”之间；环节“审批”之后走不到结束环节，工单会一直停在“发起”“审批”之间；环节“完成”从开始环节走不到',
    ]);
    expect((answer.data as unknown as { problems: unknown[] }).problems[0]).toEqual({
      kind: 'state',
      key: 'start',
      msg: '环节“发起”之后走不到结束环节，工单会一直停在“发起”“审批”之间',
    });
  });
});
