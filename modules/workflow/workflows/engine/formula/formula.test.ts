import { leastCost } from '#kernel/server/testing/cost.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Definition } from '../definition.ts';
import { fieldItem } from '../field-item.ts';
import { rightIn } from '../fields/rights.ts';
import { settledItems } from '../fields/settled-items.ts';
import { publishProblems } from '../check/publish-check.ts';
import { settleChanges } from '#modules/workflow/tickets/engine/form/settling.ts';
import type { Change } from '#modules/workflow/tickets/engine/form/values.ts';
import { rounded, usualBudget, valueOf } from './evaluate.ts';
import { Formula, operations } from './formula.ts';
import { settleForm } from './settle.ts';
import { parsed, parsedCheck, textOf } from './text.ts';

const columns = [
  { key: 'price', name: '单价', type: 16 as const },
  { key: 'count', name: '数量', type: 10 as const },
  { key: 'cost', name: '小计', type: 16 as const },
];
const fields = [
  { key: 'total', name: '总额' },
  { key: 'from', name: '开始' },
  { key: 'rows', name: '明细', columns },
  { key: 'leave', name: '请假时间' },
];
const formula = (text: string): Formula => {
  const read = parsed(text, fields);
  if ('fault' in read) throw new Error(read.fault);
  return read.formula;
};
const comes = (text: string, values: object) => valueOf(formula(text), values as never, { left: usualBudget });

test('a formula is parsed as people write it, kept as a tree, and printed back unchanged', () => {
  for (const text of [
    '[总额] * 2 + 1',
    '合计([明细.小计])',
    '如果([总额] >= 1000 且 [总额] < 5000, “中”, “小”)',
    '四舍五入([总额] / 3, 2)',
    '大写([总额])',
    '加天数([开始], 行数([明细]))',
    '工作日数(开始日([请假时间]), 结束日([请假时间]))',
  ]) {
    const tree = formula(text);
    expect(Formula.parse(JSON.parse(JSON.stringify(tree)))).toEqual(tree);
    const again = formula(textOf(tree, fields));
    expect(textOf(again, fields)).toBe(textOf(tree, fields));
  }
  const faults = [
    '',
    '[没有]',
    '总额',
    '1 +',
    '合计([明细.没有])',
    'constructor(1)',
    '大写(1, 2)',
    '1 2',
    '大写(1'.repeat(30),
  ];
  for (const text of faults) expect(parsed(text, fields), text).toHaveProperty('fault');
  expect(parsedCheck('[总额] >= 合计([明细.小计])', fields)).toHaveProperty('check.op', 'gte');
});

