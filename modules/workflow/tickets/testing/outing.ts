import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import type { DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';

const fields: DefinitionInput['fields'] = [
  { id: 1, key: 'subject', name: '事由', type: fieldType.string },
  { id: 2, key: 'scene', name: '现场照片', type: fieldType.image, max: 2 },
  { id: 3, key: 'place', name: '所在地区', type: fieldType.region },
  { id: 4, key: 'province', name: '户籍', type: fieldType.region, max: 1 },
  {
    id: 5,
    key: 'device',
    name: '设备',
    type: fieldType.cascade,
    choices: [
      { value: 'pc', label: '电脑' },
      { value: 'desk', label: '台式机', parent: 'pc' },
      { value: 'lap', label: '笔记本', parent: 'pc' },
      { value: 'printer', label: '打印机' },
    ],
  },
  { id: 6, key: 'away', name: '外出时间', type: fieldType.dateRange },
  {
    id: 7,
    key: 'workdays',
    name: '工作日',
    type: fieldType.int,
    formula: {
      op: 'workdays',
      of: [
        { op: 'begin', field: 'away' },
        { op: 'end', field: 'away' },
      ],
    },
  },
  {
    id: 8,
    key: 'costs',
    name: '明细',
    type: fieldType.table,
    max_rows: 2000,
    columns: [
      { key: 'what', name: '用途', type: fieldType.string, required: true },
      { key: 'price', name: '单价', type: fieldType.money },
      { key: 'count', name: '数量', type: fieldType.int },
      {
        key: 'sum',
        name: '小计',
        type: fieldType.money,
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
  { id: 9, key: 'total', name: '合计', type: fieldType.money, formula: { op: 'sum', table: 'costs', column: 'sum' } },
  { id: 10, key: 'no', name: '编号', type: fieldType.serial },
  { id: 11, key: 'earlier', name: '原申请', type: fieldType.records, module: 'tickets', max: 3 },
  { id: 12, key: 'said', name: '领导意见', type: fieldType.opinions, of_states: ['leader'] },
  { id: 13, key: 'all_said', name: '全部意见', type: fieldType.opinions },
  { id: 14, key: 'venue', name: '外出地点', type: fieldType.place, position: true },
];
type People = DefinitionInput['states'][number]['participants'];

/** A flow whose form has a field of every kind beyond a line or a number; for the capital, an airport or a computer, a leader decides as well. */
export const outing = (participants: People): DefinitionInput => {
  const access = Object.fromEntries(fields.map(({ key }) => [key, 3 as const]));
  return {
    name: '外出',
    fields,
    settings: {
      title_template: '外出：{subject} {place}',
      number_rule: { prefix: 'WC', digits: 4, period: 'day' },
      display_form: fields.map(({ key }) => key),
    },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1, access },
      { id: 2, key: 'head', name: '审批', kind: 'approve', order: 2, participants, access },
      {
        id: 4,
        key: 'leader',
        name: '领导审批',
        kind: 'approve',
        order: 3,
        participants,
        on_self: 1,
        access,
      },
      { id: 3, key: 'end', name: '结束', kind: 'end', order: 4 },
    ],
    transitions: [
      { id: 1, key: 't1', name: '提交', source: 1, destination: 2, attribute: 1 },
      {
        id: 2,
        key: 't2',
        name: '同意',
        source: 2,
        destination: 3,
        attribute: 1,
        conditions: [
          {
            expression: {
              op: 'or',
              of: [
                { op: 'contains', field: 'place', value: '110000' },
                { op: 'contains', field: 'device', value: 'pc' },
                { op: 'contains', field: 'venue', value: '机场' },
              ],
            },
            target_state_id: 4,
          },
        ],
      },
      { id: 3, key: 't3', name: '同意', source: 4, destination: 3, attribute: 1 },
    ],
  };
};
