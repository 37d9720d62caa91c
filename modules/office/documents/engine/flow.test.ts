import { describe, expect, test } from 'vitest';
import { Definition, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { publishProblems } from '#modules/workflow/workflows/engine/check/publish-check.ts';
import { memo } from '../seeds/memo.ts';
import { receiving } from '../seeds/receiving.ts';
import { sending } from '../seeds/sending.ts';
import { flowProblems } from './flow.ts';

type State = DefinitionInput['states'][number];
const kinds = { 审: 'approve', 分: 'parallel_split', 选: 'inclusive', 合: 'join', 完: 'end', 始: 'start' } as const;

const labels: Record<string, State['label']> = {
  签: { document: 'sign' },
  号: { document: 'number' },
  发: { distribute: 'from' },
};

/**
 * A definition from arrows, `>` for consent and `!` for refusal: `始>审>签>号>完`. The first character of a state gives its meaning: 签 signs, 号
 * numbers, 发 distributes.
 */
function drawn(...ways: string[]): Definition {
  const names = [...new Set(ways.flatMap((way) => way.split(/[>!]/)))];
  const id = (name: string) => names.indexOf(name) + 1;
  const states: State[] = names.map((name, index) => ({
    id: index + 1,
    key: `s${index}`,
    name,
    kind: kinds[name.charAt(0) as keyof typeof kinds] ?? 'approve',
    order: index,
    participants: [{ type: 4, roles: ['office_admin'] }],
    label: labels[name.charAt(0)] ?? {},
  }));
  const arrows = ways.flatMap((way) => {
    const parts = way.split(/([>!])/);
    return parts.slice(2).flatMap((to, at) => (at % 2 === 0 ? [{ from: parts[at]!, by: parts[at + 1]!, to }] : []));
  });
  const transitions = arrows.map(({ from, by, to }, index) => ({
    id: index + 1,
    key: `t${index}`,
    name: `去${index}`,
    source: id(from),
    destination: id(to),
    attribute: by === '>' ? (1 as const) : (2 as const),
  }));
  const definition = Definition.parse({ name: '画出的流程', fields: [], states, transitions });
  expect(publishProblems({ ...definition, settings: { ...definition.settings, title_template: '标题' } })).toEqual([]);
  return definition;
}
const early = (name = '号') => `到环节“${name}”之前可以不经过“签发”`;
const begins = (definition: Definition, kind: number[] = []) =>
  flowProblems(definition, kind).map((problem) => problem.msg.split('，')[0]);

test('the workflows of the three kinds of document have what their kind needs', () => {
  for (const [kind, { definition }] of [sending, receiving, memo].entries())
    expect(flowProblems(definition, [kind + 1])).toEqual([]);
});

describe('the number of a document', () => {
  test('must come after a signature on every path, also by refusals', () => {
    expect(begins(drawn('始>签>号>完', '签!始'))).toEqual([]);
    expect(begins(drawn('始>审>号>完', '审!签>号'))).toEqual([early()]);
    expect(begins(drawn('始>签>审>号>完', '签!审'))).toEqual([early()]);
  });

  test('may be signed for in a branch that must be passed, but not in one that can be left out', () => {
    expect(begins(drawn('始>分>审>合>号>完', '分>签>合'))).toEqual([]);
    expect(begins(drawn('始>选>审>合>号>完', '选>签>合'))).toEqual([early()]);
    expect(begins(drawn('始>分>审>合>号>完', '分>审2>签>合', '审2!合'))).toEqual([early()]);
  });
});

test('the number of a document must be given, after a signature, before every state from which it may be distributed', () => {
  expect(begins(drawn('始>签>号>发>完'))).toEqual([]);
  expect(begins(drawn('始>签>号>发>审>完', '审!发'))).toEqual([]);
  const told = (ways: string[]) => flowProblems(drawn(...ways), []).map((problem) => problem.msg.split('；')[0]);
  const said = (without: string) => `环节“发”的“分发”是“从这里起可以分发”，但到那里可以不经过${without}`;
  expect(told(['始>签>发>号>完'])).toEqual([said('登记编号')]);
  expect(told(['始>审>签>号>发>完', '审!发'])).toEqual([said('签发、登记编号')]);
  const { states, ...rest } = drawn('始>签>号>发>完');
  const reviewed = states.map((one) =>
    one.name === '发' ? { ...one, label: { ...one.label, document: 'review' } } : one,
  );
  expect(flowProblems({ ...rest, states: reviewed }, []).map((problem) => problem.msg)).toEqual([
    '环节“发”的“分发”是“从这里起可以分发”，但复核时正文还可能修改；请把它移到复核之后的环节',
  ]);
});

test('a workflow in which a letter could end without a number, or a memo without a signature, is refused by that state', () => {
  const around = drawn('始>签>审>号>完', '审!完');
  expect(begins(around, [1])).toEqual(['流程用于发文']);
  expect(flowProblems(around, [1])[0]!.msg).toContain('可以不经过环节“号”就办结，办结的公文没有发文字号');
  expect(begins(around, [3])).toEqual([]);
  expect(begins(around, [2])).toEqual([]);
});
