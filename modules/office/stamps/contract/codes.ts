import { codeSet } from '#kernel/contract/codes.ts';

/** Codes of applications and their states, with names; forms, lists and prints use them. */
export const usageType = codeSet({ onSite: [1, '现场用印'], out: [2, '外带用印'] });
export const fileKind = codeSet({
  document: [1, '公文'],
  contract: [2, '合同'],
  agreement: [3, '协议'],
  proof: [4, '证明'],
  report: [5, '报表'],
  authority: [6, '授权委托'],
  introduction: [7, '介绍信'],
  certificate: [8, '证书'],
  other: [9, '其他'],
});
/** The kinds of an application's files. */
export const paperKind = codeSet({ toSeal: [1, '送批的文件'], copy: [2, '用印后的扫描件'] });
/** The state of an application and of each of its lines. */
export const lineState = codeSet({
  waiting: [0, '未到用印', 'default'],
  ready: [1, '待用印', 'processing'],
  sealed: [2, '已用印', 'success'],
  out: [3, '外借中', 'warning'],
  returned: [4, '已归还', 'success'],
  void: [5, '已失效', 'default'],
  refused: [6, '拒绝用印', 'error'],
});
/** The halves of a day in which seals are available. */
export const parts = { 1: '上午', 2: '下午' } as const;
export const partHours = { 1: ['08:00', '12:00'], 2: ['12:00', '18:00'] } as const;
export const slotText = (day: string | null, part: number | null): string =>
  day === null || part === null ? '' : `${day} ${parts[part as 1]}`;

/** That sealed copies came back, as pages and papers say it. */
export const recallText = ({ copies, at, by, remark }: { copies: number; at: string; by: string; remark: string }) =>
  `${at.slice(0, 10)} 收回 ${copies} 份，${by}登记${remark && `：${remark}`}`;

const { ready, sealed, out, returned, void: voided, refused, waiting } = lineState;
/** The state of an application, from the states of its lines. */
export function sealStatusOf(lines: readonly number[]): number {
  const any = (state: number) => lines.includes(state);
  if (any(out)) return out;
  if (any(ready)) return ready;
  if (lines.length === 0 || any(waiting)) return waiting;
  if (lines.every((state) => state === sealed || state === returned)) return any(returned) ? returned : sealed;
  return any(refused) ? refused : voided;
}
/** The number of finished lines, and of all. */
export const progressOf = (lines: readonly number[]) => ({
  done: lines.filter((state) => state === sealed || state === returned).length,
  total: lines.length,
});
