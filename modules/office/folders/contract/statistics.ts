import { figures } from '#kernel/contract/figures.ts';

const papers = { columns: ['count'], unit: '份', chart: 'bars', none: '还没有制度文件' } as const;

/** Statistics of the papers I manage; searches without a hit cover everybody and name nobody. */
export const folderStatistics = figures({
  path: '/api/folder/statistics/',
  page: 'folder/statistics',
  title: '阅读统计',
  filters: {},
  months: 0,
  columns: {
    count: { title: '文件' },
    total: { title: '应读人数' },
    done: { title: '已确认人数' },
    rate: { title: '确认率（%）' },
    /** The reading deadline, the day of expiry, or the last day a word was searched. */
    day: { title: '阅读期限', kind: 'day' },
  },
  panels: {
    must_read: {
      ...papers,
      title: '必读文件的确认率',
      heading: '文件',
      columns: ['total', 'done', 'rate', 'day'],
      drawn: ['rate'],
      unit: '%',
      none: '没有现行的必读文件',
    },
    overdue: {
      ...papers,
      title: '逾期未确认，按部门',
      heading: '部门',
      titles: { count: '逾期未确认（人次）' },
      unit: '人次',
      drawn: ['count'],
      none: '没有逾期未确认的人员',
    },
    miss: {
      ...papers,
      title: '近 90 天无结果的高频搜索词',
      heading: '词',
      columns: ['count', 'day'],
      titles: { count: '次数', day: '最近一天' },
      unit: '次',
      drawn: ['count'],
      none: '近 90 天没有搜索落空',
    },
    expired: {
      ...papers,
      title: '已过失效日期的文件',
      heading: '文件',
      columns: ['day'],
      titles: { day: '失效日期' },
      drawn: [],
      none: '没有已过失效日期的文件',
    },
    category: { ...papers, title: '各分类文件', heading: '分类', drawn: ['count'] },
    dept: { ...papers, title: '各部门文件', heading: '部门', drawn: ['count'] },
    status: { ...papers, title: '各状态文件', heading: '状态', drawn: ['count'] },
  },
  summary: {},
});
