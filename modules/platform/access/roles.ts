import type { PermissionCode } from '#kernel/contract/call.ts';
import { dataScope, type DataScope } from './contract/roles.ts';

/** A role that a new organisation begins with. */
export interface RoleSeed {
  code: string;
  name: string;
  dataScope: DataScope;
}
/** The same with what all modules grant it. */
export interface SeededRole extends RoleSeed {
  /** Its permissions in the notation of the modules. */
  text: string;
  grants(page: string, code: PermissionCode): boolean;
  sees(page: string): boolean;
}

interface Granting {
  /** Roles of its own, besides those of the specification. */
  roles?: readonly RoleSeed[];
  /** The permissions on its pages that seeded roles begin with, by the code of the role: `page:codes` separated by blanks; `*` stands for any part. */
  grants?: Readonly<Record<string, string>>;
  menus?: readonly { key: string }[];
}
declare module '#kernel/server/product.ts' {
  interface ModuleDefinition extends Pick<Granting, 'roles' | 'grants'> {}
}

const { all, dept, below, own } = dataScope;
const specified: readonly RoleSeed[] = [
  { code: 'super_admin', name: '超级管理员', dataScope: all },
  { code: 'office_admin', name: '党政办管理员', dataScope: all },
  { code: 'xld', name: '校领导', dataScope: all },
  { code: 'dept_ld', name: '分管领导', dataScope: below },
  { code: 'dept_fzr', name: '部门负责人', dataScope: below },
  { code: 'secretary', name: '秘书', dataScope: dept },
  { code: 'staff', name: '员工', dataScope: own },
  { code: 'reception', name: '前台', dataScope: own },
  { code: 'workflow_admin', name: '流程管理员', dataScope: all },
  { code: 'seal_keeper', name: '印章保管员', dataScope: all },
  { code: 'seal_auditor', name: '印章审计员', dataScope: all },
  { code: 'contract_manager', name: '合同管理员', dataScope: all },
  { code: 'legal', name: '法务', dataScope: all },
  { code: 'finance', name: '财务', dataScope: all },
  { code: 'meet_manager', name: '会务管理员', dataScope: all },
  { code: 'supervise_admin', name: '督办管理员', dataScope: all },
  { code: 'activity_reviewer', name: '活动看板', dataScope: all },
  { code: 'safety', name: '保卫', dataScope: all },
  { code: 'publicity', name: '宣传', dataScope: all },
  { code: 'foreign', name: '国际交流', dataScope: all },
  { code: 'customer_manager', name: '客户经理', dataScope: below },
  { code: 'customer_staff', name: '客户值班', dataScope: own },
  { code: 'order_desk', name: '报修受理', dataScope: all },
  { code: 'order_handler', name: '维修人员', dataScope: own },
  { code: 'photo_admin', name: '相册管理员', dataScope: all },
  { code: 'folder_admin', name: '制度管理员', dataScope: all },
  // Held by everybody named in a category (decision 0046), and reaches no further.
  { code: 'folder_keeper', name: '分类管理员', dataScope: own },
  { code: 'sms_admin', name: '短信管理员', dataScope: all },
  { code: 'alumni_admin', name: '校友管理员', dataScope: all },
  { code: 'org_admin', name: '组织管理员', dataScope: below },
  { code: 'auditor', name: '审计员', dataScope: all },
];

/** The roles of the specification and those of the modules, in this order, with what the modules grant them. */
export function seededRoles(modules: readonly Granting[]): SeededRole[] {
  const seeds = [...specified, ...modules.flatMap((module) => module.roles ?? [])];
  for (const code of modules.flatMap((module) => Object.keys(module.grants ?? {})))
    if (!seeds.some((role) => role.code === code)) throw new Error(`there is no role ${code} to grant something`);
  const pages = modules.flatMap((module) => module.menus ?? []).map(({ key }) => key);
  return seeds.map((role) => {
    const texts = role.code === 'super_admin' ? ['*:*'] : modules.flatMap((module) => module.grants?.[role.code] ?? []);
    for (const text of texts.flatMap(grantsIn))
      if (!pages.some((page) => granted(role, text).sees(page)))
        throw new Error(`${role.code} is granted ${text}, but no menu has such a page`);
    return granted(role, texts.join(' '));
  });
}
const grantsIn = (text: string): string[] => text.split(/\s+/).filter(Boolean);

function granted(role: RoleSeed, text: string): SeededRole {
  const grants = grantsIn(text).map((grant) => {
    const [pages = '', codes = ''] = grant.split(':');
    const pattern = new RegExp(`^${pages.replaceAll('*', '.*')}$`);
    return { matches: (page: string) => pattern.test(page), codes: codes.split(',') };
  });
  return {
    ...role,
    text,
    sees: (page) => grants.some((grant) => grant.matches(page)),
    grants: (page, wanted) =>
      grants.some((grant) => grant.matches(page) && (grant.codes.includes('*') || grant.codes.includes(wanted))),
  };
}
