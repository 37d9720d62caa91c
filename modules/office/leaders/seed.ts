import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { addWorkflows } from '#modules/workflow/workflows/seed.ts';
import { scheduleFlow, tripFlow } from './seeds/flows.ts';

const page = (key: string, title: string, path: string, icon: string, order: number, codes: MenuSeed['codes']) => ({
  key: `leader/${key}`,
  parent: 'leader',
  title,
  path,
  icon,
  order,
  codes: codes ?? [],
});

export const menus: MenuSeed[] = [
  { key: 'leader', title: '日程管理', path: '/schedule', icon: 'CalendarOutlined', order: 570, heading: true },
  page('list', '领导日程', 'leader', 'ScheduleOutlined', 571, [
    'Create',
    'Retrieve',
    'Update',
    'Delete',
    'chuli',
    'daochu',
  ]),
  page('index', '一周安排', 'index', 'TableOutlined', 572, ['Retrieve']),
  { ...page('detail', '日程详情', 'detail/:id', '', 575, ['Retrieve']), visible: false },
  page('statistics', '日程统计', 'statistics', 'BarChartOutlined', 576, ['Retrieve', 'daochu']),
];

/** The approval workflows of schedules and trips. Idempotent. */
export const seedLeaders = (tx: Db) => addWorkflows(tx, [scheduleFlow, tripFlow], 220);
