/** What people call the modules that write to the log; a name not here is shown as it is. */
const modules: Record<string, string> = {
  accounts: '登录与账号',
  access: '角色与菜单',
  people: '用户与部门',
  settings: '系统设置',
  audit: '操作日志',
  deliveries: '投递日志',
  files: '文件',
  workflows: '流程',
  tickets: '工单',
};

export const moduleOptions = Object.entries(modules).map(([value, label]) => ({ value, label }));
export const moduleName = (name: string) => (Object.hasOwn(modules, name) ? modules[name]! : name);
