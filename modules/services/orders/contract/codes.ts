import { codeSet, type CodeOf } from '#kernel/contract/codes.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';

// The codes of orders, declared once for server and pages.
export const orderType = codeSet({
  repair: [1, '报修'],
  service: [2, '服务'],
  supplies: [3, '物资'],
  network: [4, '网络'],
  other: [9, '其他'],
});
export const orderLevel = codeSet({ usual: [0, '普通'], urgent: [1, '加急', 'warning'], most: [2, '特急', 'error'] });
export type Level = CodeOf<typeof orderLevel>;
export const orderSource = codeSet({
  web: [1, '网页'],
  phone: [2, '手机'],
  desk: [3, '代登记'],
  incident: [4, '监测告警'],
  visitor: [5, '访客'],
});
export const orderStage = codeSet({
  draft: [0, '未提交'],
  reported: [10, '待受理'],
  assigned: [20, '已派单'],
  taken: [30, '已接单'],
  working: [40, '处理中'],
  hung: [50, '挂起'],
  finished: [60, '待确认'],
  confirmed: [70, '待评价'],
  rated: [80, '已评价'],
  closed: [90, '已关闭'],
});
/** The state of an order in a word; an order with its reporter shows the ticket's state. */
export const standsAs = ({ stage, act_state }: { stage: number; act_state: number }): string =>
  stage > orderStage.draft
    ? orderStage.label(stage)
    : actState.is(act_state, actState.returned, actState.withdrawn)
      ? actState.label(act_state)
      : orderStage.label(orderStage.draft);
/** Columns of the board, and the steps shown to the reporter. */
export const openStages = [
  orderStage.reported,
  orderStage.assigned,
  orderStage.taken,
  orderStage.working,
  orderStage.hung,
  orderStage.finished,
] as const;
export const hangKind = codeSet({
  parts: [1, '等配件'],
  appointment: [2, '等预约'],
  outside: [3, '等外单位'],
  other: [9, '其他'],
});
export const orderLight = codeSet({ none: [0, ''], onTime: [1, '正常'], near: [2, '临近时限'], late: [3, '已超时'] });
/** The state of the approval of an order's cost, where it needs one. */
export const feeState = codeSet({
  none: [0, '未送审'],
  asked: [1, '待审'],
  agreed: [2, '已同意'],
  refused: [3, '未同意'],
});
export const rating = codeSet({
  worst: [1, '很不满意'],
  bad: [2, '不满意'],
  fair: [3, '一般'],
  good: [4, '满意'],
  best: [5, '非常满意'],
});

/** The kinds of entries in an order's history. */
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

/** The actions of PATCH on an order. */
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
/** True if two characters belong to one word or number, so that `305` does not match floor `3`. */
const joined = (one = '', other = '') => /^[0-9A-Za-z]{2}$/.test(one + other);
function standsIn(place: string, part: string): boolean {
  for (let at = place.indexOf(part); at >= 0; at = place.indexOf(part, at + 1))
    if (!joined(place[at - 1], part[0]) && !joined(part.at(-1), place[at + part.length])) return true;
  return false;
}
/** The location in words: building, floor and room, then the free text, without repeating parts that it contains. */
export const placeOf = (row: { place?: string; building?: string; floor?: string; room?: string }) =>
  [...[row.building, row.floor, row.room].filter((part) => part && !standsIn(row.place ?? '', part)), row.place]
    .filter(Boolean)
    .join(' ');
