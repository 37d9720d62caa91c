import { codes, refusal } from '#kernel/contract/refusal.ts';

export const codeOld = refusal(
  codes.refused,
  () => '签到码已过期，或不是本次会议的，请重新扫描屏幕上的二维码，或输入屏幕上现在的数字',
);
export const notOpen = refusal(
  codes.notNow,
  (from: string, to: string) => `签到时间为 ${from.slice(0, 16)} 至 ${to.slice(11, 16)}，现在不能签到`,
);
export const noSignIn = refusal(codes.notNow, (how: string) => `本次会议${how}，请联系会务人员`);
export const notOnList = refusal(codes.refused, () => '您不在本次会议的参会名单中，请联系会议发起人添加');
export const tooEarlyEnd = refusal(
  codes.refused,
  (at: string) => `结束时间 ${at.slice(0, 16)} 应在会议开始之后、现在之前，请修改`,
);
export const minutesNot = refusal(codes.notNow, (state: string, act: string) => `纪要“${state}”，现在不能${act}`);
export const minutesEmpty = refusal(codes.refused, () => '纪要还没有内容，请填写后再提交');
export const backWithout = refusal(codes.refused, () => '请填写退回原因，以便记录人修改');
export const noSuchDecision = refusal(codes.refused, (no: number) => `没有序号为 ${no} 的决定事项，请刷新后重新选择`);
export const noRepeat = refusal(codes.notNow, () => '本次会议没有重复，没有其他日期');
export const notFirst = refusal(
  codes.refused,
  (start: string, first: string) =>
    `第一次会议 ${start.slice(0, 16)} 不符合重复规则，按规则第一次是 ${first.slice(0, 16)}，请修改开始时间或重复规则`,
);
export const officeMoves = refusal(
  codes.notNow,
  (room: string) => `${room}须会务审批，多次会议一起改期请由会务人员办理，或逐次提交变更`,
);
export const noSuchDates = refusal(codes.refused, () => '所选日期不是本系列中未安排的日期，请刷新后重新选择');
