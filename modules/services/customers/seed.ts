import type { MenuSeed } from '#modules/platform/access/seed.ts';

const page = (key: string, title: string, icon: string, order: number, codes: MenuSeed['codes']): MenuSeed => ({
  key: `customer/${key}`,
  parent: 'customer',
  title,
  path: key,
  icon,
  order,
  codes: codes ?? [],
});
const all = ['Create', 'Retrieve', 'Update', 'Delete'] as const;
const hidden = { path: 'detail/:id', icon: '', visible: false };
export const menus: MenuSeed[] = [
  { key: 'customer', title: '客户', path: '/customer', icon: 'ContactsOutlined', order: 700, heading: true },
  page('list', '客户', 'IdcardOutlined', 710, [...all, 'daochu']),
  page('project', '项目', 'ProjectOutlined', 720, all),
  { ...page('project/detail', '项目详情', '', 721, []), parent: 'customer/project', ...hidden },
  page('contact', '联系人', 'ContactsOutlined', 730, [...all, 'daochu']),
  { ...page('detail', '客户详情', '', 790, ['Retrieve']), ...hidden },
];
