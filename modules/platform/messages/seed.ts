import type { MenuSeed } from '#modules/platform/access/seed.ts';

export const menus: MenuSeed[] = [
  {
    key: 'msg/send',
    title: '发布通知',
    path: '/notice',
    icon: 'SoundOutlined',
    order: 810,
    codes: ['Create', 'Retrieve', 'daochu'],
  },
];
