import { codeSet } from '#kernel/contract/codes.ts';

export const customerType = codeSet({
  company: [1, '企业'],
  school: [2, '学校'],
  government: [3, '政府'],
  other: [4, '其他'],
});
export const customerLevel = codeSet({ key: [1, '重点'], usual: [2, '普通'], potential: [3, '潜在'] });
export const customerStatus = codeSet({
  running: [1, '合作中'],
  potential: [2, '潜在'],
  paused: [3, '暂停'],
  ended: [4, '终止'],
});
export const projectStatus = codeSet({
  running: [1, '进行中'],
  maintained: [2, '运维'],
  paused: [3, '暂停'],
  ended: [4, '结束'],
});
export const serviceLevel = codeSet({ workingHours: [1, '5×8'], always: [2, '7×24'] });
export const visitWay = codeSet({
  onSite: [1, '上门'],
  phone: [2, '电话'],
  online: [3, '线上'],
  comes: [4, '来访'],
  other: [5, '其他'],
});
/** The limit of phone numbers a person may reveal in a day. */
export const numbersADay = 50;
