import { fieldType, onEmpty, onSelf, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { straight } from '#modules/workflow/workflows/engine/straight.ts';

const office = {
  key: 'office',
  name: '会务审核',
  more: {
    participants: [{ type: participantType.field, field: 'office_managers' }],
    on_empty: onEmpty.admins,
    on_self: onSelf.skip,
  },
};
const fields = [
  { id: 2, key: 'office_managers', name: '会务人员', type: fieldType.users, max: 50 },
  { id: 3, key: 'needs_approval', name: '会议室须审批', type: fieldType.bool },
];
const bound = { icon: 'TeamOutlined', category: '会议', module: 'meetings', intervene: ['office_admin'] };

const applying = straight({
  name: '会议审批',
  start: '申请',
  submit: '提交申请',
  prefix: 'HY',
  fields,
  steps: [{ key: 'head', name: '部门负责人审核', variable: 'dept_fzr', more: { on_self: onSelf.skip } }, office],
});

export const meetingFlows = [
  {
    ...bound,
    key: 'meeting',
    name: '会议审批',
    description: '会议和会议室使用的审批；不须审批的会议室提交即可使用',
    definition: Definition.parse({
      ...applying,
      transitions: applying.transitions.map((way) =>
        way.key === 'submit'
          ? {
              ...way,
              conditions: [{ expression: { op: 'eq', field: 'needs_approval', value: false }, target_state_id: 4 }],
            }
          : way,
      ),
    }),
  },
  {
    ...bound,
    key: 'meeting_change',
    name: '会议变更审批',
    description: '已通过的会议改时间或会议室',
    module: 'meeting_changes',
    definition: straight({
      name: '会议变更审批',
      start: '申请变更',
      submit: '提交变更',
      prefix: 'HB',
      fields: fields.slice(0, 1),
      steps: [office],
    }),
  },
];
