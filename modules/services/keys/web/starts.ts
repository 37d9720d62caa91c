import type { Start } from '#kernel/web/registry.ts';

const starts: readonly Start[] = [
  {
    key: 'key',
    name: '钥匙借用',
    about: '借用教室、会议室等房间的钥匙，由保管人审批和登记',
    category: '钥匙',
    to: '/key/loan?new=1',
    page: '/key/loan',
  },
];
export default starts;
