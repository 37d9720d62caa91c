import { momentOf } from '#kernel/contract/moment.ts';

const nearHours = 24;
/** Words for the lights, by number: none, green, yellow and red. */
export const lights = ['', '正常', '即将到期', '已逾期'] as const;
export type Light = 0 | 1 | 2 | 3;

/** The light of a deadline while its clock runs: 3 past it, 2 within 24 hours, 1 before; 0 without a deadline. */
export function lightOf(due: string | null, runs: boolean, now: Date): Light {
  if (!due || !runs) return 0;
  const left = momentOf(due).getTime() - now.getTime();
  if (left < 0) return 3;
  return left < nearHours * 3_600_000 ? 2 : 1;
}
