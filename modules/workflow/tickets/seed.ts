import type { MenuSeed } from '#modules/platform/access/seed.ts';

const page = (
  key: string,
  title: string,
  path: string,
  icon: string,
  order: number,
  codes: MenuSeed['codes'],
  visible = true,
): MenuSeed => ({ key, parent: 'ticket', title, path, icon, order, codes, visible });

export const menus: MenuSeed[] = [
  { key: 'ticket', title: '工单', path: '/ticket', icon: 'AuditOutlined', order: 100, heading: true },
  page('ticket/new', '发起工单', 'new', 'FormOutlined', 110, ['Create']),
  page('ticket/duty', '我的待办', 'duty', 'InboxOutlined', 120, ['Retrieve', 'chuli']),
  page('ticket/owner', '我发起的', 'owner', 'SendOutlined', 130, ['Retrieve']),
  page('ticket/worked', '我已处理', 'worked', 'CheckSquareOutlined', 140, ['Retrieve']),
  page('ticket/cc', '抄送我的', 'cc', 'CopyOutlined', 145, ['Retrieve']),
  page('ticket/all', '全部工单', 'all', 'UnorderedListOutlined', 150, ['Retrieve', 'chuli', 'Delete', 'daochu']),
  page('ticket/statistics', '工单统计', 'statistics', 'BarChartOutlined', 155, ['Retrieve', 'daochu']),
  page('ticket/detail', '工单详情', 'detail/:id', '', 160, ['Retrieve'], false),
];
