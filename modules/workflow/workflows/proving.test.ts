import { costOf } from '#kernel/server/testing/cost.ts';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { heldUp } from '#apps/server/testing/held-up.ts';
import { openTestApp } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { designCalls } from './contract/design.ts';
import { releaseCalls } from './contract/release.ts';
import { Definition } from './engine/definition.ts';
import { prove } from './proof/proving.ts';

const app = await openTestApp();
afterAll(() => app.close());

const choices = (prefix: string, count: number) =>
  Array.from({ length: count }, (_none, index) => ({ value: `${prefix}${index}`, label: `${prefix}${index}` }));
/** Three states and selects of many choices, each asked about by a condition. */
const wide = (name: string, ...counts: number[]) => {
  const fields = counts.map((count, index) => ({
    id: index + 1,
    key: `f${index}`,
    name: `字段${index}`,
    type: 45 as const,
    choices: choices(`c${index}x`, count),
  }));
  const conditions = fields.map(({ key, choices: [first] }) => ({
    expression: { op: 'eq' as const, field: key, value: first!.value },
    target_state_id: 3,
  }));
  return Definition.parse({
    name,
    fields,
    settings: { title_template: '申请' },
    states: [
      {
        id: 1,
        key: 'start',
        name: '填写',
        kind: 'start',
        order: 1,
        access: Object.fromEntries(fields.map(({ key }) => [key, 3])),
      },
      {
        id: 2,
        key: 'asks',
        name: '审批',
        kind: 'approve',
        order: 2,
        on_empty: 4,
        participants: [{ type: 4, roles: ['xld'] }],
      },
      { id: 3, key: 'end', name: '结束', kind: 'end', order: 3 },
    ],
    transitions: [
      { id: 1, key: 't1', name: '提交', source: 1, destination: 2, attribute: 1 },
      { id: 2, key: 't2', name: '同意', source: 2, destination: 3, attribute: 1 },
      { id: 3, key: 't3', name: '退回', source: 2, destination: 1, attribute: 2, conditions },
    ],
  });
};
const add = async (name: string, definition: Definition) =>
  (await app.admin.get(designCalls.add, { body: { name, definition: definition as never } })).id;

describe('a workflow of three states and two selects of 140 choices', () => {
  test('does not block the server for 50 ms when it is added, opened or checked', async () => {
    // The first one is compiled while it runs.
    const held: number[] = [];
    const taken: number[] = [];
    for (const name of ['宽一', '宽二', '宽三']) {
      const definition = wide(name, 140, 140);
      held.push(
        await heldUp(async () => {
          const id = await add(name, definition);
          const open = async () =>
            expect((await app.admin.get(designCalls.get, { params: { id } })).problems).toEqual([]);
          taken.push((await costOf(open)).ms);
          await app.admin.ask(releaseCalls.publish, { params: { id }, body: { dry_run: true } });
        }),
      );
    }
    console.log(`opened in ${taken.map(Math.round).join(', ')} ms, held up for ${held.map(Math.round).join(', ')} ms`);
    expect(Math.min(...held)).toBeLessThan(50);
    expect(Math.min(...taken)).toBeLessThan(2000);
  }, 180_000);
});

/** Joint decisions with every kind of button, up to the 100 states and 300 transitions a workflow may have. */
const joint = (name: string, participants: object[], count: number): Definition => {
  const kinds = count > 50 ? ([1, 2, 3] as const) : ([1, 1, 2, 2, 3, 3] as const);
  const [start, asks, end] = wide(name).states;
  const middle = Array.from({ length: count }, (_none, index) => ({
    ...asks!,
    id: index + 2,
    key: `s${index}`,
    name: `${name}${index}`,
    order: index + 2,
    participants,
    on_empty: 4,
    distribution: { type: 4, reject_rule: 2, pass_ratio: index + 2 },
  }));
  const ways = middle.flatMap(({ id }) => kinds.map((attribute) => ({ source: id, attribute })));
  const transitions = [{ source: 1, attribute: 1 as const }, ...ways].map(({ source, attribute }, index) => ({
    id: index + 1,
    key: `t${index}`,
    name: `流转${index}`,
    source,
    destination: source + 1,
    attribute,
  }));
  return Definition.parse({
    name,
    fields: [],
    settings: { title_template: '申请' },
    states: [start, ...middle, { ...end, id: count + 2, order: count + 2 }],
    transitions,
  });
};

