import type { Start } from '#kernel/web/registry.ts';

const starts: readonly Start[] = [
  {
    key: 'activity',
    name: '活动申报',
    about: '申报校园活动，由相关部门会审',
    category: '活动',
    to: '/activity/declare',
    page: '/activity/declare',
  },
];
export default starts;
