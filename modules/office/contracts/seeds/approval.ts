import {
  attributeType,
  distributeType,
  fieldAccess,
  fieldType,
  onEmpty,
  onSelf,
  participantType,
  rejectRule,
} from '#modules/workflow/workflows/engine/codes.ts';
import { Definition, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { saving } from '#modules/workflow/workflows/engine/straight.ts';
import { direction, risk } from '../contract/codes.ts';

type State = DefinitionInput['states'][number];
type Transition = DefinitionInput['transitions'][number];
const { read, required, optional } = fieldAccess;

/** Fields that are filled in from the contract. */
const filled: DefinitionInput['fields'] = [
  { id: 1, key: 'title', name: '标题', type: fieldType.string, max_length: 200 },
  { id: 2, key: 'need_legal', name: '须法务审核', type: fieldType.bool },
  { id: 3, key: 'step', name: '金额档次', type: fieldType.int },
  { id: 4, key: 'pay_direction', name: '收付', type: fieldType.int },
  { id: 5, key: 'manage_heads', name: '归口部门负责人', type: fieldType.users, max: 20 },
];
const byLegal: DefinitionInput['fields'] = [
  {
    id: 6,
    key: 'risk_level',
    name: '风险等级',
    type: fieldType.select,
    choices: Object.entries(risk.names).map(([value, label]) => ({ value, label })),
  },
  { id: 7, key: 'legal_opinion', name: '法律意见', type: fieldType.textarea, max_length: 2000 },
];
const seen = { title: read, risk_level: read, legal_opinion: read };
const meaning = (value: string): State['label'] => ({ contract: value });
const byRole = (role: string): State['participants'] => [{ type: participantType.role, roles: [role] }];
const byVariable = (variable: 'dept_fzr' | 'dept_ld' | 'xld'): State['participants'] => [
  { type: participantType.variable, variable },
];

const step = (id: number, key: string, name: string, by: Partial<State>): State => ({
  id,
  key,
  name,
  kind: 'approve',
  order: id,
  distribution: { type: distributeType.direct, reject_rule: rejectRule.veto },
  on_empty: onEmpty.admins,
  access: seen,
  actions: ['deliver', 'delegate', 'add_node', 'return', 'cc', 'retreat'],
  ...by,
});
const agree = (id: number, source: number, destination: number, more: Partial<Transition> = {}): Transition => ({
  id,
  key: `agree_${source}`,
  name: '同意',
  source,
  destination,
  attribute: attributeType.agree,
  ...more,
});
const refuse = (id: number, source: number): Transition => ({
  id,
  key: `refuse_${source}`,
  name: '退回起草人',
  source,
  destination: 1,
  attribute: attributeType.refuse,
  field_require_check: false,
  suggestion_required: true,
});
const [head, manage, legal, finance, leader, school, done] = [2, 3, 4, 5, 6, 7, 8] as const;
const moneyless = {
  expression: { op: 'eq', field: 'pay_direction', value: direction.none },
  target_state_id: leader,
} as const;

/** 合同审批: the head, the department in charge of the kind, legal and finance if needed, leaders by amount. */
export const approval = {
  key: 'contract_approval',
  name: '合同审批',
  description: '合同起草后的审批',
  icon: 'SolutionOutlined',
  category: '合同',
  module: 'contracts',
  intervene: ['contract_manager'],
  definition: Definition.parse({
    name: '合同审批',
    fields: [...filled, ...byLegal],
    states: [
      {
        id: 1,
        key: 'draft',
        name: '起草',
        kind: 'start',
        order: 1,
        access: {
          title: required,
          need_legal: optional,
          step: optional,
          pay_direction: optional,
          manage_heads: optional,
        },
        actions: ['cc'],
      },
      step(head, 'head', '部门负责人审核', { participants: byVariable('dept_fzr'), on_self: onSelf.skip }),
      step(manage, 'manage', '归口部门审核', {
        participants: [{ type: participantType.field, field: 'manage_heads' }],
        on_self: onSelf.skip,
        on_empty: onEmpty.pass,
        dedupe: 'round',
      }),
      step(legal, 'legal', '法务审核', {
        participants: byRole('legal'),
        label: meaning('legal'),
        access: { title: read, risk_level: required, legal_opinion: required },
      }),
      step(finance, 'finance', '财务审核', { participants: byRole('finance'), label: meaning('finance') }),
      step(leader, 'leader', '分管领导审批', { participants: byVariable('dept_ld'), on_self: onSelf.skip }),
      step(school, 'sign', '校领导审批', { participants: byVariable('xld'), label: meaning('sign') }),
      { id: done, key: 'done', name: '办结', kind: 'end', order: done },
    ],
    transitions: [
      saving,
      { id: 2, key: 'submit', name: '提交审批', source: 1, destination: head, attribute: attributeType.agree },
      agree(3, head, manage),
      refuse(4, head),
      agree(5, manage, finance, {
        conditions: [{ expression: { op: 'eq', field: 'need_legal', value: true }, target_state_id: legal }, moneyless],
      }),
      refuse(6, manage),
      agree(7, legal, finance, { conditions: [moneyless] }),
      refuse(8, legal),
      agree(9, finance, leader),
      refuse(10, finance),
      agree(11, leader, done, {
        conditions: [{ expression: { op: 'gte', field: 'step', value: 2 }, target_state_id: school }],
      }),
      refuse(12, leader),
      agree(13, school, done),
      refuse(14, school),
    ],
    settings: {
      title_template: '{title}',
      content_template: '{title}',
      number_rule: { prefix: 'CON', digits: 4, period: 'day' },
      display_form: ['title', 'risk_level', 'legal_opinion'],
    },
  }),
};
