import type { MenuSeed } from '#modules/platform/access/seed.ts';

export const menus: MenuSeed[] = [
  {
    key: 'document/dist',
    parent: 'document',
    title: '分发阅读',
    path: 'dist',
    icon: 'ShareAltOutlined',
    order: 220,
    codes: ['Create', 'Retrieve', 'daochu'],
  },
  {
    key: 'document/dist/detail',
    parent: 'document/dist',
    title: '公文分发',
    path: 'detail/:id',
    icon: '',
    order: 10,
    visible: false,
  },
];
