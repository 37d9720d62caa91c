import { momentOf } from '#kernel/contract/moment.ts';
import { actState } from '#modules/workflows/engine/codes.ts';
import type { Row } from '../contract/shapes.ts';

export interface Light {
  key: 'green' | 'yellow' | 'red';
  label: string;
}
const nearHours = 24;
/** Where the clock runs. */
const running: readonly number[] = [actState.ongoing, actState.finishAsked];

/** How a running ticket stands against its deadline: red past it, yellow within 24 hours; none without a deadline. */
export function lightOf(row: Pick<Row, 'due_at' | 'act_state_id'>, now: Date): Light | null {
  if (!row.due_at || !running.includes(row.act_state_id)) return null;
  const left = momentOf(row.due_at).getTime() - now.getTime();
  if (left < 0) return { key: 'red', label: '已逾期' };
  return left < nearHours * 3_600_000 ? { key: 'yellow', label: '即将到期' } : { key: 'green', label: '正常' };
}
