import type { Start } from '#kernel/web/registry.ts';

const starts: readonly Start[] = [
  {
    key: 'stamp',
    name: '用印',
    about: '申请盖章或借用印章，预约时间，记入用印台账',
    category: '用印',
    to: '/stamp/application?new=1',
    page: '/stamp/application',
  },
];
export default starts;
