import { codeSet, type CodeOf } from '#kernel/contract/codes.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';

/** The stage of a contract; set by a registration or a dated job, never by hand. */
export const stage = codeSet({
  drafting: [10, '起草审批'],
  toSign: [20, '待签订'],
  running: [30, '履行中'],
  finished: [40, '履行完毕'],
  suspended: [50, '中止'],
  terminated: [60, '解除/终止'],
  expired: [70, '到期'],
  archived: [80, '已归档'],
  void: [90, '作废'],
});
export type Stage = CodeOf<typeof stage>;
export const nature = codeSet({ usual: [1, '普通合同'], framework: [2, '框架协议'], supplement: [3, '补充协议'] });
/** The payer, for kinds that need it on each payment. */
export const payingSides = { 1: '我方付', 2: '对方付' } as const;
export const direction = codeSet({ out: [1, '支出'], in: [2, '收入'], none: [3, '无金额'] });
export const purchaseMode = codeSet({
  open: [1, '公开招标'],
  invited: [2, '邀请招标'],
  negotiated: [3, '竞争性磋商'],
  quoted: [4, '询价'],
  single: [5, '单一来源'],
  own: [6, '自行采购'],
  none: [9, '不适用'],
});
export const renewal = codeSet({ none: [0, '到期终止'], tacit: [1, '自动顺延'], agreed: [2, '协商续签'] });
export const disputeKind = codeSet({ lawsuit: [1, '诉讼'], arbitration: [2, '仲裁'] });
export const claimant = codeSet({ ours: [1, '我方'], theirs: [2, '对方'] });
export const disputeEnd = codeSet({
  talks: [1, '协商'],
  mediation: [2, '调解'],
  lawsuit: [3, '诉讼'],
  arbitration: [4, '仲裁'],
});
export const risk = codeSet({ low: [0, '低'], middle: [1, '中'], high: [2, '高'] });
export const authority = codeSet({ legal: [1, '法定代表人'], authorised: [2, '授权代表'] });
export const planKind = codeSet({
  payment: [1, '付款'],
  receipt: [2, '收款'],
  delivery: [3, '交付验收'],
  milestone: [4, '里程碑'],
  deposit: [5, '保证金'],
  invoice: [6, '发票'],
  other: [12, '其他'],
});
/** The name of a row's kind; a deposit that is given back has its own. */
export const kindText = ({ kind, gives_back }: { kind: number; gives_back?: boolean | undefined }): string =>
  kind === planKind.deposit && gives_back ? '退还保证金' : planKind.label(kind);
/** Computed from plan, entries and day; never stored. */
export const performanceState = codeSet({
  notDue: [0, '未到期'],
  due: [1, '待履行'],
  partly: [2, '部分履行'],
  done: [3, '已履行'],
  late: [4, '逾期'],
  cancelled: [5, '已取消'],
});
export const acceptResult = codeSet({ passed: [1, '合格'], failed: [2, '不合格'] });
/** The state of a number that was given. */
export const numberState = codeSet({ used: [1, '已使用'], voided: [3, '已作废'] });
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
/** A void contract stays void in the archive, because its ticket is closed. */
export const isVoid = ({ act_state }: { act_state: number }): boolean => act_state === actState.closed;
export const stageName = (code: number) => stage.label(code);
