import type { MenuSeed } from '#modules/platform/access/seed.ts';

export const menus: MenuSeed[] = [
  {
    key: 'system/app_token',
    parent: 'system',
    title: '应用令牌',
    path: 'app_token',
    icon: 'KeyOutlined',
    order: 990,
    codes: ['Create', 'Retrieve', 'Update', 'Delete'],
  },
];
