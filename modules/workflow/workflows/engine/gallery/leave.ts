import {
  attributeType,
  distributeType,
  fieldAccess,
  fieldType,
  onEmpty,
  participantType,
  rejectRule,
} from '../codes.ts';
import { Definition, type DefinitionInput } from '../definition.ts';
import { saving } from '../straight.ts';

const { read, required, optional } = fieldAccess;
const asked = {
  kind: read,
  from: read,
  from_half: read,
  to: read,
  to_half: read,
  days: read,
  reason: read,
  proof: read,
};
const halves = [
  { value: 'am', label: '上午' },
  { value: 'pm', label: '下午' },
];
const back = { attribute: attributeType.refuse, field_require_check: false, suggestion_required: true };

const definition: DefinitionInput = {
  name: '请假申请',
  fields: [
    {
      id: 1,
      key: 'kind',
      name: '请假类型',
      type: fieldType.radio,
      choices: [
        { value: 'personal', label: '事假' },
        { value: 'sick', label: '病假' },
        { value: 'annual', label: '年休假' },
        { value: 'family', label: '婚丧产假' },
        { value: 'other', label: '其他' },
      ],
    },
    { id: 2, key: 'from', name: '开始日期', type: fieldType.date },
    { id: 21, key: 'from_half', name: '开始时段', type: fieldType.radio, choices: halves, default_value: 'am' },
    { id: 3, key: 'to', name: '结束日期', type: fieldType.date, not_before: 'from', away: 'leave' },
    { id: 22, key: 'to_half', name: '结束时段', type: fieldType.radio, choices: halves, default_value: 'pm' },
    {
      id: 4,
      key: 'days',
      name: '天数',
      description: '按起止日期算出，只计工作日，含首尾两天；半天由上午、下午说明',
      type: fieldType.float,
      min: 0.5,
      max: 365,
      decimals: 1,
      days_between: { from: 'from', to: 'to', from_half: 'from_half', to_half: 'to_half', working: true },
    },
    { id: 5, key: 'reason', name: '事由', type: fieldType.textarea, max_length: 1000 },
    { id: 6, key: 'proof', name: '证明材料', type: fieldType.file, max: 5 },
  ],
  states: [
    {
      id: 1,
      key: 'submit',
      name: '提交申请',
      kind: 'start',
      order: 1,
      access: {
        kind: required,
        from: required,
        from_half: optional,
        to: required,
        to_half: optional,
        days: required,
        reason: required,
        proof: optional,
      },
      actions: ['cc'],
    },
    {
      id: 2,
      key: 'dept_fzr',
      name: '部门负责人审批',
      kind: 'approve',
      order: 2,
      participants: [{ type: participantType.variable, variable: 'dept_fzr' }],
      distribution: { type: distributeType.direct, reject_rule: rejectRule.veto },
      on_empty: onEmpty.admins,
      access: asked,
      actions: ['deliver', 'delegate', 'add_node', 'return', 'retreat', 'cc', 'batch'],
    },
    {
      id: 3,
      key: 'dept_ld',
      name: '分管领导审批',
      kind: 'approve',
      order: 3,
      participants: [{ type: participantType.variable, variable: 'dept_ld' }],
      distribution: { type: distributeType.direct, reject_rule: rejectRule.veto },
      on_empty: onEmpty.admins,
      dedupe: 'round',
      access: asked,
      actions: ['deliver', 'delegate', 'add_node', 'return', 'cc', 'batch'],
    },
    { id: 4, key: 'done', name: '完成', kind: 'end', order: 4 },
  ],
  transitions: [
    saving,
    { id: 2, key: 'submit', name: '提交', source: 1, destination: 2, attribute: attributeType.agree },
    {
      id: 3,
      key: 'fzr_agree',
      name: '同意',
      source: 2,
      destination: 4,
      attribute: attributeType.agree,
      conditions: [{ expression: { op: 'gt', field: 'days', value: 3 }, target_state_id: 3 }],
    },
    { id: 4, key: 'fzr_refuse', name: '拒绝', source: 2, destination: 1, ...back },
    { id: 5, key: 'ld_agree', name: '同意', source: 3, destination: 4, attribute: attributeType.agree },
    { id: 6, key: 'ld_refuse', name: '拒绝', source: 3, destination: 1, ...back },
  ],
  settings: {
    title_template: '{creator} {kind} {days} 天',
    content_template: '请假：{kind}，{from} {from_half} 至 {to} {to_half}，共 {days} 天',
    number_rule: { prefix: 'QJ', digits: 4, period: 'day' },
    // Changing the reason or proof asks nobody again.
    key_fields: ['kind', 'from', 'from_half', 'to', 'to_half', 'days'],
    display_form: ['kind', 'from', 'from_half', 'to', 'to_half', 'days'],
  },
};

/** 请假申请: head of department, above three days also the leader in charge. */
export const leave = {
  key: 'leave',
  name: '请假申请',
  description: '事假、病假、年休假等请假申请',
  icon: 'CalendarOutlined',
  category: '人事',
  definition: Definition.parse(definition),
};
