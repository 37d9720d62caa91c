import { figures } from '#kernel/contract/figures.ts';

const counted = { columns: ['count', 'hours', 'changes'], drawn: ['count'], unit: '项', chart: 'bars' } as const;

/** Statistics of leaders' schedules, limited to those the viewer may read. */
export const leaderStatistics = figures({
  path: '/api/leader/statistics/',
  page: 'leader/statistics',
  title: '日程统计',
  filters: {},
  months: 3,
  columns: {
    count: { title: '日程' },
    hours: { title: '小时' },
    changes: { title: '通过后变更' },
    waiting: { title: '未答复' },
  },
  panels: {
    leader: {
      ...counted,
      title: '各领导日程',
      heading: '领导',
      columns: ['count', 'hours', 'changes', 'waiting'],
      none: '这段时间没有日程',
    },
    attend: { ...counted, title: '按方式', heading: '方式', none: '这段时间没有日程' },
    week: { ...counted, title: '按周', heading: '周（星期一）', ordered: true, none: '这段时间没有日程' },
    dept: { ...counted, title: '按承办单位', heading: '单位', none: '这段时间没有日程' },
  },
  summary: {},
});
