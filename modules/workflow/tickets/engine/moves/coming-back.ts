import { backBeforeLeave, backInTime, halfDay, halfDayText, notBackYet, type Half } from '../../contract/leave.ts';
import { mainStateId } from '../state.ts';
import { begin, emit, type Work } from '../work.ts';

interface Back {
  actor: number;
  /** The first half of a day on which they work again. */
  day: string;
  half: Half;
  suggestion: string;
}

/** Ends approved leave or a trip before its last day: from that half of a day on its person is not away any more. */
export function endLeave(work: Work, { actor, day, half, suggestion }: Back): void {
  const { leave } = work.facts.rights;
  if (!leave) throw new Error('there is no leave to end');
  const at = halfDay(day, half);
  if (at < leave.from) throw backBeforeLeave(leave);
  if (at >= leave.until) throw backInTime(leave);
  if (at > leave.now) throw notBackYet(at);
  const words = [`${halfDayText(at)}返岗`, suggestion].filter(Boolean).join('：');
  begin(work, actor, 'end_leave', mainStateId(work.state) ?? 0, { suggestion: words }, null);
  emit(work, { type: 'leave_ended', at });
}
