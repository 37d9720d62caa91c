import { codes, refusal } from '#kernel/contract/refusal.ts';

/** A person who does not fit a shift, with the reason; `forcible` if the office may assign them anyway. */
export interface Unfit {
  name: string;
  why: string;
  forcible: boolean;
}
export const unfit = refusal(
  codes.conflict,
  (found: readonly Unfit[]) =>
    `${found.map(({ name, why }) => `“${name}”${why}`).join('；')}，${
      found.every((one) => one.forcible) ? '请另选人员，或写明原因后确认安排' : '请另选人员或班次'
    }`,
  (found) => ({ unfit: found, can_force: found.every((one) => one.forcible) }),
);
export const noReason = refusal(codes.refused, (act: string) => `${act}请填写原因`);
export const gapsLeft = refusal(
  codes.conflict,
  (days: readonly string[]) =>
    `${days.slice(0, 5).join('、')} 等 ${days.length} 个班次缺人或有人不在岗，请调整后发布，或确认仍要发布`,
  (days) => ({ gaps: days, can_force: true }),
);
export const nothingToPublish = refusal(codes.refused, (month: string) => `${month} 没有未发布的班次，请先排班`);
export const planEmpty = refusal(
  codes.refused,
  (name: string) => `方案“${name}”的带班领导、值班员和备勤都是 0 人，排不出班，请至少填写一个岗位的人数`,
);
export const planUnusable = refusal(codes.refused, (name: string, why: string) => `方案“${name}”${why}，请先修改方案`);
export const tooLong = refusal(
  codes.refused,
  (seats: number, most: number) => `这次要排 ${seats} 个席位，最多 ${most} 个，请缩短起止日期`,
);
export const periodPast = refusal(codes.refused, (day: string, why: string) => `${day} ${why}，请修改日期`);
/** `why` is the state of the shift: 尚未发布、已经开始. */
export const notNow = refusal(codes.notNow, (why: string, act: string) => `班次${why}，不能${act}`);
export const notYours = refusal(codes.forbidden, (act: string, who: string) => `只有${who}可以${act}，请与他们联系`);
export const unknownPerson = refusal(codes.refused, (name: string) => `用户“${name}”不存在或已停用，请重新选择`);
export const movedBefore = refusal(
  codes.conflict,
  (name: string, shift: string) => `“${name}”已不在 ${shift}，可能刚被他人调整，请刷新后再移动`,
);
export const sameShift = refusal(codes.refused, () => '移到的就是原来的班次，请选择另一个班次');
export const swapOpen = refusal(
  codes.conflict,
  (name: string) => `“${name}”的这个班次已有换班在等待答复，请等它结束或先撤回`,
);
export const swapUnfit = refusal(codes.refused, (why: string) => `${why}，请核对后重新选择换班的人或班次`);
export const swapUnanswered = refusal(
  codes.notNow,
  (name: string) => `“${name}”还没有答复换班，不能确认，请等其同意后再确认`,
);
export const swapMoved = refusal(codes.notNow, (state: string) => `换班申请${state}，不能再办理，请刷新后查看`);
export const openMatters = refusal(
  codes.refused,
  (matters: readonly string[]) => `还有未办结的事项：${matters.join('、')}，请办结或移交给下一班`,
);
export const leavesEarly = refusal(
  codes.notNow,
  (end: string) => `班次到 ${end} 结束，结束前半小时起才能交班；确需提前的，请联系办公室代为交班`,
);
export const emptyLog = refusal(codes.refused, () => '值班日志还没有记录，请先填写再交班；没有情况的写“无异常”');
export const notHandedOver = refusal(
  codes.notNow,
  (shift: string) => `上一班（${shift}）还没有交班，请其先交班，或请办公室代为接班`,
);
/** The moment of an entry must lie within its shift and not in the future. */
export const outside = refusal(
  codes.refused,
  (from: string, to: string) => `发生的时间须在 ${from} 至 ${to} 之间，请修改时间`,
);
export const seatedTwice = refusal(codes.refused, () => '同一人在这一班只能占一个岗位，请只保留一个');
export const alreadyOut = refusal(codes.notNow, () => '班次已发布，不能删除，请改用“取消”并写明原因');
export const unknownEntry = refusal(codes.refused, () => '所选事项不在这一班的未办结事项中，请重新选择');
