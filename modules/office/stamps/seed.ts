import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { addWorkflows } from '#modules/workflow/workflows/seed.ts';
import { stampFlow } from './seeds/flow.ts';

const page = (key: string, title: string, path: string, icon: string, order: number, codes: MenuSeed['codes']) => ({
  key: `stamp/${key}`,
  parent: 'stamp',
  title,
  path,
  icon,
  order,
  codes: codes ?? [],
});

export const menus: MenuSeed[] = [
  { key: 'stamp', title: '印章', path: '/stamp', icon: 'SafetyCertificateOutlined', order: 560, heading: true },
  page('application', '用印申请', 'application', 'FormOutlined', 561, [
    'Create',
    'Retrieve',
    'Update',
    'Delete',
    'chuli',
  ]),
  page('desk', '用印办理', 'desk', 'CameraOutlined', 562, ['Retrieve', 'chuli']),
  page('ledger', '用印台账', 'ledger', 'ProfileOutlined', 563, ['Retrieve', 'daochu']),
  page('list', '印章管理', 'list', 'SafetyOutlined', 564, ['Create', 'Retrieve', 'Update', 'Delete']),
  { ...page('list/detail', '印章详情', 'detail/:id', '', 565, []), parent: 'stamp/list', visible: false },
  page('scan', '扫码核验', 'scan', 'ScanOutlined', 566, ['Retrieve']),
  { ...page('detail', '用印详情', 'detail/:id', '', 567, ['Retrieve']), visible: false },
  page('statistics', '用印统计', 'statistics', 'BarChartOutlined', 568, ['Retrieve', 'chuli', 'daochu']),
];

/** The default workflow of applications, unless a seal names another. Idempotent. */
export const seedStamps = (tx: Db) => addWorkflows(tx, [stampFlow], 210);
