import { expect, test } from 'vitest';
import { Definition, type DefinitionInput } from './definition.ts';
import { findingsIn } from './check/publish-check.ts';
import { leave } from './gallery/leave.ts';

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

test('publishing warns where a hidden field can be deduced, with the names of field and state', () => {
  const name = leave.definition.states[1]!.name;
  expect(warningsOf({})).toEqual([]);
  expect(warningsOf({ cost: 1 })).toEqual([`“${name}”看不到“工资”，却看得到由它算出的“成本”，可以倒推出来${end}`]);
  expect(warningsOf({ cost: 1, pay: 1 })).toEqual([]);
  expect(warningsOf({ why: 1 })).toEqual([`“${name}”看不到“工资”，“原因”是否显示却取决于它，可以推知${end}`]);
  expect(warningsOf({}, { display_form: ['cost'] })[0]).toContain('“仅查看者”看不到“工资”，却看得到由它算出的“成本”');
});

test('publishing warns where a hidden field can be found by trying values against a form check', () => {
  const checks = [{ left: field('days'), op: 'lte' as const, right: field('pay'), message: '超出' }];
  expect(warningsOf({ to: 3 }, { checks })).toEqual([
    `“${leave.definition.states[1]!.name}”看不到“工资”，却能用表单校验“超出”反复试出来${end}`,
  ]);
  expect(warningsOf({ to: 1 }, { checks }), 'who cannot write cannot try').toEqual([]);
});

test('publishing warns where a hidden column can be deduced from another column or from a field that sums it', () => {
  const draft = structuredClone(leave.definition) as DefinitionInput;
  const column = (key: string, name: string, formula?: object) => ({
    key,
    name,
    type: 10,
    ...(formula && { formula }),
  });
  const rows = {
    id: 90,
    key: 'rows',
    name: '明细',
    type: 90,
    columns: [
      column('price', '报价'),
      column('cost', '成本'),
      column('gain', '差额', { op: 'sub', of: [field('price'), field('cost')] }),
    ],
  };
  const costs = {
    id: 91,
    key: 'costs',
    name: '成本合计',
    type: 10,
    formula: { op: 'sum', table: 'rows', column: 'cost' },
  };
  draft.fields.push(rows as never, costs as never);
  draft.states[0]!.access = { ...draft.states[0]!.access, rows: 3, costs: 1 };
  const second = draft.states[1]!;
  second.access = { ...second.access, rows: 1, costs: 1 };
  second.columns = { rows: { cost: 4 } };
  const msgs = (input: DefinitionInput) => findingsIn(Definition.parse(input)).warnings.map(({ msg }) => msg);
  const way = (shown: string) => `“${second.name}”看不到“成本”这一列，却看得到由它算出的“${shown}”，可以倒推出来${end}`;
  expect(msgs(draft)).toEqual([way('差额'), way('成本合计')]);
  second.columns = { rows: { cost: 4, gain: 4 } };
  second.access = { ...second.access, costs: 4 };
  expect(msgs(draft)).toEqual([]);
  second.columns = { rows: { nothing: 4 }, reason: { x: 4 } };
  expect(findingsIn(Definition.parse(draft)).problems.map(({ msg }) => msg)).toEqual([
    `环节“${second.name}”设置了表格“明细”里不存在的列“nothing”`,
    `环节“${second.name}”设置了列的权限，但“事由”不是表格`,
  ]);
});

test('publishing warns where a child ticket would show its creator values that are hidden from them', () => {
  const draft = structuredClone(leave.definition) as DefinitionInput;
  const rows = { id: 90, key: 'rows', name: '明细', type: 90, columns: [{ key: 'cost', name: '成本', type: 10 }] };
  draft.fields.push(rows as never);
  const [start, second] = [draft.states[0]!, draft.states[1]!];
  start.access = { ...start.access, rows: 3 };
  second.kind = 'subticket';
  second.children = { workflow: 7, each: 'rows', values: { title: 'row.cost' } };
  draft.transitions = draft.transitions.filter((one) => one.source !== second.id || one.attribute === 1);
  const said = () => {
    const { problems, warnings } = findingsIn(Definition.parse(draft));
    expect(problems).toEqual([]);
    return warnings.map(({ msg }) => msg).filter((msg) => msg.includes('带到下级工单'));
  };
  expect(said()).toEqual([]);
  start.columns = { rows: { cost: 4 } };
  expect(said()).toEqual([
    `环节“${second.name}”把“成本”带到下级工单，下级工单以发起人的名义发起，发起人却看不到它；不能让人看到的，请不要带过去`,
  ]);
});
