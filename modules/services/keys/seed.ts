import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { fieldType, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import { straight } from '#modules/workflow/workflows/engine/straight.ts';
import { addWorkflows, type WorkflowSeed } from '#modules/workflow/workflows/seed.ts';

const page = (key: string, title: string, icon: string, order: number, codes: MenuSeed['codes'] = []): MenuSeed => ({
  key: `key/${key}`,
  parent: 'key',
  title,
  path: key,
  icon,
  order,
  codes,
});
export const menus: MenuSeed[] = [
  { key: 'key', title: '钥匙', path: '/key', icon: 'KeyOutlined', order: 565, heading: true },
  page('loan', '钥匙借用', 'FormOutlined', 566, ['Create', 'Retrieve', 'daochu']),
  page('list', '钥匙管理', 'UnorderedListOutlined', 567, ['Create', 'Retrieve', 'Update', 'Delete']),
  page('statistics', '借用统计', 'BarChartOutlined', 568, ['Retrieve']),
];

/** 钥匙借用: decided by the keeper of the key; what keepers ask for themselves is decided by their superior, as everywhere. */
const flow: WorkflowSeed = {
  key: 'key_loan',
  name: '钥匙借用',
  description: '借用房间钥匙，由保管人审批；保管人自己借用的，由其上级审批，没有上级的由流程管理员审批',
  icon: 'KeyOutlined',
  category: '钥匙',
  module: 'keys',
  // The office frees the days of an approved loan whose borrower is away or has left.
  intervene: ['office_admin'],
  definition: straight({
    name: '钥匙借用',
    start: '申请',
    submit: '提交申请',
    fields: [{ id: 2, key: 'keeper', name: '保管人', type: fieldType.users, max: 1 }],
    steps: [
      {
        key: 'keeper',
        name: '保管人审批',
        more: { participants: [{ type: participantType.field, field: 'keeper' }] },
      },
    ],
    prefix: 'YS',
    revoke: 'creator',
  }),
};
export const seedKeys = (tx: Db): Promise<void> => addWorkflows(tx, [flow], 560);
