import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { replyState, trip } from '../contract/codes.ts';
import { actingLonger, tripOfAnother } from '../contract/refusals.ts';
import { page, type Attend } from '../contract/schedules.ts';
import type { LeaderViewer, Stored } from './record.ts';
import { isOffice } from './visibility.ts';

/** The acts open on a schedule besides the actions of its ticket. */
export function canDo(row: Stored, attends: readonly Attend[], { user, sides }: LeaderViewer, now: string): string[] {
  const going = attends.filter((one) => one.state < replyState.declines);
  const side = (going.length > 0 ? going : attends).every((one) => sides.has(one.id));
  const some = attends.some((one) => sides.has(one.id));
  const lead = side || isOffice(user);
  const stands = row.act_state === actState.finished && row.cancelled_at === null;
  const open = stands && row.end_time > now;
  const own = row.source_id === null;
  const may: Readonly<Record<string, boolean>> = {
    // An entry that follows a record is answered as long as the record is, before it begins.
    reply: open && some && row.type_id !== trip && (own || row.start_time > now),
    move: open && lead && own,
    texts: stands && own && (lead || row.creator_id === user.id),
    // Those who are reminded decide when, also of an entry that follows a record.
    remind: open && lead && !row.all_day && row.type_id !== trip,
    private: stands && lead && row.type_id !== trip,
    cancel: open && lead && own,
    back: stands && row.type_id === trip && row.start_time <= now && row.back_at === null && (some || isOffice(user)),
    force: row.act_state === actState.ongoing && lead && row.forced_by === null,
    sms: stands && holds(user, 'chuli', page),
  };
  return Object.keys(may).filter((action) => may[action]);
}

/** Refuses to change the leader of a trip, or to extend the delegation beyond what the leader agreed to; only the leader may. */
export function refuseTripMove(
  row: Stored,
  next: Stored,
  attends: readonly Attend[],
  leaders: readonly number[],
  user: Viewer,
) {
  const leader = attends.find((one) => one.state < replyState.declines);
  if (!leader || leaders.length !== 1 || leaders[0] !== leader.id) throw tripOfAnother(leader?.alias ?? '');
  const longer = next.start_time < row.start_time || next.end_time > row.end_time;
  if (row.acting_id !== null && longer && leader.id !== user.id) throw actingLonger(leader.alias);
}
