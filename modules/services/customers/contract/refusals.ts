import { codes, refusal } from '#kernel/contract/refusal.ts';

/** A value that another record has already; `what` names the field. */
export const taken = refusal(
  codes.refused,
  (what: string, value: string) => `${what}“${value}”已经有了，请核对后换一个，或使用已有的那一个`,
);
export const mobileTaken = refusal(
  codes.refused,
  (name: string) => `“${name}”的手机号与该客户的另一位联系人相同，请核对号码或编辑已有的联系人`,
);
export const unreachable = refusal(
  codes.refused,
  (name: string) => `联系人“${name}”没有联系方式，手机和电话请至少填写一个`,
);
export const notOurs = refusal(
  codes.refused,
  (what: string, ids: readonly number[]) => `${what}（编号 ${ids.join('、')}）不属于该客户或已删除，请重新选择`,
);
export const notWorking = refusal(
  codes.refused,
  (what: string, ids: readonly number[]) => `${what}中有人不存在、已离职或停用（编号 ${ids.join('、')}），请重新选择`,
);
export const nextBefore = refusal(
  codes.refused,
  (next: string, visited: string) => `下次跟进 ${next} 早于跟进时间 ${visited}，请重新选择，或不填`,
);
export const deptBeyond = refusal(
  codes.forbidden,
  (dept: string) => `“${dept}”不在您的数据范围内，请选择您管理的部门，或由该部门的人新增`,
);
export const noDept = refusal(codes.refused, () => '负责人没有所在部门，请选择客户的归属部门');
export const endsFirst = refusal(
  codes.refused,
  (start: string, end: string) => `结束日期 ${end} 早于开始日期 ${start}，请核对`,
);
export const hasContracts = refusal(
  codes.refused,
  (name: string) => `“${name}”有合同，不能删除；不再合作的，请把状态改为“终止”`,
);
export const stands = refusal(codes.refused, () => '跟进记录在登记 24 小时后不能改动，有补充请另记一条');
export const notYourVisit = refusal(codes.forbidden, () => '跟进记录只能由登记人修改或删除，有补充请另记一条');
export const toCome = refusal(codes.refused, (at: string) => `跟进时间 ${at} 还没有到，请填写已经发生的时间`);
export const noMobile = refusal(codes.refused, (name: string) => `“${name}”没有登记手机号，请使用其电话或邮箱`);
