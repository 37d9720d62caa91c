import { codes, refusal } from '#kernel/contract/refusal.ts';

export const unknownPeople = refusal(
  codes.refused,
  (names: readonly string[]) => `用户“${names.join('、')}”不存在或已停用，请重新选择`,
);
export const rightsBeyond = refusal(
  codes.forbidden,
  (alias: string) => `“${alias}”的权限超出您的权限，请由权限更高的管理员操作`,
);
export const decidesBeyond = refusal(
  codes.forbidden,
  (alias: string, by: string) => `有流程按${by}确定“${alias}”的办理事项或权限，超出您的权限，请联系超级管理员`,
);
export const actsForBeyond = refusal(
  codes.forbidden,
  (alias: string, principal: string) =>
    `“${alias}”代“${principal}”办理事项，而“${principal}”的权限超出您的权限，请联系超级管理员`,
);
export const postAsked = refusal(
  codes.forbidden,
  (post: string) => `有流程按职务“${post}”确定办理人，不能授予或取消该职务，请由流程管理员或超级管理员修改`,
);
export const deptDecides = refusal(
  codes.forbidden,
  (dept: string) =>
    `有流程由部门“${dept}”的人员办理、干预或管理，超出您的权限，不能把人员放进该部门，请由该部门的管理员、流程管理员或超级管理员操作`,
);
export const partBeyond = refusal(
  codes.forbidden,
  (alias: string, part: string) => `“${alias}”不在您可管理的人员之内，不能更换${part}，请由可管理全部部门的管理员操作`,
);
export const headedBeyond = refusal(
  codes.forbidden,
  (alias: string) => `部门由“${alias}”负责，其权限超出您的权限，不能停用，请由可管理全部部门的管理员操作`,
);
export const roleBeyond = refusal(
  codes.forbidden,
  (role: string) => `角色“${role}”含有您没有的权限，或有流程按该角色确定办理人，不能授予或移除，请联系超级管理员`,
);
export const roleHeldUntil = refusal(
  codes.forbidden,
  (role: string, day: string) =>
    `角色“${role}”中的权限您只持有到 ${day}，只能授予到该日或之前，请在“批量修改”中授予并填写到期日期`,
);
export const notOneself = refusal(codes.forbidden, (what: string) => `不能${what}，请由其他管理员操作`);
export const notALeader = refusal(
  codes.refused,
  (who: string, asked: string) => `“${who}”不是校领导或分管领导，不能${asked}，请另选`,
);
export const lastSuperAdmin = refusal(codes.refused, () => '至少要保留一名启用的超级管理员，请先指定另一名');
