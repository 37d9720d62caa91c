import type { Start } from '#kernel/web/registry.ts';

const starts: readonly Start[] = [
  {
    key: 'schedule',
    name: '领导日程',
    about: '为会议、接待或外出预约领导的时间',
    category: '日程',
    to: '/schedule/leader?new=1',
    page: '/schedule/leader',
  },
];
export default starts;
