import { codes, refusal } from '#kernel/contract/refusal.ts';

export const unknownPeople = refusal(
  codes.refused,
  (names: readonly string[]) => `用户“${names.join('、')}”不存在或已停用，请重新选择`,
);
export const rightsBeyond = refusal(
  codes.forbidden,
  (alias: string) => `“${alias}”的权限超出您的权限，请由权限更高的管理员操作`,
);
export const roleBeyond = refusal(
  codes.forbidden,
  (role: string) => `角色“${role}”含有您没有的权限，不能授予或移除，请联系超级管理员`,
);
export const notOneself = refusal(codes.forbidden, (what: string) => `不能${what}，请由其他管理员操作`);
export const lastSuperAdmin = refusal(codes.refused, () => '至少要保留一名启用的超级管理员，请先指定另一名');
