import { codeSet } from '#kernel/contract/codes.ts';

/** The codes of supervision with their names. */
export const superviseSource = codeSet({
  leader: [1, '领导批示'],
  meeting: [2, '会议决定'],
  superior: [3, '上级文件'],
  yearly: [4, '年度重点'],
  petition: [5, '信访诉求'],
  inspection: [6, '检查整改'],
  other: [9, '其他'],
});
export const superviseLevel = codeSet({ usual: [1, '一般'], important: [2, '重要'], urgent: [3, '紧急'] });
/** From this level on, the leader decides in place of the supervisor. */
export const leadersLevel = superviseLevel.urgent;
export const feedbackCycle = codeSet({
  none: [0, '不定期'],
  weekly: [1, '每周'],
  fortnightly: [2, '每两周'],
  monthly: [3, '每月'],
  quarterly: [4, '每季'],
});

export const itemState = codeSet({
  draft: [0, '草稿'],
  running: [1, '办理中'],
  applied: [2, '申请办结'],
  finished: [3, '已办结'],
  ended: [4, '已终止'],
});
export const subState = codeSet({
  issued: [0, '未签收'],
  running: [1, '办理中'],
  toCheck: [2, '待审核'],
  finished: [3, '已完成'],
  returned: [4, '退回整改'],
  cancelled: [5, '已取消'],
});
/** Codes of supervision, which differ from the lights of tickets. */
export const superviseLight = codeSet({
  over: [0, '灰'],
  fine: [1, '绿'],
  near: [2, '蓝'],
  slow: [3, '黄'],
  late: [4, '红'],
});
export const lightMeanings = { 0: '已结束', 1: '正常', 2: '临期', 3: '滞后', 4: '逾期' } as const;

export const requestKind = codeSet({ extend: [1, '延期'], object: [2, '异议'], reassign: [3, '改派'] });
export const requestState = codeSet({
  asked: [1, '申请中'],
  agreed: [2, '同意'],
  refused: [3, '驳回'],
  withdrawn: [4, '撤回'],
  lapsed: [5, '失效'],
});
/** The outcome of a task that was due: `count` is all of them. */
export const outcomes = ['count', 'done', 'on_time', 'late'] as const;
export type Outcome = (typeof outcomes)[number];
export const checkState = codeSet({ waiting: [0, '待审核'], accepted: [1, '通过'], returned: [2, '退回'] });
/** 0 is the notice that goes out with the issue. */
export const sheetColour = codeSet({ white: [0, '白'], blue: [1, '蓝'], yellow: [2, '黄'], red: [3, '红'] });
export const opinionType = codeSet({
  leader: [1, '领导批示'],
  supervisor: [2, '督办意见'],
  undertaker: [3, '承办回复'],
  urge: [4, '催办'],
});

export const labelOf = (names: Readonly<Record<number, string>>, code: number): string => names[code] ?? '';
export const outcomeNames = { count: '应办', done: '办结', on_time: '按时办结', late: '逾期' } as const;
