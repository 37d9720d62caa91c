import type { MenuSeed } from '#modules/platform/access/seed.ts';

export const menus: MenuSeed[] = [
  {
    key: 'document/notice',
    parent: 'document',
    title: '公文通知',
    path: 'notice',
    icon: 'NotificationOutlined',
    order: 230,
    codes: ['Create', 'Retrieve', 'Delete'],
  },
  {
    key: 'document/notice/detail',
    parent: 'document/notice',
    title: '公文通知',
    path: 'detail/:id',
    icon: '',
    order: 10,
    visible: false,
  },
];
