import { fieldType, onEmpty, onSelf, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { straight } from '#modules/workflow/workflows/engine/straight.ts';

const flow = straight({
  name: '用印审批',
  start: '申请',
  end: '办结',
  submit: '提交申请',
  prefix: 'YY',
  fields: [
    { id: 2, key: 'owner_heads', name: '印章归口部门负责人', type: fieldType.users, max: 20 },
    { id: 3, key: 'needs_legal', name: '须法务审核', type: fieldType.bool },
    { id: 4, key: 'heavy', name: '重要印章', type: fieldType.bool },
    { id: 5, key: 'leader_step', name: '须校领导审批', type: fieldType.bool },
  ],
  steps: [
    { key: 'head', name: '部门负责人审核', variable: 'dept_fzr' },
    {
      key: 'owner',
      name: '印章归口部门负责人审核',
      more: {
        participants: [{ type: participantType.field, field: 'owner_heads' }],
        on_empty: onEmpty.pass,
        on_self: onSelf.skip,
        dedupe: 'round',
      },
    },
    { key: 'legal', name: '法务审核', roles: ['legal'] },
    { key: 'leader', name: '分管领导审批', variable: 'dept_ld' },
    { key: 'top', name: '校领导审批', variable: 'xld' },
  ],
});

/** Targets of a step: the first one required, else the end. */
const asked = [
  ['needs_legal', 4],
  ['heavy', 5],
  ['leader_step', 6],
] as const;
const end = 7;
const after = (state: number) => asked.filter(([, target]) => target > state);

/** 用印审批: the head, the head of the seal's own department, then, if required, legal, the leader in charge and a school leader. */
export const stampFlow = {
  key: 'stamp_application',
  name: '用印审批',
  description: '用印与外带印章的审批',
  icon: 'SafetyCertificateOutlined',
  category: '用印',
  module: 'stamps',
  intervene: ['office_admin'],
  definition: Definition.parse({
    ...flow,
    transitions: flow.transitions.map((way) =>
      way.source < 3 || !way.key.startsWith('agree')
        ? way
        : {
            ...way,
            destination: end,
            conditions: after(way.source).map(([field, target_state_id]) => ({
              expression: { op: 'eq', field, value: true },
              target_state_id,
            })),
          },
    ),
  }),
};
