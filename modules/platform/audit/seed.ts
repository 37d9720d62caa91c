import type { MenuSeed } from '#modules/platform/access/seed.ts';

export const menus: MenuSeed[] = [
  {
    key: 'system/log',
    parent: 'system',
    title: '操作日志',
    path: 'log',
    icon: 'FileSearchOutlined',
    order: 970,
    codes: ['Retrieve', 'Delete', 'daochu'],
  },
  {
    key: 'system/sign_in',
    parent: 'system',
    title: '登录日志',
    path: 'sign_in',
    icon: 'LoginOutlined',
    order: 972,
    codes: ['Retrieve', 'daochu'],
  },
];
