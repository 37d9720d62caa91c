import type { Start } from '#kernel/web/registry.ts';

const starts: readonly Start[] = [
  {
    key: 'supervision',
    name: '督办立项',
    about: '把要督办的事立项，分解任务到部门和人',
    category: '督办',
    to: '/supervise/list?new=1',
    page: '/supervise/list',
  },
];
export default starts;
