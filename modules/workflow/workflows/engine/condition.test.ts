import fc from 'fast-check';
import { describe as suite, expect, test } from 'vitest';
import { Condition, describe, evaluate, maxConditionDepth } from './condition.ts';

const context = (form: Record<string, unknown>) => ({ form, dept_path: [3, 1], roles: ['staff'] });
const scalar = fc.oneof(
  fc.string({ maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
);
const field = fc.constantFrom('a', 'b', 'c', '__proto__', 'constructor');
const trees = fc.letrec<{ tree: unknown }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.record({ op: fc.constantFrom('eq', 'ne', 'gt', 'gte', 'lt', 'lte', 'contains'), field, value: scalar }),
    fc.record({ op: fc.constantFrom('in', 'not_in'), field, value: fc.array(scalar, { minLength: 1, maxLength: 4 }) }),
    fc.record({ op: fc.constantFrom('empty', 'not_empty'), field }),
    fc.record({
      op: fc.constant('dept_in'),
      value: fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 3 }),
    }),
    fc.record({ op: fc.constantFrom('and', 'or'), of: fc.array(tie('tree'), { minLength: 1, maxLength: 3 }) }),
    fc.record({ op: fc.constant('not'), of: tie('tree') }),
  ),
})).tree;

suite('a condition', () => {
  test('a condition is evaluated for every tree and every form, and never throws', () => {
    fc.assert(
      fc.property(trees, fc.dictionary(field, fc.anything()), (raw, form) => {
        const parsed = Condition.safeParse(raw);
        if (!parsed.success) return;
        const { result, missing } = evaluate(parsed.data, context(form));
        expect(typeof result).toBe('boolean');
        expect(missing.every((key) => typeof key === 'string')).toBe(true);
        expect(describe(parsed.data, { field: (key) => key }).length).toBeGreaterThan(0);
      }),
      { numRuns: 1000 },
    );
  });

  test('a condition that is not a tree of comparisons is refused', () => {
    fc.assert(
      fc.property(fc.anything(), (raw) => void Condition.safeParse(raw)),
      { numRuns: 500 },
    );
    expect(Condition.safeParse('{amount} > 5000').success).toBe(false);
    expect(Condition.safeParse({ op: 'gt', field: 'a', value: 1, extra: 1 }).success).toBe(false);
  });

  test('a condition beyond the depth limit is refused without running out of stack', () => {
    let deep: unknown = { op: 'empty', field: 'a' };
    for (let i = 0; i < 100_000; i++) deep = { op: 'not', of: deep };
    expect(Condition.safeParse(deep).success).toBe(false);
    let allowed: unknown = { op: 'empty', field: 'a' };
    for (let i = 1; i < maxConditionDepth; i++) allowed = { op: 'not', of: allowed };
    expect(Condition.safeParse(allowed).success).toBe(true);
  });

  test('a condition is false while a value is missing, even when negated, and names the missing field', () => {
    const over = Condition.parse({ op: 'gt', field: 'amount', value: 5000 });
    const notOver = Condition.parse({ op: 'not', of: over });
    expect(evaluate(over, context({}))).toEqual({ result: false, missing: ['amount'] });
    expect(evaluate(notOver, context({ amount: '' }))).toEqual({ result: false, missing: ['amount'] });
    expect(evaluate(notOver, context({ amount: 10 }))).toEqual({ result: true, missing: [] });
  });

  test('a condition compares numbers, dates, choices, lists, departments and roles', () => {
    const holds = (raw: unknown, form: Record<string, unknown>) => evaluate(Condition.parse(raw), context(form)).result;
    expect(holds({ op: 'gt', field: 'amount', value: 5000 }, { amount: 5000.01 })).toBe(true);
    expect(holds({ op: 'gt', field: 'amount', value: 5000 }, { amount: '6000' })).toBe(false);
    expect(holds({ op: 'lt', field: 'from', value: '2026-10-01' }, { from: '2026-09-30' })).toBe(true);
    expect(holds({ op: 'in', field: 'kind', value: ['water', 'power'] }, { kind: 'power' })).toBe(true);
    expect(holds({ op: 'contains', field: 'tags', value: 'x' }, { tags: ['x', 'y'] })).toBe(true);
    expect(holds({ op: 'dept_in', value: [1] }, {})).toBe(true);
    expect(holds({ op: 'role_of', value: ['xld'] }, {})).toBe(false);
  });

  test('a condition reads as a Chinese sentence', () => {
    const wording = { field: (key: string) => ({ amount: '金额', kind: '类别' })[key] ?? key };
    const both = Condition.parse({
      op: 'and',
      of: [
        { op: 'gt', field: 'amount', value: 5000 },
        {
          op: 'or',
          of: [
            { op: 'empty', field: 'kind' },
            { op: 'in', field: 'kind', value: ['水', '电'] },
          ],
        },
      ],
    });
    expect(describe(both, wording)).toBe('金额 大于 5000 且 （类别 为空 或 类别 属于 水、电）');
  });
});
