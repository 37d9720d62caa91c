/** Numbers of what is sealed and of how far it has come, and their names; read by forms, lists and the paper alike. */
export const usageTypes = { 1: '现场用印', 2: '外带用印' } as const;
export const useType = { onSite: 1, out: 2 } as const;
export const fileKinds = {
  1: '公文',
  2: '合同',
  3: '协议',
  4: '证明',
  5: '报表',
  6: '授权委托',
  7: '介绍信',
  8: '证书',
  9: '其他',
} as const;
/** Of an application and of each of its lines. */
export const lineState = { waiting: 0, ready: 1, sealed: 2, out: 3, returned: 4, void: 5, refused: 6 } as const;
export const sealStatuses = {
  0: '未到用印',
  1: '待用印',
  2: '已用印',
  3: '外借中',
  4: '已归还',
  5: '已失效',
  6: '拒绝用印',
} as const;
/** Halves of a day in which seals are to be had. */
export const parts = { 1: '上午', 2: '下午' } as const;
export const partHours = { 1: ['08:00', '12:00'], 2: ['12:00', '18:00'] } as const;
export const slotText = (day: string | null, part: number | null): string =>
  day === null || part === null ? '' : `${day} ${parts[part as 1]}`;

const { ready, sealed, out, returned, void: voided, refused, waiting } = lineState;
/** Where an application stands by its lines. */
export function sealStatusOf(lines: readonly number[]): number {
  const any = (state: number) => lines.includes(state);
  if (any(out)) return out;
  if (any(ready)) return ready;
  if (lines.length === 0 || any(waiting)) return waiting;
  if (lines.every((state) => state === sealed || state === returned)) return any(returned) ? returned : sealed;
  return any(refused) ? refused : voided;
}
/** How much of it is done. */
export const progressOf = (lines: readonly number[]) => ({
  done: lines.filter((state) => state === sealed || state === returned).length,
  total: lines.length,
});
