import type { MenuSeed } from '#modules/platform/access/seed.ts';

export const menus: MenuSeed[] = [
  {
    key: 'alumnus/list',
    parent: 'sms',
    title: '校友',
    path: 'alumnus',
    icon: 'UsergroupOutlined',
    order: 840,
    codes: ['Create', 'Retrieve', 'Update', 'Delete', 'daochu'],
  },
];
