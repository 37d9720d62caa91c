import { codes, refusal } from '#kernel/contract/refusal.ts';

/** `2026-12-01 09:00–10:00`. */
export const periodText = (start: string | null, end: string | null): string =>
  start && end
    ? `${start.slice(0, 16)}–${end.slice(0, 10) === start.slice(0, 10) ? end.slice(11, 16) : end.slice(0, 16)}`
    : '时间未定';

export const alreadyBegun = refusal(
  codes.refused,
  (start: string) => `开始时间 ${start.slice(0, 16)} 已过，请选择之后的时间`,
);
export const tooManyThisWeek = refusal(
  codes.refused,
  (office: string, most: number) =>
    `${office}的会议室每人每周最多申请 ${most} 次，本周的已用完，请改到其他周或其他会务单位的会议室`,
);
export const roomTooSmall = refusal(
  codes.conflict,
  (room: string, capacity: number, count: number) =>
    `${room}容纳 ${capacity} 人，参会 ${count} 人，座位不足；请改用更大的会议室，或确认后仍使用`,
  () => ({ can_force: true }),
);
export const slotGone = refusal(
  codes.conflict,
  (room: string) => `${room}的这段时间已不在本会议名下，请退回修改后重新提交`,
);
/** An act that the meeting's status does not allow. */
export const notInState = refusal(
  codes.notNow,
  (state: string, act: string, when: string) => `会议“${state}”，现在不能${act}；${when}`,
);
export const notYours = refusal(codes.forbidden, (act: string, who: string) => `不能${act}，请联系${who}`);
export const useCancel = refusal(
  codes.notNow,
  () => '会议已通过，审批不再调整、关闭或作废；不再召开的，请在会议页面取消会议',
);
export const cannotStandIn = refusal(
  codes.refused,
  (name: string) => `${name}本来就要参加这次会议，不能代为参加，请另选替会人`,
);
export const substituteSends = refusal(
  codes.refused,
  (name: string) => `${name}是代他人参加的，不能再改派；请答复“参加”或“不参加”，由请其代为参加的人另行安排`,
);
export const notRanked = refusal(
  codes.refused,
  (type: string, other: string) => `只能为级别更高的会议让位：“${other}”的级别不高于${type}，请与会议发起人协商`,
);
export const nobodyToAnswer = refusal(codes.notNow, () => '没有可催的人：未回复的只有您本人，或已离职');
export const notWaiting = refusal(
  codes.notNow,
  (other: string, state: string) => `“${other}”${state}，不再等这段时间，请选择尚未通过的会议`,
);
export const nothingElse = refusal(
  codes.notNow,
  (fields: string) => `会议正在审批，${fields}要改请先撤回；议程、材料等可以直接修改`,
);
export const beyondOwn = refusal(
  codes.forbidden,
  (called: string) =>
    `${called}不在您的部门，整体邀请须部门负责人和党政办同意：请会务人员或部门负责人添加，或取消后重新申请；也可以逐一选择人员`,
);
export const peopleGone = refusal(
  codes.refused,
  (names: readonly string[]) => `所选人员${names.map((name) => `“${name}”`).join('、')}已离岗或不存在，请重新选择`,
);
export const notInTheWay = refusal(
  codes.refused,
  (other: string, title: string) => `“${title}”不占用“${other}”要用的会议室和时间，不需要让位`,
);
export const notAsked = refusal(codes.notNow, () => '没有等待您回复的参会或替会，请刷新后查看');
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
export const notAskedTo = refusal(
  codes.refused,
  (names: readonly string[]) => `${names.join('、')}不在本次会议的参会名单中，不能代签，请刷新名单后重新选择`,
);
export const tooEarlyEnd = refusal(
  codes.refused,
  (at: string) => `结束时间 ${at.slice(0, 16)} 应在会议开始之后、现在之前，请修改`,
);
export const minutesNot = refusal(codes.notNow, (state: string, act: string) => `纪要“${state}”，现在不能${act}`);
export const minutesEmpty = refusal(codes.refused, () => '纪要还没有内容，请填写后再提交');
export const backWithout = refusal(codes.refused, () => '请填写退回原因，以便记录人修改');
export const noSuchDecision = refusal(codes.refused, (no: number) => `没有序号为 ${no} 的决定事项，请刷新后重新选择`);
export const noRepeat = refusal(
  codes.notNow,
  (title: string) => `“${title}”没有设置重复，没有其他日期；需要再次召开的，请另行申请会议`,
);
export const notFirst = refusal(
  codes.refused,
  (start: string, first: string) =>
    `第一次会议 ${start.slice(0, 16)} 不符合重复规则，按规则第一次是 ${first.slice(0, 16)}，请修改开始时间或重复规则`,
);
export const officeMoves = refusal(
  codes.notNow,
  (room: string) => `${room}须会务审批，多次会议一起改期请由会务人员办理，或逐次提交变更`,
);
export const furtherWrong = refusal(
  codes.refused,
  (period: string) => `增加的日期 ${period} 已过去、起止颠倒或已在本系列中，请修改`,
);
export const noSuchDates = refusal(codes.refused, () => '所选日期不是本系列中未安排的日期，请刷新后重新选择');
