import type { Start } from '#kernel/web/registry.ts';

const starts: readonly Start[] = [
  {
    key: 'room',
    name: '会议室',
    about: '看当天各会议室的空闲时段，选好后申请',
    category: '会议',
    to: '/meet/day',
    page: '/meet/day',
    code: 'Retrieve',
  },
];
export default starts;
