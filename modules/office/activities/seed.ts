import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { addWorkflows } from '#modules/workflow/workflows/seed.ts';
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
import { reviewKeys, reviews, type Review } from './contract/codes.ts';

const page = (key: string, title: string, icon: string, order: number, codes: MenuSeed['codes']): MenuSeed => ({
  key: `activity/${key}`,
  parent: 'activity',
  title,
  path: key === 'detail' ? 'detail/:id' : key,
  icon,
  order,
  codes: codes ?? [],
});
export const menus: MenuSeed[] = [
  { key: 'activity', title: '活动', path: '/activity', icon: 'FlagOutlined', order: 350, heading: true },
  page('declare', '活动申报', 'FormOutlined', 351, ['Create']),
  page('list', '活动列表', 'UnorderedListOutlined', 352, ['Retrieve', 'chuli', 'daochu']),
  page('data', '活动看板', 'DashboardOutlined', 353, ['Retrieve']),
  { ...page('detail', '活动详情', '', 354, ['Retrieve']), visible: false },
  page('rule', '申报规则', 'SettingOutlined', 355, ['Retrieve', 'Update']),
];

type State = DefinitionInput['states'][number];
const { read, required, optional } = fieldAccess;
const needed = reviewKeys.map((key) => `need_${key}`);
const asked: Record<Review, NonNullable<State['participants']>[number]> = {
  publicity: { type: participantType.role, roles: ['publicity'] },
  foreign: { type: participantType.role, roles: ['foreign'] },
  safety: { type: participantType.role, roles: ['safety'] },
  place: { type: participantType.field, field: 'place_managers' },
};
const last = reviewKeys.length + 3;
const steps: [key: string, name: string, by: NonNullable<State['participants']>[number], more: Partial<State>][] = [
  ['head', '部门负责人审核', { type: participantType.variable, variable: 'dept_fzr' }, { on_self: onSelf.skip }],
  ...reviewKeys.map((key): (typeof steps)[number] => [key, reviews[key], asked[key], { label: { activity: key } }]),
  [
    'leader',
    '分管领导审批',
    { type: participantType.variable, variable: 'dept_ld' },
    { on_self: onSelf.skip, label: { activity: 'final' } },
  ],
];

/** 活动申报: the head, the required reviews, the leader in charge. Its conditions read the flags that the rules set. */
export const flow = {
  key: 'activity',
  name: '活动审批',
  description: '举办活动前的审批，变更也由它办理',
  icon: 'FlagOutlined',
  category: '活动',
  module: 'activities',
  definition: Definition.parse({
    name: '活动审批',
    fields: [
      { id: 1, key: 'title', name: '标题', type: fieldType.string, max_length: 120 },
      { id: 2, key: 'place_managers', name: '场地管理人员', type: fieldType.users, max: 20 },
      ...reviewKeys.map((key, at) => ({
        id: at + 3,
        key: `need_${key}`,
        name: `须${reviews[key]}`,
        type: fieldType.bool,
      })),
      { id: 9, key: 'urgent', name: '急办原因', type: fieldType.string, max_length: 300 },
    ],
    states: [
      {
        id: 1,
        key: 'draft',
        name: '申报',
        kind: 'start',
        order: 1,
        access: {
          title: required,
          ...Object.fromEntries([...needed, 'place_managers', 'urgent'].map((key) => [key, optional])),
        },
        actions: ['cc'],
      },
      ...steps.map(([key, name, by, more], at): State => ({
        id: at + 2,
        key,
        name,
        kind: 'approve',
        order: at + 2,
        participants: [by],
        distribution: { type: distributeType.direct, reject_rule: rejectRule.veto },
        on_empty: onEmpty.admins,
        access: { title: read, urgent: read },
        actions: ['deliver', 'delegate', 'add_node', 'return', 'cc', 'retreat', 'batch'],
        ...more,
      })),
      { id: last + 1, key: 'done', name: '办结', kind: 'end', order: last + 1 },
    ],
    transitions: [
      saving,
      { id: 2, key: 'submit', name: '提交申报', source: 1, destination: 2, attribute: attributeType.agree },
      ...steps.flatMap(([key], at): DefinitionInput['transitions'] => [
        {
          id: at * 2 + 3,
          key: `agree_${key}`,
          name: '同意',
          source: at + 2,
          destination: key === 'leader' ? last + 1 : last,
          attribute: attributeType.agree,
          conditions: needed.slice(at).map((field, ahead) => ({
            expression: { op: 'eq', field, value: true },
            target_state_id: at + ahead + 3,
          })),
        },
        {
          id: at * 2 + 4,
          key: `refuse_${key}`,
          name: '退回申报人',
          source: at + 2,
          destination: 1,
          attribute: attributeType.refuse,
          field_require_check: false,
          suggestion_required: true,
        },
      ]),
    ],
    settings: {
      title_template: '{title}',
      content_template: '{title}',
      number_rule: { prefix: 'HD', digits: 4, period: 'day' },
      display_form: ['title', 'urgent'],
    },
  }),
};
export const changeFlow = { ...flow, key: 'activity_change', name: '活动变更审批', module: 'activity_changes' };

/** Workflows of activities and their changes. Idempotent. */
export const seedActivities = (tx: Db): Promise<void> => addWorkflows(tx, [flow, changeFlow], 350);