test('formulas of numbers, dates and text give the usual results, and a missing value makes the result unknown', () => {
  expect(comes('0.1 + 0.2', {})).toBe(0.3);
  expect(comes('四舍五入(1.005, 2)', {})).toBe(1.01);
  expect(comes('[总额] / 0', { total: 1 })).toBe(null);
  expect(comes('[总额] + 1', {})).toBe(null);
  expect(comes('合计([明细.单价]) - 0', { rows: [{ price: 0.1 }, { price: 0.2 }, {}] })).toBe(0.3);
  expect(comes('大写([总额])', { total: 1409.5 })).toBe('人民币壹仟肆佰零玖元伍角整');
  expect(comes('大写(0 - 1)', {})).toBe(null);
  expect(comes('天数([开始], 加天数([开始], 2))', { from: '2026-02-27' })).toBe(3);
  expect(comes('连接(“共”, 行数([明细]), “行”)', { rows: [{}, {}] })).toBe('共2行');
  expect([rounded(-1.5, 0), rounded(1e16, 2), rounded(1e-9, 2)]).toEqual([-2, null, 0]);
});

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    0,
    1,
    -1,
    1e15,
    1e308,
    0.1,
    1e-9,
    NaN,
    Infinity,
    '',
    '2026-02-29',
    '0'.repeat(5000),
    null,
    true,
  ),
  fc.double(),
  fc.string(),
);
const keys = ['a', 'b', 'c', 'd', 'rows', '__proto__', 'constructor'];
const anyKey = fc.constantFrom(...keys);
const { tree } = fc.letrec<{ tree: Formula }>((tie) => ({
  tree: fc.oneof(
    { depthSize: 'medium', maxDepth: 6 },
    fc.record({ op: fc.constant('field' as const), field: anyKey }),
    fc.record({
      op: fc.constant('value' as const),
      value: fc.oneof(fc.double({ noNaN: true }), fc.string({ maxLength: 200 })),
    }),
    fc.record({ op: fc.constant('sum' as const), table: anyKey, column: anyKey }),
    fc.record({ op: fc.constant('count' as const), table: anyKey }),
    fc.record({ op: fc.constantFrom(...operations), of: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({
      op: fc.constant('if' as const),
      when: fc.record({
        op: fc.constantFrom('gt' as const, 'contains' as const, 'eq' as const),
        field: anyKey,
        value: fc.oneof(fc.integer(), fc.string({ maxLength: 200 })),
      }),
      of: fc.array(tie('tree'), { minLength: 2, maxLength: 2 }),
    }),
  ),
}));
const type = fc.constantFrom(5, 10, 15, 16, 25);
const column = fc.record({ key: anyKey, type, decimals: fc.nat(6), formula: fc.option(tree, { nil: undefined }) });
const field = fc.record({
  key: anyKey,
  type: fc.constantFrom(5, 10, 15, 16, 25, 90),
  decimals: fc.nat(6),
  formula: fc.option(tree, { nil: undefined }),
  shown_when: fc.option(
    fc.record({ op: fc.constant('contains' as const), field: anyKey, value: fc.string({ maxLength: 200 }) }),
    { nil: undefined },
  ),
  columns: fc.array(column, { maxLength: 4 }),
});
const rows = fc
  .tuple(fc.nat(200), fc.dictionary(anyKey, scalar, { maxKeys: 4 }))
  .map(([count, row]) => Array.from({ length: count }, () => row));
const form = fc.dictionary(anyKey, fc.oneof(scalar, rows), { maxKeys: 6 });

const hostile = process.env['NIGHTLY'] ? 10_000 : 600;

test(`no formula is slow or produces an endless text, over ${hostile} hostile forms`, async () => {
  let slowest = 0;
  await fc.assert(
    fc.asyncProperty(fc.array(field, { maxLength: 12 }), form, async (some, values) => {
      const first = settleForm(some, values, () => true);
      const again = () => settleForm(some, values, () => true);
      slowest = Math.max(slowest, await leastCost(again, 1).then((cost) => (cost > 25 ? leastCost(again) : cost)));
      for (const one of Object.values(first.values))
        if (typeof one === 'string' && some.some((f) => f.formula)) expect(one.length).toBeLessThanOrEqual(5000);
    }),
    { numRuns: hostile },
  );
  expect(slowest).toBeLessThan(50);
}, 300_000);

test('a chain of two hundred computed fields over two hundred rows each is cut off instead of running long', async () => {
  const chain = Array.from({ length: 200 }, (_none, at) => ({
    key: `k${at}`,
    type: 15,
    decimals: 2,
    formula: {
      op: 'add' as const,
      of: [
        { op: 'sum' as const, table: 'rows', column: 'a' },
        ...(at > 0 ? [{ op: 'field' as const, field: `k${at - 1}` }] : [{ op: 'value' as const, value: 1 }]),
      ],
    },
  }));
  const rows = Array.from({ length: 200 }, () => ({ a: 1 }));
  expect(await leastCost(() => settleForm(chain.toReversed(), { rows }, () => true))).toBeLessThan(50);
});

/** An expense claim: rows with a computed column, their sum, its capitals, and a reason required above a limit. */
const expense = Definition.parse({
  name: '报销',
  fields: [
    {
      id: 1,
      key: 'rows',
      name: '明细',
      type: 90,
      columns: [
        { key: 'price', name: '单价', type: 16 },
        { key: 'count', name: '数量', type: 10 },
        {
          key: 'cost',
          name: '小计',
          type: 16,
          formula: {
            op: 'mul',
            of: [
              { op: 'field', field: 'price' },
              { op: 'field', field: 'count' },
            ],
          },
        },
      ],
    },
    { id: 2, key: 'total', name: '总额', type: 16, formula: { op: 'sum', table: 'rows', column: 'cost' } },
    { id: 3, key: 'words', name: '大写', type: 5, formula: { op: 'capitals', of: [{ op: 'field', field: 'total' }] } },
    {
      id: 4,
      key: 'reason',
      name: '说明',
      type: 5,
      shown_when: { op: 'gt', field: 'total', value: 1000 },
      required_when: { op: 'gt', field: 'total', value: 1000 },
    },
  ],
  states: [
    { id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access: { rows: 2, total: 1, words: 1, reason: 3 } },
    { id: 2, key: 'end', name: '结束', kind: 'end', order: 2 },
  ],
  transitions: [{ id: 1, key: 't', name: '提交', source: 1, destination: 2, attribute: 1 }],
  settings: { title_template: '报销' },
});

test('browser and server compute the same form, whatever is typed', () => {
  expect(publishProblems(expense)).toEqual([]);
  const [start] = expense.states;
  const price = fc.oneof(
    fc.nat(100_000_000).map((fen) => fen / 100),
    fc.constant(undefined),
  );
  const row = fc.record({
    price,
    count: fc.oneof(fc.nat(50), fc.constant(undefined)),
    cost: fc.constantFrom(undefined, 1e9),
  });
  fc.assert(
    fc.property(fc.array(row, { maxLength: 30 }), fc.constantFrom(undefined, '出差'), (typed, reason) => {
      const items = expense.fields.map((one, at) => fieldItem(one, at, rightIn(start!, one), null, ''));
      const shown = settledItems(items, { rows: typed, reason });
      const changes: Change[] = Object.entries({ rows: typed, reason })
        .filter(([, to]) => to !== undefined)
        .map(([key, to]) => ({ key, from: null, to }));
      const kept = settleChanges(expense, start!, {}, changes, [], true);
      for (const key of ['total', 'words'])
        expect(shown.find((item) => item.field_key === key)?.field_value ?? null).toEqual(kept.values[key] ?? null);
      expect(shown.some((item) => item.field_key === 'reason')).toBe(!kept.hidden.has('reason'));
    }),
    { numRuns: 500 },
  );
});

test('a workflow with an invalid formula is not published', () => {
  const faults = (change: object, at = 1) =>
    publishProblems({
      ...expense,
      fields: expense.fields.map((one, index) => (index === at ? { ...one, ...change } : one)),
    } as Definition).map((one) => one.msg);
  expect(faults({ formula: { op: 'field', field: 'gone' } })).toEqual(['字段“总额”的公式用了不存在的字段“gone”']);
  expect(faults({ formula: { op: 'capitals', of: [{ op: 'value', value: 1 }] } })).toEqual([
    '字段“总额”的公式算出来的不是数字',
  ]);
  expect(
    faults({
      formula: {
        op: 'add',
        of: [
          { op: 'field', field: 'total' },
          { op: 'value', value: 1 },
        ],
      },
    }),
  ).toEqual(['字段“总额”的公式绕回了它自己，请修改']);
  expect(
    faults({
      formula: {
        op: 'add',
        of: [
          { op: 'field', field: 'reason' },
          { op: 'value', value: 1 },
        ],
      },
    }),
  ).toEqual(['字段“总额”的公式里有不能这样计算的值，请检查数字、日期和文字']);
  expect(faults({ shown_when: { op: 'eq', field: 'reason', value: 'a' } }, 3)).toEqual([
    '字段“说明”的显示或必填条件不能判断它自己',
  ]);
});

test('a formula over very long texts, large numbers or distant dates gives a whole result or none', () => {
  const joined = comes('连接([开始], “尾”)', { from: `${'x'.repeat(1999)}😀` });
  expect(joined).toBe('x'.repeat(1999));
  expect(comes('[总额] / 0.03', { total: 1e13 })).toBeCloseTo(1e13 / 0.03, -3);
  expect(comes('加天数([开始], 5)', { from: '9999-12-31' })).toBeNull();
  expect(comes('加天数([开始], 0 - 500)', { from: '0001-01-01' })).toBeNull();
});