test('a hundred joint states with thousands of people are checked for publishing without blocking for 50 ms', async () => {
  const dept = await app.dept('全校');
  await app.services.databases.pool.query(
    `with made as (insert into app_user (username, alias, password) select 'many' || n, '职员' || n, '' from generate_series(1, 5000) n returning id)
     insert into user_dept (user_id, dept_id) select id, $1 from made`,
    [dept],
  );
  const held: number[] = [];
  for (const count of [98, 49, 97, 48]) {
    const name = `众${count}`;
    const definition = joint(name, [{ type: 3, depts: [dept] }], count);
    const id = await add(name, definition);
    held.push(
      await heldUp(async () => {
        const { data } = await app.admin.ask(releaseCalls.publish, { params: { id }, body: { dry_run: true } });
        expect((data as { problems: { msg: string }[] }).problems[0]!.msg).toContain('5000 人');
      }),
    );
  }
  console.log(`a hundred joint states: held up for ${held.map(Math.round).join(', ')} ms`);
  expect(Math.min(...held)).toBeLessThan(50);
}, 300_000);

test('ninety-eight states that each ask twenty groups are checked for publishing with a handful of statements', async () => {
  const depts = await Promise.all(
    Array.from({ length: 10 }, (_none, index) => app.dept(`处室${index} ${crypto.randomUUID()}`)),
  );
  const { rows } = await app.services.databases.pool.query<{ code: string }>(
    'select code from role order by id limit 8',
  );
  const groups = [
    ...depts.map((dept) => ({ type: 3, depts: [dept] })),
    ...rows.map(({ code }) => ({ type: 4, roles: [code] })),
    { type: 5, variable: 'dept_fzr' },
    { type: 2, users: [app.admin.userId] },
  ];
  const id = await add('多组', joint('多组', groups, 98));
  const asked = await counted(app.admin, () =>
    app.admin.ask(releaseCalls.publish, { params: { id }, body: { dry_run: true } }),
  );
  console.log(`98 states of 20 groups: ${asked.length} statements`);
  expect(asked.length, asked.join('\n')).toBeLessThan(30);
}, 180_000);

describe('the proof of a definition', () => {
  test('ends with a sentence when it takes too long, and does not hold up the next one', async () => {
    const [fields, values] = [4, 7].map((count) => Array.from({ length: count }, (_none, index) => index));
    const base = wide('没完没了', ...fields!.map(() => values!.length));
    const of = Array.from({ length: 180 }, (_none, index) => ({
      op: 'eq' as const,
      field: `f${index % 4}`,
      value: `c${index % 4}x${index % 7}`,
    }));
    const conditions = Array.from({ length: 20 }, () => ({
      expression: { op: 'or' as const, of },
      target_state_id: 3,
    }));
    const [submit, agree, back] = base.transitions;
    const backs = Array.from({ length: 250 }, (_none, index) => ({
      ...back!,
      id: index + 3,
      key: `t${index + 3}`,
      conditions,
    }));
    const heavy: Definition = { ...base, transitions: [submit!, agree!, ...backs] };
    const began = performance.now();
    const quickly = prove(wide('轻', 2));
    const [slow, quick] = await Promise.all([prove(heavy), quickly]);
    const took = performance.now() - began;
    expect(took).toBeGreaterThan(9_900);
    expect(slow.problems.map((problem) => problem.msg).join()).toContain('10 秒内没有检查完');
    expect(quick.problems).toEqual([]);
    // The machine may have been busy, so an unfinished proof is not remembered for ever.
    const said = prove(heavy);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 9 * 60_000 });
    expect(prove(heavy)).toBe(said);
    vi.setSystemTime(Date.now() + 2 * 60_000);
    expect(prove(heavy)).not.toBe(said);
    expect(prove(wide('轻', 2)), 'what was done is').toBe(quickly);
    vi.useRealTimers();
  }, 180_000);

  test('is computed once for the same definition', () => {
    expect(prove(wide('同', 3))).toBe(prove(wide('同', 3)));
  });
});
