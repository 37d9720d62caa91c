import type { Start } from '#kernel/web/registry.ts';

const starts: readonly Start[] = [
  {
    key: 'meeting',
    name: '会议',
    about: '申请会议，预约会议室，通知参会人员',
    category: '会议',
    to: '/meet/new',
    page: '/meet/list',
  },
];
export default starts;
