import { and, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { replyState as entryState } from '#modules/office/leaders/contract/codes.ts';
import type { Answered } from '#modules/office/leaders/service.ts';
import { announce, closeTodo } from '#modules/platform/messages/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { replyState, substituteState } from '../contract/codes.ts';
import { notAsked, notInState, periodText, substituteSends } from '../contract/refusals.ts';
import { meetings, module } from '../record/record.ts';
import { attendeeTable, meetTable } from '../tables.ts';
import { answerForLeaders } from './leaders.ts';
import { meetNews } from './notice.ts';
import { answerable, requireFree, tellPrincipals, writeReply } from './reply.ts';

const a = attendeeTable;
/** The answer to the meeting, by that on the entry. */
const replyIs: Readonly<Record<number, number>> = {
  [entryState.comes]: replyState.comes,
  [entryState.declines]: replyState.excused,
  [entryState.passesOn]: replyState.sends,
};

/** Locks a meeting for an answer that a leader gives in their schedule. */
export async function holdMeeting(tx: Db, id: number): Promise<void> {
  await tx.select({ id: meetTable.id }).from(meetTable).where(eq(meetTable.id, id)).for('no key update');
}

/** The substitutions a leader was asked for; those they declined only if there are no others. */
async function askedInstead(tx: Db, id: number, leader: number): Promise<number[]> {
  const rows = await tx
    .select({ principal: a.user_id, state: a.substitute_state })
    .from(a)
    .where(and(eq(a.meet_id, id), eq(a.substitute_id, leader)));
  const open = rows.filter((one) => one.state !== substituteState.declines);
  return (open.length > 0 ? open : rows).map((one) => one.principal);
}

/** Writes an answer given in the schedule into the meeting, for the leader or for the one they stand in for. */
export async function answeredInSchedule(tx: Db, { id, leader, result, to, agreed, note, by, at }: Answered) {
  const row = await meetings.one(tx, id);
  if (!row) throw notAsked();
  if (row.start_time! <= at) throw notInState(meetings.stateOf(row), '回复', answerable);
  await closeTodo(tx, { module, objectId: id, events: ['MEET_URGE'] }, [leader]);
  const alias = (await peopleById(tx, [leader])).get(leader)?.alias ?? '';
  const principals = await askedInstead(tx, id, leader);
  if (principals.length > 0) {
    if (result === entryState.passesOn) throw substituteSends(alias);
    const accepts = result === entryState.comes;
    for (const principal of principals)
      await tx
        .update(a)
        .set({ substitute_state: accepts ? substituteState.comes : substituteState.declines })
        .where(and(eq(a.meet_id, id), eq(a.user_id, principal)));
    await tellPrincipals(tx, row, { alias, accepts, by }, principals);
  } else {
    if (to !== null) await requireFree(tx, id, to, leader);
    const dropped = await writeReply(tx, id, leader, {
      reply: replyIs[result]!,
      reply_reason: note,
      substitute_id: to,
      substitute_state: to === null ? null : agreed ? substituteState.comes : substituteState.asked,
    });
    const content = `${alias}不再请您代为参加：${periodText(row.start_time, row.end_time)}。`;
    if (dropped !== null) await announce(tx, meetNews.MEET_CANCEL, row, { head: '不必替会', content, by }, [dropped]);
  }
  await answerForLeaders(tx, id, { by, at, reason: '' });
}
