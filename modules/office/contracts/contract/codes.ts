import { actState } from '#modules/workflow/workflows/engine/codes.ts';

/** Where a contract is; set by a registration or a dated job, never by hand. */
export const stages = {
  10: '起草审批',
  20: '待签订',
  30: '履行中',
  40: '履行完毕',
  50: '中止',
  60: '解除/终止',
  70: '到期',
  80: '已归档',
  90: '作废',
} as const;
export const stage = {
  drafting: 10,
  toSign: 20,
  running: 30,
  finished: 40,
  suspended: 50,
  terminated: 60,
  expired: 70,
  archived: 80,
  void: 90,
} as const;
export type Stage = (typeof stage)[keyof typeof stage];
export const natures = { 1: '普通合同', 2: '框架协议', 3: '补充协议' } as const;
export const nature = { usual: 1, framework: 2, supplement: 3 } as const;
export const directions = { 1: '支出', 2: '收入', 3: '无金额' } as const;
export const direction = { out: 1, in: 2, none: 3 } as const;
export const purchaseModes = {
  1: '公开招标',
  2: '邀请招标',
  3: '竞争性磋商',
  4: '询价',
  5: '单一来源',
  6: '自行采购',
  9: '不适用',
} as const;
export const renewals = { 0: '到期终止', 1: '自动顺延', 2: '协商续签' } as const;
export const renewal = { none: 0, tacit: 1, agreed: 2 } as const;
export const disputes = { 1: '诉讼', 2: '仲裁' } as const;
export const claimants = { 1: '我方', 2: '对方' } as const;
export const disputeEnds = { 1: '协商', 2: '调解', 3: '诉讼', 4: '仲裁' } as const;
export const risks = { 0: '低', 1: '中', 2: '高' } as const;
export const authorities = { 1: '法定代表人', 2: '授权代表' } as const;
export const kinds = { 1: '付款', 2: '收款', 3: '交付验收', 4: '里程碑', 5: '保证金', 6: '发票', 12: '其他' } as const;
export const kind = { payment: 1, receipt: 2, delivery: 3, milestone: 4, deposit: 5, invoice: 6, other: 12 } as const;
/** Computed from plan, entries and day; never stored. */
export const performanceStates = {
  0: '未到期',
  1: '待履行',
  2: '部分履行',
  3: '已履行',
  4: '逾期',
  5: '已取消',
} as const;
export const performanceState = { notDue: 0, due: 1, partly: 2, done: 3, late: 4, cancelled: 5 } as const;
export const acceptResults = { 1: '合格', 2: '不合格' } as const;
export const registrations = {
  party: '对方先签登记',
  sign: '签订登记',
  performance: '履约登记',
  reverse: '冲销',
  change: '变更登记',
  suspend: '中止登记',
  resume: '恢复登记',
  terminate: '解除登记',
  dispute: '争议登记',
  dispute_end: '争议了结',
  finish: '履行完毕',
  archive: '归档登记',
  void: '作废',
  plan: '计划调整',
  handover: '移交承办',
  expire: '到期',
  renew: '自动顺延',
} as const;
export type Registration = keyof typeof registrations;
/** A contract that was made void stays void in the archive: its ticket was closed. */
export const isVoid = ({ act_state }: { act_state: number }): boolean => act_state === actState.closed;
export const stageName = (code: number) => stages[code as keyof typeof stages];
/** What people hear of contracts. */
export const contractEventNames = {
  CONTRACT_TO_SIGN: '合同待签订',
  CONTRACT_NODE: '合同履约节点',
  CONTRACT_OVERDUE: '合同节点逾期',
  CONTRACT_EXPIRE: '合同到期',
  CONTRACT_NOTICE: '合同到期通知期限',
  CONTRACT_RENEWED: '合同自动顺延',
  CONTRACT_CHANGED: '合同有变动',
  CONTRACT_TO_FINISH: '合同待办结',
} as const;
