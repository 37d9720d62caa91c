import { fieldType, onEmpty, onSelf, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { straight, type Step } from '#modules/workflow/workflows/engine/straight.ts';

const fields = [
  { id: 2, key: 'direct', name: '领导本人、秘书或办公室填写', type: fieldType.bool },
  { id: 3, key: 'leaders', name: '领导', type: fieldType.users, max: 20 },
  { id: 4, key: 'leader_side', name: '领导与秘书', type: fieldType.users, max: 100 },
  { id: 5, key: 'approvers', name: '同意外出的领导', type: fieldType.users, max: 5 },
  { id: 6, key: 'own', name: '外出的领导本人填报', type: fieldType.bool },
];
const of = (field: string, on_empty: number = onEmpty.pass): Step['more'] => ({
  participants: [{ type: participantType.field, field }],
  on_self: onSelf.skip,
  on_empty: on_empty as 1,
});
const seed = (key: string, name: string, description: string, definition: Definition) => ({
  key,
  name,
  description,
  definition,
  icon: 'ScheduleOutlined',
  category: '领导日程',
  module: 'leaders',
  intervene: ['office_admin'],
});

const schedule = straight({
  name: '领导日程',
  start: '申报',
  submit: '提交申报',
  prefix: 'RC',
  fields,
  steps: [
    { key: 'head', name: '部门负责人审核', variable: 'dept_fzr', more: { on_self: onSelf.skip } },
    { key: 'office', name: '办公室审核', roles: ['office_admin'], more: { on_self: onSelf.skip } },
    { key: 'side', name: '领导或秘书确认', agree: '确认', more: of('leader_side', onEmpty.admins)! },
  ],
});
/** A flow whose first button skips steps if a field says so. */
const shortened = (whole: Definition, field: string, to: number) =>
  Definition.parse({
    ...whole,
    transitions: whole.transitions.map((way) =>
      way.key === 'submit'
        ? { ...way, conditions: [{ expression: { op: 'eq', field, value: true }, target_state_id: to }] }
        : way,
    ),
  });
export const scheduleFlow = seed(
  'leader_schedule',
  '领导日程',
  '部门申报领导日程的审核与确认',
  // Entries written by the leader's own side need no approval.
  shortened(schedule, 'direct', schedule.states.length),
);

const reported = straight({
  name: '领导外出报备',
  start: '填报',
  submit: '提交报备',
  prefix: 'WC',
  fields,
  steps: [
    {
      key: 'leader',
      name: '领导本人确认',
      agree: '确认',
      more: { ...of('leaders', onEmpty.admins)!, actions: ['retreat'] },
    },
    { key: 'main', name: '主要领导同意', more: of('approvers')! },
    { key: 'office', name: '办公室备案', agree: '备案', roles: ['office_admin'], more: { on_self: onSelf.skip } },
  ],
});
export const tripFlow = seed(
  'leader_trip',
  '领导外出报备',
  '领导外出的确认、同意与备案',
  // Leaders who report their own trip have agreed to it.
  shortened(reported, 'own', reported.states.find(({ key }) => key === 'main')!.id),
);
