import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { addWorkflows } from '#modules/workflow/workflows/seed.ts';
import { publishing } from './seeds/publishing.ts';
import { categoryTable } from './tables.ts';

const page = (key: string, title: string, path: string, icon: string, order: number, codes: MenuSeed['codes']) => ({
  key: `folder/${key}`,
  parent: 'folder',
  title,
  path,
  icon,
  order,
  codes: codes ?? [],
});

export const menus: MenuSeed[] = [
  { key: 'folder', title: '制度文件', path: '/folder', icon: 'FolderOpenOutlined', order: 600, heading: true },
  page('index', '制度首页', 'index', 'ReadOutlined', 610, ['Retrieve']),
  page('papers', '文件管理', 'papers', 'FileTextOutlined', 620, ['Create', 'Retrieve', 'Update', 'Delete', 'daochu']),
  page('category', '文件分类', 'category', 'TagsOutlined', 630, ['Create', 'Retrieve', 'Update', 'Delete']),
  page('statistics', '阅读统计', 'statistics', 'BarChartOutlined', 635, ['Retrieve', 'daochu']),
  page('collect', '我的收藏', 'collect', 'StarOutlined', 640, ['Retrieve']),
];

/** The workflow for categories that name it, and the initial categories unless there are any. Idempotent. */
export async function seedFolders(tx: Db): Promise<void> {
  await addWorkflows(tx, [publishing], 200);
  const [any] = await tx
    .select({ one: sql`1` })
    .from(categoryTable)
    .limit(1);
  if (any) return;
  const names = ['党政管理', '人事财务', '教学科研', '后勤安全'];
  await tx.insert(categoryTable).values(names.map((name, index) => ({ name, order_id: (index + 1) * 10 })));
}
