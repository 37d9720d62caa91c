/** What people call the modules that write to the operation log, by the name the log keeps. */
export const logNames: Record<string, string> = {
  ticket: '工单',
  document: '公文',
  folders: '制度文件',
  workflow: '流程',
  link: '关联',
  messages: '消息与通知',
  waits: '待办提示',
  sms: '短信',
  alumni: '校友',
  files: '文件',
  wopi: '在线编辑',
  verification: '公文核验',
  calendar: '工作日历',
  feed: '日历订阅',
  rooms: '会议室',
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

export const logName = (module: string) => (Object.hasOwn(logNames, module) ? logNames[module]! : module);
