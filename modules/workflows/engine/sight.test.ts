import { expect, test } from 'vitest';
import { Definition, type DefinitionInput } from './definition.ts';
import { findingsIn } from './check/publish-check.ts';
import { leave } from '../seeds/leave.ts';

const field = (key: string) => ({ op: 'field' as const, field: key });
const twice = { op: 'add' as const, of: [field('pay'), field('days')] };
function warningsOf(access: Record<string, number>, more: NonNullable<DefinitionInput['settings']> = {}): string[] {
  const draft = structuredClone(leave.definition) as DefinitionInput;
  const hung = { shown_when: { op: 'gt', field: 'pay', value: 5 } } as const;
  draft.fields.push(
    { id: 90, key: 'pay', name: '工资', type: 10 },
    { id: 91, key: 'cost', name: '成本', type: 10, formula: twice },
    { id: 92, key: 'why', name: '原因', type: 5, ...hung },
  );
  draft.states[0]!.access = { ...draft.states[0]!.access, pay: 3 };
  draft.states[1]!.access = { ...draft.states[1]!.access, ...access } as never;
  const display_form = [...draft.settings!.display_form!, ...(more?.display_form ?? [])];
  draft.settings = { ...draft.settings, ...more, display_form };
  const { problems, warnings } = findingsIn(Definition.parse(draft));
  expect(problems).toEqual([]);
  return warnings.map(({ msg }) => msg).filter((msg) => msg.includes('看不到'));
}
const end = '；不能让人推知的，请把它们一同隐藏';

test('publishing warns where a hidden field may be worked out, by the names of field and state', () => {
  const name = leave.definition.states[1]!.name;
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ cost: 1 })).toEqual([
    `「${name}」看不到「工资」，却看得到由它算出的「成本」，可以倒推出来${end}`,
  ]);
  expect(warningsOf({ cost: 1, pay: 1 })).toEqual([]);
  expect(warningsOf({ why: 1 })).toEqual([`「${name}」看不到「工资」，「原因」是否显示却取决于它，可以推知${end}`]);
  expect(warningsOf({}, { display_form: ['cost'] })[0]).toContain(
    '「仅查看者」看不到「工资」，却看得到由它算出的「成本」',
  );
});

test('and where a check of the form would be tried out against it', () => {
  const checks = [{ left: field('days'), op: 'lte' as const, right: field('pay'), message: '超出' }];
  expect(warningsOf({ days: 3 }, { checks })).toEqual([
    `「${leave.definition.states[1]!.name}」看不到「工资」，却能用表单校验“超出”反复试出来${end}`,
  ]);
  expect(warningsOf({ days: 1 }, { checks }), 'who cannot write cannot try').toEqual([]);
});
