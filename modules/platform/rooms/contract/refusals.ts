import { codes, refusal } from '#kernel/contract/refusal.ts';
import type { Clash } from '#modules/platform/bookings/contract.ts';

export const officeTaken = refusal(codes.refused, (name: string) => `会务单位“${name}”已存在，请更换名称`);
export const roomTaken = refusal(codes.refused, (name: string) => `该会务单位已有会议室“${name}”，请更换名称`);
export const officeUnkept = refusal(
  codes.refused,
  (name: string) => `会务单位“${name}”还没有会务人员，会议室的申请无人办理，请至少选择一位会务人员`,
);
export const officeInUse = refusal(
  codes.refused,
  (name: string, rooms: number) => `会务单位“${name}”下还有 ${rooms} 间会议室，请先移出或删除`,
);
export const roomInUse = refusal(
  codes.refused,
  (name: string, uses: number) =>
    `会议室“${name}”之后还有 ${uses} 次使用，请先取消或改到其他会议室；也可以停用，不再接受预约`,
);
export const unknownOffice = refusal(codes.refused, () => '所选会务单位不存在或已停用，请重新选择');
export const unknownPeople = refusal(
  codes.refused,
  (ids: readonly number[]) => `所选人员（编号 ${ids.join('、')}）已离岗或不存在，请重新选择`,
);
export const unknownDepts = refusal(
  codes.refused,
  (ids: readonly number[]) => `所选限定部门（编号 ${ids.join('、')}）已删除或不存在，请重新选择`,
);
export const neverOpen = refusal(
  codes.refused,
  (least: string, most: number) => `至少提前 ${least}、最多提前 ${most} 天，没有可约的时间，请修改`,
);
export const minutesCross = refusal(
  codes.refused,
  (least: number, most: number) => `最短使用 ${least} 分钟超过了最长使用 ${most} 分钟，请修改`,
);
export const releaseWithoutCheckin = refusal(
  codes.refused,
  () => '未到场自动释放只对须到场确认的会议室有效，请先开启“须到场确认”',
);
export const closedInPast = refusal(codes.refused, (end: string) => `停用时段在 ${end} 已经结束，请填写之后的时间`);
export const closedTooLong = refusal(
  codes.refused,
  (end: string) => `停用到 ${end} 超过 365 天，请提前结束时间，更长的分几次填写`,
);
/** Violated rules of a room, each with the allowed values. */
export const notAllowed = refusal(
  codes.refused,
  (said: readonly string[]) => said.join('；'),
  (said) => ({ reasons: said }),
);
/** The room is used in the time it is to be closed; the occupations may be displaced. */
export const roomUsed = refusal(
  codes.conflict,
  (name: string, clashes: readonly Clash[]) =>
    `${name}在这段时间已有 ${clashes.length} 次安排（${clashes[0]!.title} ${clashes[0]!.start_time.slice(0, 16)}${clashes.length > 1 ? ' 等' : ''}）；仍要停用的，请确认改派或取消这些安排`,
  (_name, clashes) => ({ clashes, can_force: true }),
);
export const notToDisplace = refusal(
  codes.conflict,
  (title: string, start: string) => `${title}（${start.slice(0, 16)}）不能由停用改派，请先在其所在的业务中取消或调整`,
);
export const repeatWrong = refusal(codes.refused, (said: readonly string[]) => said.join('；'));
export const freeAlready = refusal(
  codes.refused,
  (name: string, start: string) => `${name}在 ${start.slice(0, 16)} 现在就是空闲的，可以直接预约`,
);
export const waitsAlready = refusal(codes.refused, () => '您已在这段时间的候补中，有空位时会收到消息');
export const tooManyWaits = refusal(codes.refused, (most: number) => `候补最多同时 ${most} 条，请先取消不再需要的`);
export const tooLate = refusal(
  codes.refused,
  (start: string) => `开始时间 ${start.slice(0, 16)} 已过，请选择之后的时间`,
);
export const notOfOffice = refusal(
  codes.forbidden,
  (office: string) => `会务单位“${office}”由其他部门管理，请联系该单位的管理人员办理`,
);
