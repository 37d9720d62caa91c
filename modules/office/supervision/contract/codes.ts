/** Codes of supervision and what they are called. */
export const sources = {
  1: '领导批示',
  2: '会议决定',
  3: '上级文件',
  4: '年度重点',
  5: '信访诉求',
  6: '检查整改',
  9: '其他',
} as const;
export const levels = { 1: '一般', 2: '重要', 3: '紧急' } as const;
/** From this level on the leader decides what the supervisor else decides alone. */
export const leadersLevel = 3;
export const cycles = { 0: '不定期', 1: '每周', 2: '每两周', 3: '每月', 4: '每季' } as const;

export const itemState = { draft: 0, running: 1, applied: 2, finished: 3, ended: 4 } as const;
export const itemStates = { 0: '草稿', 1: '办理中', 2: '申请办结', 3: '已办结', 4: '已终止' } as const;
export const subState = { issued: 0, running: 1, toCheck: 2, finished: 3, returned: 4, cancelled: 5 } as const;
export const subStates = { 0: '未签收', 1: '办理中', 2: '待审核', 3: '已完成', 4: '退回整改', 5: '已取消' } as const;
/** Codes of its own, unlike the lights of tickets. */
export const lights = { 0: '灰', 1: '绿', 2: '蓝', 3: '黄', 4: '红' } as const;
export const lightMeanings = { 0: '已结束', 1: '正常', 2: '临期', 3: '滞后', 4: '逾期' } as const;

export const requestKind = { extend: 1, object: 2, reassign: 3 } as const;
export const requestKinds = { 1: '延期', 2: '异议', 3: '改派' } as const;
export const requestStates = { 1: '申请中', 2: '同意', 3: '驳回', 4: '撤回', 5: '失效' } as const;
/** How a task that was due came out: `count` is all of them. */
export const outcomes = ['count', 'done', 'on_time', 'late'] as const;
export type Outcome = (typeof outcomes)[number];
export const checkStates = { 0: '待审核', 1: '通过', 2: '退回' } as const;
/** 0 is the notice that goes out with the issue. */
export const colours = { 0: '白', 1: '蓝', 2: '黄', 3: '红' } as const;
export const opinionTypes = { 1: '领导批示', 2: '督办意见', 3: '承办回复', 4: '催办' } as const;

export const labelOf = (names: Readonly<Record<number, string>>, code: number): string => names[code] ?? '';
export const outcomeNames = { count: '应办', done: '办结', on_time: '按时办结', late: '逾期' } as const;
