import { actState } from '#modules/workflows/engine/codes.ts';
// What the numbers of orders mean, said once for both sides.
export const orderTypes = { 1: '报修', 2: '服务', 3: '物资', 4: '网络', 9: '其他' } as const;
export const levels = { 0: '普通', 1: '加急', 2: '特急' } as const;
export type Level = keyof typeof levels;
export const sources = { 1: '网页', 2: '手机', 3: '代登记', 4: '监测告警', 5: '访客' } as const;
export const stages = {
  0: '未提交',
  10: '待受理',
  20: '已派单',
  30: '已接单',
  40: '处理中',
  50: '挂起',
  60: '待确认',
  70: '待评价',
  80: '已评价',
  90: '已关闭',
} as const;
/** How an order stands, in a word: one that is with whoever reported it says why. */
export const standsAs = ({ stage, act_state }: { stage: number; act_state: number }): string =>
  stage > 0
    ? labelOf(stages, stage)
    : act_state === actState.returned
      ? '已退回'
      : act_state === actState.withdrawn
        ? '已撤回'
        : stages[0];
/** Columns of the board, and the steps whoever reported it is shown. */
export const openStages = [10, 20, 30, 40, 50, 60] as const;
export const hangKinds = { 1: '等配件', 2: '等预约', 3: '等外单位', 9: '其他' } as const;
export const lights = ['', '正常', '临近时限', '已超时'] as const;
export const scores = { 1: '很不满意', 2: '不满意', 3: '一般', 4: '满意', 5: '非常满意' } as const;

/** What an entry of an order's story says. */
export const eventKinds = {
  report: '提交',
  accept: '受理',
  dispatch: '派单',
  take: '接单',
  start: '到场',
  progress: '进展',
  hang: '挂起',
  resume: '恢复',
  fee: '费用',
  finish: '完工',
  confirm: '确认',
  auto: '到期自动确认',
  rework: '返工',
  release: '退单',
  refuse: '退回',
  withdraw: '撤回',
  close: '关闭',
  merge: '合并',
  visit: '回访',
  incident: '告警',
  edit: '修改',
  material: '材料',
} as const;
export type EventKind = keyof typeof eventKinds;

/** What PATCH may do to an order. */
export const acts = [
  'edit',
  'accept',
  'assign',
  'take',
  'release',
  'start',
  'progress',
  'hang',
  'resume',
  'material',
  'fee',
  'refuse',
] as const;
export type Act = (typeof acts)[number];
export const labelOf = (names: object, at: number | null): string => (names as Record<number, string>)[at ?? -1] ?? '';
/** Whether two characters are of one word or number: `305` says nothing of floor `3`. */
const joined = (one = '', other = '') => /^[0-9A-Za-z]{2}$/.test(one + other);
function standsIn(place: string, part: string): boolean {
  for (let at = place.indexOf(part); at >= 0; at = place.indexOf(part, at + 1))
    if (!joined(place[at - 1], part[0]) && !joined(part.at(-1), place[at + part.length])) return true;
  return false;
}
/** Where something is: building, floor and room, and the place that was written, which says none of them twice. */
export const placeOf = (row: { place?: string; building?: string; floor?: string; room?: string }) =>
  [...[row.building, row.floor, row.room].filter((part) => part && !standsIn(row.place ?? '', part)), row.place]
    .filter(Boolean)
    .join(' ');
