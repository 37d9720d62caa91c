import { codeSet } from '#kernel/contract/codes.ts';

export const deptType = codeSet({ office: [1, '机关'], school: [2, '院系'], unit: [3, '直属'], outside: [4, '外部'] });
/** The kind of an account, independent of its roles. */
export const userType = codeSet({ usual: [0, '普通'], superAdmin: [2, '超级管理员'] });
