/** Chinese names of the modules in the operation log, by the name stored in it. */
export const logNames: Record<string, string> = {
  tickets: '工单',
  delegations: '外出委托',
  documents: '公文',
  distributions: '公文分发',
  notices: '公文通知',
  letterheads: '红头模板',
  folders: '制度文件',
  contracts: '合同',
  customers: '客户',
  monitors: '监测',
  leaders: '领导日程',
  duty: '值班',
  stamps: '用印',
  supervision: '督办',
  orders: '报修订单',
  meetings: '会议',
  workflows: '流程',
  links: '关联',
  messages: '消息与通知',
  waits: '待办提示',
  started: '我发起的',
  sms: '短信',
  alumni: '校友',
  files: '文件',
  wopi: '在线编辑',
  verification: '公文核验',
  calendars: '工作日历',
  exports: '后台导出',
  feeds: '日历订阅',
  rooms: '会议室',
  activities: '活动',
  photos: '相册',
  accounts: '登录与账号',
  signon: '单点登录',
  people: '用户与部门',
  access: '角色与菜单',
  settings: '系统设置',
  tokens: '应用令牌',
  deliveries: '投递日志',
  audit: '操作日志',
  docs: '接口文档',
};

/** Names used before a module was named after its folder; sealed rows keep them, and are found under the present one. */
export const formerNames: Record<string, string> = {
  ticket: 'tickets',
  document: 'documents',
  workflow: 'workflows',
  link: 'links',
  calendar: 'calendars',
  feed: 'feeds',
};

/** The Chinese name of a module; an unknown one is returned unchanged. */
export function logName(module: string): string {
  const present = Object.hasOwn(formerNames, module) ? formerNames[module]! : module;
  return Object.hasOwn(logNames, present) ? logNames[present]! : module;
}

/** All names under which the log stores a module's actions. */
export const namesInLog = (module: string): string[] => [
  module,
  ...Object.keys(formerNames).filter((former) => formerNames[former] === module),
];
