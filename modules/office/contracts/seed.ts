import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { addWorkflows } from '#modules/workflow/workflows/seed.ts';
import { approval } from './seeds/approval.ts';
import { seedCategories } from './seeds/filling.ts';

const page = (key: string, title: string, path: string, icon: string, order: number, codes: MenuSeed['codes']) => ({
  key: `contract/${key}`,
  parent: 'contract',
  title,
  path,
  icon,
  order,
  codes: codes ?? [],
});

export const menus: MenuSeed[] = [
  { key: 'contract', title: '合同', path: '/contract', icon: 'SolutionOutlined', order: 400, heading: true },
  page('list', '合同申请', 'list', 'FileAddOutlined', 410, ['Create', 'Retrieve', 'Update', 'Delete', 'chuli']),
  page('manage', '合同台账', 'manage', 'ProfileOutlined', 420, ['Retrieve', 'Update', 'chuli', 'daochu']),
  page('performance', '合同履约', 'performance', 'ScheduleOutlined', 430, ['Retrieve', 'Delete', 'daochu']),
  page('category', '合同类别', 'category', 'TagsOutlined', 440, ['Create', 'Retrieve', 'Update', 'Delete']),
  page('template', '合同模板', 'template', 'SnippetsOutlined', 450, ['Create', 'Retrieve', 'Update', 'Delete']),
  { ...page('template/detail', '合同模板', 'detail/:id', '', 451, []), parent: 'contract/template', visible: false },
  page('statistics', '合同统计', 'statistics', 'BarChartOutlined', 460, ['Retrieve', 'daochu']),
  { ...page('detail', '合同详情', 'detail/:id', '', 470, ['Retrieve']), visible: false },
  page('party', '合同相对方', 'party', 'TeamOutlined', 480, ['Retrieve', 'Update', 'daochu']),
];

/** The approval workflow and initial categories of contracts. Idempotent. */
export async function seedContracts(tx: Db): Promise<void> {
  await addWorkflows(tx, [approval], 300);
  await seedCategories(tx);
}
