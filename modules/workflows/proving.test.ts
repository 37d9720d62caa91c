import { monitorEventLoopDelay } from 'node:perf_hooks';
import { afterAll, describe, expect, test } from 'vitest';
import { openTestOffice } from '#apps/server/testing.ts';
import { designCalls } from './contract/design.ts';
import { releaseCalls } from './contract/release.ts';
import { Definition } from './engine/definition.ts';
import { prove } from './proving.ts';

const office = await openTestOffice();
afterAll(() => office.close());

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
  (await office.admin.get(designCalls.add, { body: { name, definition: definition as never } })).id;

/** The longest the loop was held up meanwhile, in milliseconds. */
async function heldUp(work: () => Promise<unknown>): Promise<number> {
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  await work();
  delay.disable();
  return delay.max / 1e6 - 5;
}

describe('a workflow of three states and two selects of 140 choices', () => {
  test('is looked at without holding anything up for 50 ms, at adding, opening and checking', async () => {
    // A machine that is busy otherwise holds the loop up too: of three tries the best is ours.
    const held: number[] = [];
    const taken: number[] = [];
    for (const name of ['宽一', '宽二', '宽三']) {
      const definition = wide(name, 140, 140);
      held.push(
        await heldUp(async () => {
          const id = await add(name, definition);
          const began = performance.now();
          const design = await office.admin.get(designCalls.get, { params: { id } });
          taken.push(performance.now() - began);
          expect(design.problems).toEqual([]);
          await office.admin.ask(releaseCalls.publish, { params: { id }, body: { dry_run: true } });
        }),
      );
    }
    console.log(`opened in ${taken.map(Math.round).join(', ')} ms, held up for ${held.map(Math.round).join(', ')} ms`);
    expect(Math.min(...held)).toBeLessThan(50);
    expect(Math.min(...taken)).toBeLessThan(2000);
  }, 60_000);
});

describe('a proof', () => {
  test('that would take longer than it may ends with a sentence, and the next one is not kept from its turn', async () => {
    const endless = wide('没完没了', 2, 2);
    const names = Array.from({ length: 40 }, (_none, index) => `c0x${index % 2}`);
    const expression = { op: 'or' as const, of: names.map((value) => ({ op: 'eq' as const, field: 'f0', value })) };
    const branches = Array.from({ length: 20 }, () => ({ expression, target_state_id: 3 }));
    const heavy = {
      ...endless,
      fields: Array.from({ length: 12 }, (_none, index) => ({
        ...endless.fields[0]!,
        id: index + 1,
        key: `f${index}`,
        name: `字段${index}`,
      })),
      transitions: [
        ...endless.transitions.slice(0, 2),
        ...Array.from({ length: 250 }, (_none, index) => ({
          ...endless.transitions[2]!,
          id: index + 3,
          key: `t${index + 3}`,
          conditions: branches.map((branch, nth) => ({
            ...branch,
            expression: {
              op: 'and' as const,
              of: [
                branch.expression,
                ...[1, 2, 3, 4, 5, 6, 7].map((axis) => ({ op: 'empty' as const, field: `f${(axis + nth) % 12}` })),
              ],
            },
          })),
        })),
      ],
    } as unknown as Definition;
    const began = performance.now();
    const [slow, quick] = await Promise.all([prove(heavy), prove(wide('轻', 2))]);
    const took = performance.now() - began;
    console.log(
      `heavy: ${Math.round(took)} ms, ${slow.problems
        .slice(0, 2)
        .map((problem) => problem.msg)
        .join()}`,
    );
    expect(took).toBeLessThan(15_000);
    expect(quick.problems).toEqual([]);
    expect(slow.problems.length + slow.warnings.length).toBeGreaterThan(0);
  }, 60_000);

  test('of the same definition is made once', () => {
    expect(prove(wide('同', 3))).toBe(prove(wide('同', 3)));
  });
});
