import { and, eq, gt, inArray, or, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { invalid, unfilled } from '#kernel/contract/refusal.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { announce, closeTodo, newsOf } from '#modules/platform/messages/service.ts';
import { nudgeWait, urge } from '#modules/platform/messages/service/nudges.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { receiptsOf } from '#modules/platform/people/service/receipts.ts';
import { replyState, substituteState } from '../contract/codes.ts';
import type { meetCalls } from '../contract/meetings.ts';
import { cannotStandIn, nobodyToAnswer, notAsked, notInState, peopleGone, periodText } from '../contract/refusals.ts';
import { isOfOffice, meetings, module, runsIt, type Meet } from '../record/record.ts';
import { calledOrNumbered } from '../record/writing.ts';
import { attendeeTable } from '../tables.ts';
import { datesIn } from '../repeats/scope.ts';
import { openFor, type Asked } from './context.ts';
import { answerForLeaders, changeForLeaders } from './leaders.ts';
import { datesText, meetNews, sendNotice, tellOfDates, type MeetEvent } from './notice.ts';
import { expand } from './people.ts';

const a = attendeeTable;
/** Says when a meeting can be answered. */
export const answerable = '会议开始之前可以回复';
const rule = { name: '催回复', nobody: nobodyToAnswer, hours: 4 };

/** 回执: an attendee comes, declines or sends a substitute; a substitute accepts or declines. */
export async function answer(context: Asked, id: number, body: BodyOf<typeof meetCalls.reply>) {
  if (body.accept === undefined && body.scope !== 'this') return answerDates(context, id, body);
  const told: Told[] = [];
  const done = await answerOne(context, id, body, told);
  await tellAnswers(context, told);
  return done;
}

async function answerOne(context: Asked, id: number, body: BodyOf<typeof meetCalls.reply>, told: Told[]) {
  const { tx, user, now } = context;
  const { row } = await openFor(context, id, { act: '回复', may: 'sees', meet_status: [0, 1], when: answerable });
  if (row.start_time! <= momentText(now)) throw notInState(meetings.stateOf(row), '回复', answerable);
  await closeTodo(tx, { module, objectId: id, events: ['MEET_URGE'] }, [user.id]);
  return body.accept === undefined ? own(context, row, body, told) : comeInstead(context, row, body.accept);
}

/** Answers all future dates of a repeat to which the person is invited. */
async function answerDates(context: Asked, id: number, body: BodyOf<typeof meetCalls.reply>) {
  const { tx, user } = context;
  const dates = await tx
    .select({ id: a.meet_id })
    .from(a)
    .where(and(inArray(a.meet_id, await datesIn(tx, id, body.scope)), eq(a.user_id, user.id)))
    .orderBy(a.meet_id);
  if (dates.length === 0) throw notAsked();
  const told: Told[] = [];
  for (const one of dates) await answerOne(context, one.id, body, told);
  await tellAnswers(context, told);
  return { id };
}

/** The message that an answer causes; for several dates it is sent once. */
interface Told {
  event: MeetEvent;
  title: string;
  to: number;
  row: Meet;
  says(dates: readonly Meet[]): string;
}

async function tellAnswers({ tx, user }: Asked, told: readonly Told[]): Promise<void> {
  for (const alike of Map.groupBy(told, (one) => one.title).values()) {
    const [{ event, title, says }] = alike as [Told];
    const dates = new Map(
      Array.from(
        Map.groupBy(alike, (one) => one.to),
        ([to, theirs]) => [to, theirs.map((one) => one.row)] as const,
      ),
    );
    await tellOfDates(tx, dates, (rows) =>
      newsOf(meetNews[event], rows[0]!, { head: title, content: says(rows), by: user.id }),
    );
  }
}

async function own({ tx, user, now, audit }: Asked, row: Meet, body: BodyOf<typeof meetCalls.reply>, told: Told[]) {
  const { reply: said, substitute_id = null, reason } = body;
  const label = (field: string, text: string) => invalid([{ field, label: text, msg: unfilled }]);
  if (said === undefined) throw label('reply', '回执');
  const sends = said === replyState.sends;
  if (sends && substitute_id === null) throw label('substitute_id', '替会人');
  if (said === replyState.excused && !reason) throw label('reason', '请假原因');
  if (sends) await requireFree(tx, row.id, substitute_id!, user.id);
  const dropped = await writeReply(tx, row.id, user.id, {
    reply: said,
    reply_reason: reason,
    substitute_id: sends ? substitute_id : null,
    substitute_state: sends ? substituteState.asked : null,
  });
  await answerForLeaders(tx, row.id, { by: user.id, at: momentText(now), reason });
  const tells = (event: MeetEvent, title: string, to: number, says: Told['says']) =>
    told.push({ event, title, to, row, says });
  if (dropped !== null)
    tells('MEET_CANCEL', '不必替会', dropped, (dates) => `${user.alias}不再请您代为参加：${datesText(dates)}。`);
  if (sends)
    tells(
      'MEET_STAND_IN',
      '请您替会',
      substitute_id!,
      (dates) => `${user.alias}请您代为参加：${datesText(dates)}。${reason}`,
    );
  if (said === replyState.excused && row.creator_id !== user.id)
    tells('MEET_REPLY', '参会请假', row.creator_id, (dates) => {
      const which = dates.length > 1 ? `其中 ${dates.length} 次（${datesText(dates)}）` : '';
      return `${user.alias}${which}请假：${reason}`;
    });
  audit({ type: '会议', id: row.id, title: row.title, after: { 回执: said, 原因: reason, 替会人: substitute_id } });
  return { id: row.id };
}

interface Reply {
  reply: number;
  reply_reason: string;
  substitute_id: number | null;
  substitute_state: number | null;
}
/** Writes an invited person's answer; returns the substitute who is no longer needed. */
export async function writeReply(tx: Db, meet_id: number, person: number, reply: Reply): Promise<number | null> {
  const line = and(eq(a.meet_id, meet_id), eq(a.user_id, person));
  const [before] = await tx
    .select({ id: a.substitute_id, state: a.substitute_state })
    .from(a)
    .where(line)
    .for('no key update');
  if (!before) throw notAsked();
  await tx
    .update(a)
    .set({ ...reply, reply_time: sql`now()` })
    .where(line);
  return before.state !== substituteState.declines && before.id !== reply.substitute_id ? before.id : null;
}

/** Refuses a substitute who is invited themselves, or is a substitute already. */
export async function requireFree(tx: Db, meet_id: number, person: number, principal: number): Promise<void> {
  if ((await workingAmong(tx, [person])).length === 0) throw peopleGone(await calledOrNumbered(tx, [person]));
  const taken = await tx.$count(
    a,
    and(
      eq(a.meet_id, meet_id),
      or(
        eq(a.user_id, person),
        and(
          eq(a.substitute_id, person),
          sql`${a.substitute_state} < ${inSql(substituteState.declines)} and ${a.user_id} <> ${principal}`,
        ),
      ),
    ),
  );
  if (taken > 0) throw cannotStandIn((await peopleById(tx, [person])).get(person)?.alias ?? '');
}

async function comeInstead({ tx, user, now, audit }: Asked, row: Meet, accept: boolean) {
  const asked = await tx
    .update(a)
    .set({ substitute_state: accept ? substituteState.comes : substituteState.declines })
    .where(and(eq(a.meet_id, row.id), eq(a.substitute_id, user.id), eq(a.substitute_state, substituteState.asked)))
    .returning({ id: a.user_id });
  if (asked.length === 0) throw notAsked();
  const principals = asked.map(({ id }) => id);
  await answerForLeaders(tx, row.id, { by: user.id, at: momentText(now), reason: '' });
  await tellPrincipals(tx, row, { alias: user.alias, accepts: accept, by: user.id }, principals);
  audit({ type: '会议', id: row.id, title: row.title, after: { 替会: accept ? '接受' : '不接受' } });
  return { id: row.id };
}

/** Tells people whether their substitute comes. */
export async function tellPrincipals(
  tx: Db,
  row: Meet,
  { alias, accepts, by }: { alias: string; accepts: boolean; by: number },
  principals: readonly number[],
): Promise<void> {
  const content = accepts ? `${alias}已同意代您参加` : `${alias}不能代您参加，请改派他人或自己参加`;
  await announce(tx, meetNews.MEET_REPLY, row, { head: '替会', content, by }, principals);
}

const unansweredOf = async (tx: Asked['tx'], id: number) =>
  (
    await tx
      .select({ id: a.user_id })
      .from(a)
      .where(and(eq(a.meet_id, id), eq(a.reply, replyState.none), gt(a.told_at, '2000-01-01')))
  ).map((one) => one.id);

/** Answers by department, for those who run the meeting. */
export async function receipts({ tx, user }: Asked, id: number) {
  const row = await meetings.requireVisible(tx, await meetings.viewerOf(tx, user), id);
  const runs = runsIt(row, user) || (await isOfOffice(tx, user, id));
  const people = sql`select t.user_id, u.dept_id, t.reply <> ${inSql(replyState.none)}, t.reply = ${inSql(replyState.comes)} or t.substitute_state = ${inSql(substituteState.comes)}, t.reply = ${inSql(replyState.none)}
    from meet_attendee t join app_user u on u.id = t.user_id where t.meet_id = ${id} and t.told_at is not null`;
  const about = newsOf(meetNews.MEET_URGE, row, { content: '', by: user.id });
  const late = await unansweredOf(tx, id);
  const shown = { named: runs, viewer: user.id };
  return { receipts: await receiptsOf(tx, people, shown), urge_wait: await nudgeWait(tx, about, late, rule) };
}

/** Sends the notice to people not notified yet, invites people who have joined the departments since, or urges those who have not answered. */
export async function notify(context: Asked, id: number, body: BodyOf<typeof meetCalls.notice>) {
  const { row } = await openFor(context, id, { act: '发送通知', when: '已通过、尚未召开的会议可以通知' });
  const { tx, user, audit } = context;
  if (body.expand) {
    const { added, dropped } = await expand(tx, row);
    // The schedules take only a newer version of the meeting.
    if (added.length + dropped.length > 0) await changeForLeaders(tx, await meetings.set(tx, row, {}), user.id);
  }
  const news = newsOf(meetNews.MEET_URGE, row, {
    content: `${periodText(row.start_time, row.end_time)}，请回复能否参加。${body.content}`,
    by: user.id,
  });
  const sent = body.urge
    ? (await urge(tx, { ...news, also: ['sms'] }, await unansweredOf(tx, id), rule)).length
    : await sendNotice(tx, row, user.id, body);
  const all = await tx.$count(a, eq(a.meet_id, id));
  audit({ type: '会议', id, title: row.title, after: { [body.urge ? '催回复' : '通知']: `${sent} 人` } });
  return { sent, skipped: all - sent };
}
