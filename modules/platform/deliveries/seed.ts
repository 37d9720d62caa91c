import type { MenuSeed } from '#modules/platform/access/seed.ts';

export const menus: MenuSeed[] = [
  {
    key: 'system/delivery',
    parent: 'system',
    title: '投递日志',
    path: 'delivery',
    icon: 'SendOutlined',
    order: 980,
    codes: ['Retrieve', 'chuli', 'daochu'],
  },
  {
    key: 'system/job',
    parent: 'system',
    title: '后台任务',
    path: 'job',
    icon: 'FieldTimeOutlined',
    order: 985,
    codes: ['Retrieve', 'chuli'],
  },
];
