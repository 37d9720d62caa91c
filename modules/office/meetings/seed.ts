import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { addWorkflows } from '#modules/workflow/workflows/seed.ts';
import { meetingFlows } from './seeds/flow.ts';

const page = (key: string, title: string, path: string, icon: string, order: number, codes: MenuSeed['codes']) => ({
  key: `meet/${key}`,
  parent: 'meet',
  title,
  path,
  icon,
  order,
  codes: codes ?? [],
});

export const menus: MenuSeed[] = [
  page('attend', '我的会议', 'attend', 'UserOutlined', 410, ['Retrieve']),
  page('list', '会议申请', 'list', 'FileAddOutlined', 420, ['Create', 'Retrieve', 'Update', 'Delete', 'chuli']),
  page('manage', '会议管理', 'manage', 'ProfileOutlined', 430, ['Retrieve', 'chuli', 'daochu']),
  page('calendar', '会议日历', 'calendar', 'CalendarOutlined', 440, ['Retrieve']),
  { ...page('detail', '会议详情', 'detail/:id', '', 480, ['Retrieve']), visible: false },
  page('statistics', '会议统计', 'statistics', 'BarChartOutlined', 490, ['Retrieve', 'daochu']),
];

/** The approval workflows of meetings and their changes. Idempotent. */
export const seedMeetings = (tx: Db) => addWorkflows(tx, meetingFlows, 230);
