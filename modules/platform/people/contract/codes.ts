import { codeSet } from '#kernel/contract/codes.ts';

export const deptType = codeSet({ office: [1, '机关'], school: [2, '院系'], unit: [3, '直属'], outside: [4, '外部'] });
/** What an account is, whatever roles it holds. */
export const userType = codeSet({ usual: [0, '普通'], superAdmin: [2, '超级管理员'] });
