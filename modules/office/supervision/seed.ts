import type { MenuSeed } from '#modules/platform/access/seed.ts';

const page = (
  key: string,
  title: string,
  path: string,
  icon: string,
  order: number,
  codes: NonNullable<MenuSeed['codes']>,
): MenuSeed => ({
  key: `supervise/${key}`,
  parent: 'supervise',
  title,
  path,
  icon,
  order,
  codes,
});
export const menus: MenuSeed[] = [
  { key: 'supervise', title: '督办', path: '/supervise', icon: 'EyeOutlined', order: 600, heading: true },
  page('list', '督办事项', 'list', 'FlagOutlined', 601, ['Create', 'Retrieve', 'Update', 'Delete', 'chuli', 'daochu']),
  page('task', '我的任务', 'task', 'CheckSquareOutlined', 602, ['Retrieve', 'chuli']),
  page('statistics', '督办统计', 'statistics', 'BarChartOutlined', 603, ['Retrieve', 'daochu']),
  { ...page('detail', '督办详情', 'detail/:id', '', 604, ['Retrieve']), visible: false },
];
