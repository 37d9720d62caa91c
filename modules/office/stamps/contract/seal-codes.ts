// What the numbers of seals mean, said once for both sides.
export const stampTypes = {
  1: '行政公章',
  2: '党委章',
  3: '合同专用章',
  4: '财务专用章',
  5: '法定代表人名章',
  6: '部门章',
  7: '业务专用章',
  8: '钢印',
  9: '其他',
} as const;
export const stampStatuses = { 1: '在用', 2: '外借', 3: '停用', 4: '遗失', 5: '收缴销毁' } as const;
export const stampStatus = { inUse: 1, out: 2, suspended: 3, lost: 4, destroyed: 5 } as const;

export const custodyKinds = {
  1: '启用',
  2: '交接',
  3: '代管',
  4: '代管归还',
  5: '盘点',
  6: '外借',
  7: '归还',
  8: '停用',
  9: '启封',
  10: '遗失',
  11: '收缴',
  12: '销毁',
  13: '监印变更',
  14: '找回',
} as const;
export const custodyKind = {
  begin: 1,
  handOver: 2,
  caretaker: 3,
  caretakerEnds: 4,
  inventory: 5,
  lentOut: 6,
  broughtBack: 7,
  suspend: 8,
  resume: 9,
  lost: 10,
  collect: 11,
  destroy: 12,
  reappoint: 13,
  found: 14,
} as const;
export const custodyStates = { 0: '待签收', 1: '已生效', 2: '已拒绝', 3: '已撤销' } as const;

/** Kinds whose name strangers may read on the verification page. */
export const forStrangers: readonly number[] = [4, 6, 7, 8];
export const pictureKinds = { 1: '用印', 2: '交接', 3: '归还', 4: '留存件', 5: '保管' } as const;
export const pictureKind = { seal: 1, handOver: 2, bringBack: 3, copy: 4, custody: 5 } as const;

export const alertKinds = {
  1: '同一往来单位用印频繁',
  2: '份数异常',
  3: '非用印时段',
  4: '拒绝后换章再申请',
  5: '同一文件重复用印',
  6: '保管人是唯一审批人',
  7: '外借逾期',
} as const;
export const alertResults = { 1: '属正常', 2: '已提醒', 3: '已整改', 4: '移交处理' } as const;

export const labelOf = (labels: Readonly<Record<number, string>>, code: number) => labels[code] ?? '';
