import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { smsType } from '#modules/platform/sms/contract/labels.ts';
import { seedTemplates } from '#modules/platform/sms/service.ts';

const page = (key: string, title: string, icon: string, order: number, codes: MenuSeed['codes']): MenuSeed => ({
  key: `customer/${key}`,
  parent: 'customer',
  title,
  path: key,
  icon,
  order,
  codes: codes ?? [],
});
export const menus: MenuSeed[] = [
  page('record', '监测记录', 'AlertOutlined', 740, ['Retrieve', 'Update', 'Delete', 'chuli']),
  {
    ...page('record/detail', '监测记录详情', '', 741, []),
    parent: 'customer/record',
    path: 'detail/:id',
    visible: false,
  },
  page('log', '监测日志', 'LineChartOutlined', 750, ['Retrieve', 'Update', 'Delete']),
  page('statistics', '监测统计', 'BarChartOutlined', 795, ['Retrieve', 'daochu']),
];

export const seedMonitors = (tx: Db) =>
  seedTemplates(tx, {
    monitor_down: { name: '监测异常', content: '{projects}发生异常。{reason} 认领：{link}', type: smsType.alarm },
    monitor_up: { name: '监测恢复', content: '{projects}已恢复正常。', type: smsType.alarm },
    monitor_flap: { name: '监测抖动', content: '{projects}状态抖动。{reason}', type: smsType.alarm },
    monitor_quiet: { name: '监测静默结束', content: '{projects}静默结束。{reason}', type: smsType.alarm },
    cert_expire: { name: '证书到期', content: '{projects}的证书即将到期。{reason}', type: smsType.notice },
  });
