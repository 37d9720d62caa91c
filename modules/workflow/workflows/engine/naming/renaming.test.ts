import { expect, test } from 'vitest';
import { fieldType, participantType } from '../codes.ts';
import { Definition } from '../definition.ts';
import { leave } from '../gallery/leave.ts';
import { renamedColumn, renamedField } from './renaming.ts';

const sum = { op: 'sum', table: 'rows', column: 'cost' } as const;
const { fields, states, settings } = leave.definition;
/** The leave workflow with a table, its sum, and a state that begins a ticket for each of its rows. */
const tabled = Definition.parse({
  ...leave.definition,
  fields: [
    ...fields,
    {
      id: 31,
      key: 'rows',
      name: '明细',
      type: fieldType.table,
      columns: [
        { key: 'what', name: '物品', type: fieldType.string },
        { key: 'cost', name: '费用', type: fieldType.money },
      ],
    },
    { id: 32, key: 'total', name: '合计', type: fieldType.money, formula: sum },
    { id: 33, key: 'wanted', name: '至少办结', type: fieldType.int },
  ],
  states: [
    ...states,
    {
      id: 41,
      key: 'below',
      name: '分头办理',
      kind: 'subticket',
      order: 9,
      participants: [
        { type: participantType.field, field: 'reason' },
        { type: participantType.parentField, field: 'reason' },
      ],
      children: {
        workflow: 77,
        each: 'rows',
        values: { what: 'row.what', cost: 'row.cost', reason: 'form.reason' },
        back: { cost: 'reason' },
        enough: 'wanted',
      },
    },
  ],
  settings: {
    ...settings,
    checks: [{ left: sum, op: 'gt', right: { op: 'value', value: 0 }, message: '费用要大于 0' }],
    print_template: '<p><span data-variable="reason"></span></p>',
  },
});
const below = (definition: Definition) => definition.states.find(({ key }) => key === 'below')!;
const totalOf = (definition: Definition) => definition.fields.find(({ key }) => key === 'total')!.formula;

test('the lower tickets of a state follow the new keys of the fields they are begun from', () => {
  const byReason = below(renamedField(tabled, 'reason', 'why'));
  expect(byReason.children!.values).toEqual({ what: 'row.what', cost: 'row.cost', reason: 'form.why' });
  expect(byReason.children!.back, 'a field of the lower ticket').toEqual({ cost: 'reason' });
  const byTable = below(renamedField(tabled, 'rows', 'lines'));
  expect(byTable.children).toEqual({ ...below(tabled).children, each: 'lines' });
  expect(below(renamedField(tabled, 'wanted', 'least')).children!.enough).toBe('least');
});

test('formulas, checks, people and the printed sheet follow a renamed field, and a field of the upper ticket does not', () => {
  const byTable = renamedField(tabled, 'rows', 'lines');
  expect(totalOf(byTable)).toEqual({ ...sum, table: 'lines' });
  expect(byTable.settings.checks![0]!.left).toEqual({ ...sum, table: 'lines' });
  const byReason = renamedField(tabled, 'reason', 'why');
  expect(below(byReason).participants).toEqual([
    { type: participantType.field, field: 'why' },
    { type: participantType.parentField, field: 'reason' },
  ]);
  expect(byReason.settings.print_template).toContain('data-variable="why"');
});

test('sums and lower tickets follow the new key of a column, and those of another table do not', () => {
  const renamed = renamedColumn(tabled, 'rows', 'cost', 'price');
  expect(totalOf(renamed)).toEqual({ ...sum, column: 'price' });
  expect(renamed.settings.checks![0]!.left).toEqual({ ...sum, column: 'price' });
  expect(below(renamed).children).toMatchObject({
    values: { what: 'row.what', cost: 'row.price', reason: 'form.reason' },
    back: { price: 'reason' },
  });
  expect(renamedColumn(tabled, 'others', 'cost', 'price')).toEqual(tabled);
});
