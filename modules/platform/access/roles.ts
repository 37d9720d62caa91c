import type { PermissionCode } from '#kernel/contract/call.ts';
import { dataScope, type DataScope } from './contract/roles.ts';

export interface SeededRole {
  code: string;
  name: string;
  dataScope: DataScope;
  /** Its permissions in the table's notation. */
  text: string;
  grants(page: string, code: PermissionCode): boolean;
  sees(page: string): boolean;
}

const { all, dept, below, own } = dataScope;
const table: [code: string, name: string, scope: DataScope, grants: string][] = [
  ['super_admin', '超级管理员', all, '*:*'],
  [
    'office_admin',
    '党政办管理员',
    all,
    'ticket/*:* document/*:* meet/*:* leader/*:* supervise/*:* stamp/ledger:* stamp/scan:* folder/*:* activity/list:* activity/data:* activity/rule:* msg/send:* sms/send:* sms/logs:Retrieve,daochu address:* system/delivery:Retrieve stamp/list:*',
  ],
  [
    'xld',
    '校领导',
    all,
    'ticket/statistics:Retrieve document/list:Retrieve,chuli document/dist:Retrieve document/statistics:Retrieve contract/manage:Retrieve contract/statistics:Retrieve meet/calendar:Retrieve meet/day:Retrieve activity/list:Retrieve,chuli activity/data:Retrieve leader/list:Create,Retrieve,chuli leader/index:Retrieve supervise/list:Retrieve,chuli supervise/statistics:Retrieve stamp/application:Retrieve,chuli meet/attend:Retrieve leader/statistics:Retrieve',
  ],
  [
    'dept_ld',
    '分管领导',
    below,
    'document/list:Retrieve,chuli document/dist:Retrieve contract/manage:Retrieve contract/list:Retrieve,chuli activity/list:Retrieve,chuli leader/list:Retrieve,chuli supervise/list:Retrieve,chuli stamp/application:Retrieve,chuli ticket/statistics:Retrieve meet/attend:Retrieve',
  ],
  [
    'dept_fzr',
    '部门负责人',
    below,
    'document/list:Create,Retrieve,Update,Delete,chuli document/dist:Create,Retrieve contract/list:Create,Retrieve,Update,Delete,chuli contract/performance:Retrieve meet/list:Create,Retrieve,Update,Delete,chuli activity/declare:Create activity/list:Retrieve,chuli stamp/application:Create,Retrieve,Update,Delete,chuli supervise/task:Retrieve,chuli order/list:Retrieve ticket/statistics:Retrieve leader/list:Create,Retrieve',
  ],
  [
    'secretary',
    '秘书',
    dept,
    'document/list:Create,Retrieve,Update,Delete,chuli document/register:Create,Retrieve document/exchange:Create,Retrieve,Update leader/list:Create,Retrieve,Update,Delete,chuli leader/duty:Create,Retrieve,Update leader/index:Retrieve meet/list:Create,Retrieve,Update,Delete',
  ],
  [
    'staff',
    '员工',
    own,
    'ticket/new:Create ticket/duty:* ticket/owner:* ticket/worked:* ticket/detail:Retrieve ticket/cc:* document/list:Create,Retrieve,Update,Delete,chuli document/dist:Retrieve document/notice:Retrieve document/collect:Retrieve contract/list:Create,Retrieve,Update,Delete,chuli meet/attend:Retrieve meet/list:Create,Retrieve,Update,Delete meet/calendar:Retrieve meet/day:Retrieve activity/declare:Create activity/list:Retrieve leader/index:Retrieve supervise/task:Retrieve,chuli stamp/application:Create,Retrieve,Update,Delete,chuli stamp/scan:Retrieve order/mine:* folder/index:Retrieve folder/collect:Retrieve photo/list:Retrieve photo/mine:*',
  ],
  ['reception', '前台', own, 'index:* todo:* calendar:* order/mine:Create,Retrieve address:Retrieve'],
  ['workflow_admin', '流程管理员', all, 'workflow/*:* ticket/all:* ticket/statistics:*'],
  [
    'seal_keeper',
    '印章保管员',
    all,
    'stamp/desk:* stamp/list:Retrieve stamp/ledger:Retrieve,daochu stamp/scan:Retrieve',
  ],
  ['seal_auditor', '印章审计员', all, 'stamp/ledger:Retrieve,daochu stamp/list:Retrieve stamp/statistics:*'],
  ['contract_manager', '合同管理员', all, 'contract/*:*'],
  [
    'legal',
    '法务',
    all,
    'contract/list:Retrieve,chuli contract/template:Retrieve contract/manage:Retrieve contract/party:Retrieve',
  ],
  [
    'finance',
    '财务',
    all,
    'contract/performance:Retrieve,daochu contract/manage:Retrieve,chuli contract/statistics:Retrieve contract/party:Retrieve',
  ],
  ['meet_manager', '会务管理员', all, 'meet/*:*'],
  ['supervise_admin', '督办管理员', all, 'supervise/*:*'],
  ['activity_reviewer', '活动看板', all, 'activity/list:Retrieve activity/data:Retrieve'],
  ['safety', '保卫', all, 'activity/list:Retrieve,chuli activity/data:Retrieve'],
  ['publicity', '宣传', all, 'activity/list:Retrieve,chuli activity/data:Retrieve'],
  ['foreign', '国际交流', all, 'activity/list:Retrieve,chuli activity/data:Retrieve'],
  ['customer_manager', '客户经理', below, 'customer/*:*'],
  [
    'customer_staff',
    '客户值班',
    own,
    'customer/project:Retrieve customer/contact:Retrieve customer/record:Retrieve,chuli customer/log:Retrieve',
  ],
  ['order_desk', '报修受理', all, 'order/list:* order/register:* order/statistics:* order/setting:* order/asset:*'],
  ['order_handler', '维修人员', own, 'order/list:Retrieve,chuli order/task:*'],
  ['photo_admin', '相册管理员', all, 'photo/*:*'],
  ['folder_admin', '制度管理员', all, 'folder/*:*'],
  // Held by everybody named in a category (decision 0046), and reaches no further.
  ['folder_keeper', '分类管理员', own, 'folder/papers:* folder/statistics:*'],
  ['sms_admin', '短信管理员', all, 'sms/*:* system/delivery:*'],
  ['alumni_admin', '校友管理员', all, 'alumnus/list:*'],
  ['org_admin', '组织管理员', below, 'system/dept:* system/user:* system/online:* system/role:Retrieve address:*'],
  [
    'auditor',
    '审计员',
    all,
    'system/log:Retrieve,daochu system/sign_in:Retrieve,daochu system/user:Retrieve system/role:Retrieve',
  ],
];

/** The roles a new organisation begins with. `page:codes` separated by blanks; `*` stands for any part. */
export const roles: SeededRole[] = table.map(([code, name, scope, text]) => {
  const grants = text.split(' ').map((grant) => {
    const [pages = '', codes = ''] = grant.split(':');
    const pattern = new RegExp(`^${pages.replaceAll('*', '.*')}$`);
    return { matches: (page: string) => pattern.test(page), codes: codes.split(',') };
  });
  return {
    code,
    name,
    dataScope: scope,
    text,
    sees: (page) => grants.some((grant) => grant.matches(page)),
    grants: (page, wanted) =>
      grants.some((grant) => grant.matches(page) && (grant.codes.includes('*') || grant.codes.includes(wanted))),
  };
});
