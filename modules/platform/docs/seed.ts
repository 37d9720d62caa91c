import type { MenuSeed } from '#modules/platform/access/seed.ts';

export const menus: MenuSeed[] = [
  {
    key: 'system/docs',
    parent: 'system',
    title: '接口文档',
    path: 'docs',
    icon: 'ApiOutlined',
    order: 1030,
    codes: ['Retrieve'],
  },
];
