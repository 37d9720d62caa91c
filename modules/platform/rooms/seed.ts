import type { MenuSeed } from '#modules/platform/access/seed.ts';

const page = (key: string, title: string, icon: string, order: number, codes: MenuSeed['codes']): MenuSeed => ({
  key: `meet/${key}`,
  parent: 'meet',
  title,
  path: key,
  icon,
  order,
  codes: codes ?? [],
});

export const menus: MenuSeed[] = [
  { key: 'meet', title: '会议', path: '/meet', icon: 'TeamOutlined', order: 400, heading: true },
  page('day', '会议室日视图', 'FieldTimeOutlined', 450, ['Retrieve']),
  page('room', '会议室', 'BankOutlined', 460, ['Create', 'Retrieve', 'Update', 'Delete']),
  page('office', '会务单位', 'ClusterOutlined', 470, ['Create', 'Retrieve', 'Update', 'Delete']),
];
