import { codes, refusal } from '#kernel/contract/refusal.ts';

export const officeTaken = refusal(codes.refused, (name: string) => `会务单位“${name}”已存在，请更换名称`);
export const roomTaken = refusal(codes.refused, (name: string) => `该会务单位已有会议室“${name}”，请更换名称`);
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
export const minutesCross = refusal(
  codes.refused,
  (least: number, most: number) => `最短使用 ${least} 分钟超过了最长使用 ${most} 分钟，请修改`,
);
export const releaseWithoutCheckin = refusal(
  codes.refused,
  () => '未到场自动释放只对须到场确认的会议室有效，请先开启“须到场确认”',
);
export const closedInPast = refusal(codes.refused, (end: string) => `停用时段在 ${end} 已经结束，请填写之后的时间`);
/** What the rules of a room do not allow, each with what they would. */
export const notAllowed = refusal(
  codes.refused,
  (said: readonly string[]) => said.join('；'),
  (said) => ({ reasons: said }),
);
