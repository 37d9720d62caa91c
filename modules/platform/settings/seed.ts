import type { MenuSeed } from '#modules/platform/access/seed.ts';

export const menus: MenuSeed[] = [
  ['system/setup', '上线清单', 'setup', 'CheckCircleOutlined', 990] as const,
  ['system/site', '站点设置', 'site', 'GlobalOutlined', 1000] as const,
  ['system/login', '登录设置', 'login', 'LoginOutlined', 1010] as const,
  ['system/interface', '接口设置', 'interface', 'ApiOutlined', 1020] as const,
].map(([key, title, path, icon, order]) => ({
  key,
  parent: 'system',
  title,
  path,
  icon,
  order,
  codes: ['Retrieve', 'Update'],
}));
