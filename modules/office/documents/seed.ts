import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { addWorkflows } from '#modules/workflow/workflows/seed.ts';
import { seedChoices } from './seeds/choices.ts';
import { memo } from './seeds/memo.ts';
import { receiving } from './seeds/receiving.ts';
import { sending } from './seeds/sending.ts';

const page = (key: string, title: string, path: string, icon: string, order: number, codes: MenuSeed['codes']) => ({
  key,
  parent: 'document',
  title,
  path,
  icon,
  order,
  codes,
});
export const menus: MenuSeed[] = [
  { key: 'document', title: '公文', path: '/document', icon: 'FileTextOutlined', order: 200, heading: true },
  page('document/list', '公文办理', 'list', 'FileDoneOutlined', 210, [
    'Create',
    'Retrieve',
    'Update',
    'Delete',
    'chuli',
    'daochu',
  ]),
  { ...page('document/detail', '公文详情', 'detail/:id', '', 211, ['Retrieve']), visible: false },
  page('document/register', '收文登记簿', 'register', 'InboxOutlined', 215, ['Create', 'Retrieve']),
  page('document/exchange', '公文交换登记', 'exchange', 'SendOutlined', 217, [
    'Create',
    'Retrieve',
    'Update',
    'Delete',
    'daochu',
  ]),
  page('document/collect', '我的收藏', 'collect', 'StarOutlined', 240, ['Retrieve']),
  page('document/statistics', '公文统计', 'statistics', 'BarChartOutlined', 250, ['Retrieve', 'daochu']),
  page('document/setting', '类别与字号', 'setting', 'SettingOutlined', 290, ['Create', 'Retrieve', 'Update', 'Delete']),
];

/** The three workflows of documents and their default choices, added if missing. Idempotent. */
export async function seedDocuments(tx: Db): Promise<void> {
  await addWorkflows(tx, [sending, receiving, memo], 100);
  await seedChoices(tx);
}
