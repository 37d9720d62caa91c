import { codeSet } from '#kernel/contract/codes.ts';
import { fileKind } from './codes.ts';

// The codes of seals, declared once for server and pages.
export const stampType = codeSet({
  official: [1, '行政公章'],
  party: [2, '党委章'],
  contract: [3, '合同专用章'],
  finance: [4, '财务专用章'],
  legal: [5, '法定代表人名章'],
  department: [6, '部门章'],
  business: [7, '业务专用章'],
  steel: [8, '钢印'],
  other: [9, '其他'],
});
export const stampStatus = codeSet({
  inUse: [1, '在用', 'success'],
  out: [2, '外借', 'processing'],
  suspended: [3, '停用', 'warning'],
  lost: [4, '遗失', 'error'],
  destroyed: [5, '收缴销毁', 'default'],
});

export const custodyKind = codeSet({
  begin: [1, '启用'],
  handOver: [2, '交接'],
  caretaker: [3, '代管'],
  caretakerEnds: [4, '代管归还'],
  inventory: [5, '盘点'],
  lentOut: [6, '外借'],
  broughtBack: [7, '归还'],
  suspend: [8, '停用'],
  resume: [9, '启封'],
  lost: [10, '遗失'],
  collect: [11, '收缴'],
  destroy: [12, '销毁'],
  reappoint: [13, '监印变更'],
  found: [14, '找回'],
});
export const custodyState = codeSet({
  asked: [0, '待签收'],
  inEffect: [1, '已生效'],
  declined: [2, '已拒绝'],
  withdrawn: [3, '已撤销'],
});

/** Kinds of file whose name strangers may read on the verification page. */
export const forStrangers: readonly number[] = [
  fileKind.proof,
  fileKind.authority,
  fileKind.introduction,
  fileKind.certificate,
];
export const pictureKind = codeSet({
  seal: [1, '用印'],
  handOver: [2, '交接'],
  bringBack: [3, '归还'],
  copy: [4, '留存件'],
  custody: [5, '保管'],
});

export const alertKind = codeSet({
  partner: [1, '同一往来单位用印频繁'],
  copies: [2, '份数异常'],
  hours: [3, '非用印时段'],
  refused: [4, '拒绝后换章再申请'],
  repeated: [5, '同一文件重复用印'],
  alone: [6, '保管人是唯一审批人'],
  overdue: [7, '外借逾期'],
});
export const alertResult = codeSet({
  fine: [1, '属正常'],
  told: [2, '已提醒'],
  mended: [3, '已整改'],
  passedOn: [4, '移交处理'],
});
