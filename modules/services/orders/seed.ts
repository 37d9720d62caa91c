import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
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
import { addWorkflows } from '#modules/workflow/workflows/seed.ts';

const page = (
  key: string,
  title: string,
  icon: string,
  order: number,
  codes: MenuSeed['codes'],
  path = key,
): MenuSeed => ({
  key: `order/${key}`,
  parent: 'order',
  title,
  path,
  icon,
  order,
  codes,
});
export const menus: MenuSeed[] = [
  { key: 'order', title: '报修订单', path: '/order', icon: 'ToolOutlined', order: 600, heading: true },
  page('mine', '我的工单', 'UserOutlined', 601, ['Create', 'Retrieve'], '/myOrder'),
  page('list', '订单办理', 'UnorderedListOutlined', 602, ['Create', 'Retrieve', 'Update', 'Delete', 'chuli', 'daochu']),
  page('register', '代为登记', 'PhoneOutlined', 603, ['Create']),
  page('statistics', '订单统计', 'BarChartOutlined', 604, ['Retrieve', 'daochu']),
  { ...page('detail', '订单详情', '', 605, ['Retrieve'], 'detail/:id'), visible: false },
  page('task', '维修任务', 'CheckSquareOutlined', 606, ['Retrieve', 'chuli']),
  page('setting', '类别与时限', 'SettingOutlined', 607, ['Create', 'Retrieve', 'Update', 'Delete']),
  page('asset', '资产与标签', 'ScanOutlined', 608, ['Create', 'Retrieve', 'Update', 'Delete', 'daochu']),
];

/** Days after which a repair counts as confirmed. */
export const confirmDays = 7;
const { read, required, optional } = fieldAccess;
type State = DefinitionInput['states'][number];
const step = (
  id: number,
  key: string,
  name: string,
  who: NonNullable<State['participants']>[number],
  more: Partial<State>,
): State => ({
  id,
  key,
  name,
  kind: 'handle',
  order: id,
  participants: [who],
  // The holder decides alone, so that a return by one clerk leaves no task with the others of the desk.
  distribution: { type: distributeType.direct, reject_rule: rejectRule.veto },
  on_self: onSelf.asUsual,
  on_empty: onEmpty.admins,
  access: { title: read, place: read },
  label: { order: key },
  ...more,
});
const way = (id: number, key: string, name: string, source: number, destination: number, more: object = {}) => ({
  id,
  key,
  name,
  source,
  destination,
  attribute: attributeType.agree,
  ...more,
});
const back = { attribute: attributeType.refuse, field_require_check: false, suggestion_required: true };
const users = (id: number, key: string, name: string) => ({ id, key, name, type: fieldType.users, max: 20 });

/** 报修: the desk sends it to handlers, one of them repairs it, the reporter confirms. The labels of its states give their meaning for orders. */
export const flow = {
  key: 'order',
  name: '报修',
  description: '报修、派单、维修、确认的全过程',
  icon: 'ToolOutlined',
  category: '报修',
  module: 'orders',
  intervene: ['order_desk'],
  definition: Definition.parse({
    name: '报修',
    fields: [
      { id: 1, key: 'title', name: '标题', type: fieldType.string, max_length: 80 },
      { id: 2, key: 'place', name: '地点', type: fieldType.string, max_length: 200 },
      users(3, 'handlers', '办理人'),
      users(4, 'confirmer', '确认人'),
      users(5, 'approvers', '费用审批人'),
      { id: 6, key: 'auto_dispatch', name: '自动派单', type: fieldType.bool },
    ],
    states: [
      {
        id: 1,
        key: 'report',
        name: '报修',
        kind: 'start',
        order: 1,
        access: {
          title: required,
          place: optional,
          handlers: optional,
          confirmer: optional,
          approvers: optional,
          auto_dispatch: optional,
        },
      },
      step(
        2,
        'desk',
        '受理派单',
        { type: participantType.role, roles: ['order_desk'] },
        {
          access: { title: read, place: read, handlers: required, approvers: optional },
          actions: ['retreat', 'cc', 'add_node'],
        },
      ),
      step(
        3,
        'repair',
        '维修',
        { type: participantType.field, field: 'handlers' },
        {
          distribution: { type: distributeType.claim },
          access: { title: read, place: read, handlers: optional, approvers: optional },
          actions: ['deliver', 'add_node', 'retreat', 'cc'],
          label: { order: 'repair', retreat: 'always' },
        },
      ),
      step(
        4,
        'fee',
        '费用审批',
        { type: participantType.field, field: 'approvers' },
        { kind: 'approve', on_self: onSelf.superior },
      ),
      step(5, 'confirm', '报修人确认', { type: participantType.field, field: 'confirmer' }, {}),
      { id: 6, key: 'done', name: '完成', kind: 'end', order: 6 },
    ],
    transitions: [
      saving,
      way(2, 'submit', '提交', 1, 2, {
        conditions: [{ expression: { op: 'eq', field: 'auto_dispatch', value: true }, target_state_id: 3 }],
      }),
      way(3, 'dispatch', '派单', 2, 3),
      way(4, 'refuse', '退回报修人', 2, 1, back),
      way(5, 'finish', '完工', 3, 5),
      way(6, 'ask_fee', '申请费用', 3, 4, { attribute: attributeType.other }),
      way(7, 'give_back', '退回受理', 3, 2, { ...back, attribute: attributeType.other }),
      way(8, 'fee_agree', '同意', 4, 3),
      way(9, 'fee_refuse', '不同意', 4, 3, back),
      way(10, 'confirm', '确认', 5, 6, { timer: confirmDays * 86_400 }),
      way(11, 'rework', '返工', 5, 3, back),
    ],
    settings: {
      title_template: '{title}',
      content_template: '报修：{title}，地点：{place}',
      number_rule: { prefix: 'WX', digits: 4, period: 'day' },
      display_form: ['title', 'place'],
      revoke: 'nobody',
    },
  }),
};
export const seedOrders = (tx: Db): Promise<void> => addWorkflows(tx, [flow], 600);
