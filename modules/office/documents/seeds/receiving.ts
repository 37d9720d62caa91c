import {
  distributeType,
  fieldAccess,
  fieldType,
  participantType,
  rejectRule,
} from '#modules/workflow/workflows/engine/codes.ts';
import { Definition, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import {
  agree,
  asksForCompletion,
  byOffice,
  completing,
  completion,
  end,
  first,
  refuse,
  settings,
  start,
  step,
  title,
} from './steps.ts';

const { read, required, optional } = fieldAccess;
const fields: DefinitionInput['fields'] = [
  title,
  { id: 3, key: 'leaders', name: '批示领导', type: fieldType.users, max: 10 },
  { id: 4, key: 'lead_dept', name: '主办部门', type: fieldType.dept },
  { id: 5, key: 'co_depts', name: '协办部门', type: fieldType.depts, max: 30 },
  { id: 6, key: 'reading', name: '阅件', type: fieldType.bool, description: '只传阅，不需要承办' },
  { id: 7, key: 'readers', name: '传阅对象', type: fieldType.users, max: 50, description: '阅件填写' },
];
const seen = { title: read, leaders: read, lead_dept: read, co_depts: read, reading: read, readers: read };
/** The fields that 拟办 proposes and 批示 decides. */
const assigned = { ...seen, lead_dept: optional, co_depts: optional, reading: optional, readers: optional };
const named = (field: 'leaders' | 'readers') => ({ participants: [{ type: participantType.field, field }] });
/** The heads of the departments; a head of both is asked once. */
const heads = (['lead_dept', 'co_depts'] as const).map((field) => ({ type: participantType.fieldHeads, field }));
const together = (reject_rule: (typeof rejectRule)[keyof typeof rejectRule]) => ({
  distribution: { type: distributeType.all, reject_rule },
});

/**
 * 收文: registration, office check, proposal, decision by the chosen leaders, then execution and answer by the heads of lead and assisting
 * departments, or reading only.
 */
export const receiving = {
  key: 'document_receiving',
  name: '收文',
  description: '来文签收登记、初审、拟办、批示、承办、答复',
  icon: 'InboxOutlined',
  category: '公文',
  module: 'documents',
  intervene: ['office_admin'],
  definition: Definition.parse({
    name: '收文',
    fields,
    states: [
      { ...start('签收登记'), access: { title: required } },
      step(2, 'check', '初审', { ...byOffice, access: seen }),
      step(
        3,
        'propose',
        '拟办',
        {
          ...byOffice,
          access: { ...assigned, leaders: required },
          label: { document: 'propose' },
        },
        'handle',
      ),
      step(4, 'decide', '批示', {
        ...named('leaders'),
        ...together(rejectRule.veto),
        label: { document: 'decide' },
        access: assigned,
      }),
      step(
        5,
        'carry_out',
        '承办',
        {
          participants: heads,
          ...together(rejectRule.wait),
          access: seen,
          label: { ...asksForCompletion, document: 'carry' },
        },
        'handle',
      ),
      step(6, 'answer', '答复', { ...byOffice, access: seen }, 'handle'),
      { id: 7, key: 'circulate', name: '传阅', kind: 'cc', order: 7, ...named('readers'), access: seen },
      end(8),
      { ...completion(9), access: seen },
    ],
    transitions: [
      ...first(2),
      agree(3, 2, 3, '符合规则'),
      refuse(4, 2, 1, '不符合行文规则，退回'),
      agree(5, 3, 4, '送批示'),
      agree(6, 4, 5, '批示', {
        conditions: [{ expression: { op: 'eq', field: 'reading', value: true }, target_state_id: 7 }],
      }),
      refuse(7, 4, 3, '退回拟办'),
      agree(8, 5, 6, '办理完毕'),
      agree(9, 6, 8, '已答复'),
      agree(10, 7, 8, '继续'),
      ...completing(11, 9, 8),
    ],
    settings,
  }),
};
