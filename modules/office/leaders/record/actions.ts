import { and, eq } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { dayMs, momentOf, momentText } from '#kernel/contract/moment.ts';
import { titled } from '#kernel/contract/titles.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { remindText, replyState, timeText, trip, visibleTo } from '../contract/codes.ts';
import {
  alreadyGoing,
  backInFuture,
  backTooEarly,
  followsSource,
  notNow,
  notOneOfThem,
  notOnSide,
  notTheirSide,
  whoAnswers,
} from '../contract/refusals.ts';
import { ScheduleInput, type scheduleCalls } from '../contract/schedules.ts';
import { endActing, moveActing } from '../trips/acting.ts';
import { remember } from '../beside/places.ts';
import { attendTable, changeTable } from '../tables.ts';
import { attendsOf, holdSource, leadersNamed, tellSource } from './attends.ts';
import { takeTime } from './clash.ts';
import { changeText, hearersOf, leaderNews, texted, withdrawNews } from './news.ts';
import { schedules, type Stored } from './record.ts';
import { canDo, refuseTripMove } from './offered.ts';
import { isOffice } from './visibility.ts';
import { columnsOf, writeBeside, type Written } from './writing.ts';

type Asked = Omit<Context, 'user'> & { user: Viewer };
type Body<N extends keyof typeof scheduleCalls> = BodyOf<(typeof scheduleCalls)[N]>;

/** Locks a schedule for a change and returns it with its leaders; `demand` refuses an act the user may not do now. */
async function opened(context: Asked, id: number) {
  const { tx, user, now } = context;
  const viewer = await schedules.viewerOf(tx, user);
  const row = await schedules.requireForUpdate(tx, viewer, id);
  const attends = (await attendsOf(tx, [id])).get(id) ?? [];
  const can = canDo(row, attends, viewer, momentText(now));
  const demand = (action: string, act: string) => {
    if (can.includes(action)) return;
    if (row.cancelled_at !== null) throw notNow('已取消', act);
    if (row.act_state !== actState.finished) throw notNow('还没有通过审批', act);
    if (row.source_id !== null && ['move', 'texts', 'cancel'].includes(action)) throw followsSource(act);
    if (row.end_time <= momentText(now)) throw notNow('已经结束', act);
    if (action === 'back' && row.start_time > momentText(now)) throw notNow('还没有开始', act);
    if (action === 'reply' && row.source_id !== null && row.start_time <= momentText(now))
      throw notNow('已经开始', act);
    if (['reply', 'remind'].includes(action) && row.type_id === trip) throw notNow('是外出报备', act);
    if (action === 'remind' && row.all_day) throw notNow('是全天的', act);
    throw action === 'reply' ? notOnSide(act, '领导本人和其秘书') : notOnSide(act);
  };
  return { tx, viewer, row, attends, can, demand };
}

/** The fields of a schedule for the log, by their titles. */
async function facts(tx: Db, row: Stored): Promise<Record<string, unknown>> {
  const known = await peopleById(tx, [...row.escort, ...(row.contact_id === null ? [] : [row.contact_id])]);
  const attends = (await attendsOf(tx, [row.id])).get(row.id) ?? [];
  const leaders = attends.filter((one) => one.state < replyState.declines).map((one) => one.alias);
  const contact = row.contact_id === null ? '' : (known.get(row.contact_id)?.alias ?? '');
  const escort = row.escort.map((id) => known.get(id)?.alias ?? '');
  const times = { start_time: row.start_time.slice(0, 16), end_time: row.end_time.slice(0, 16) };
  return titled(ScheduleInput.omit({ remind: true }), {
    ...row,
    ...times,
    leaders: leaders.join('、'),
    contact,
    escort: escort.join('、'),
    materials: row.materials.length,
  });
}
export async function recordChange(
  tx: Db,
  {
    before,
    after,
    by,
    kind,
    reason = '',
  }: {
    before: Record<string, unknown>;
    after: Record<string, unknown>;
    by: number | null;
    kind: string;
    reason?: string;
  },
  schedule_id: number,
): Promise<boolean> {
  const keys = Object.keys(after).filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]));
  const only = (of: Record<string, unknown>) => Object.fromEntries(keys.map((key) => [key, of[key] ?? null]));
  if (keys.length > 0 || reason !== '')
    await tx.insert(changeTable).values({ schedule_id, by, kind, was: only(before), becomes: only(after), reason });
  return keys.length > 0;
}
const soon = (row: Pick<Stored, 'start_time'>, now: Date) => momentOf(row.start_time).getTime() - now.getTime() < dayMs;

/** Notifies the people concerned of a changed schedule, at once if it is near. */
export async function tellChanged(
  { tx, by, now }: { tx: Db; by: number | null; now: Date },
  row: Stored,
  event: 'LEADER_CHANGED' | 'LEADER_CANCELLED',
  content: string,
  besides: readonly number[] = [],
) {
  await withdrawNews(tx, row);
  const to = [...(await hearersOf(tx, row)), ...besides];
  await announce(tx, leaderNews[event], row, { content, by, ...texted(soon(row, now)) }, to);
  changed(tx, 'leader', [everybody]);
}

const moving = ['leaders', 'start_time', 'end_time', 'all_day', 'address'] as const;

/** Changes an approved schedule: the approval stands, the old values are kept, and the people concerned are notified. */
export async function edit(
  context: Asked,
  id: number,
  { version, force, ...body }: Body<'edit'>,
): Promise<{ id: number }> {
  const { tx, now, user } = context;
  const { viewer, row, attends, can, demand } = await opened(context, id);
  checkVersion('日程', row, version, row);
  const asked = Object.keys(body).filter((key) => body[key as keyof typeof body] !== undefined);
  if (row.act_state === actState.ongoing && force && asked.length === 0 && can.includes('force')) {
    await schedules.save(context, row, { forced_by: user.id });
    return { id };
  }
  if (asked.some((key) => (moving as readonly string[]).includes(key))) demand('move', '修改时间、地点和领导');
  if (asked.includes('visibility')) demand('private', '修改可见范围');
  if (asked.includes('remind')) demand('remind', '修改提醒');
  if (asked.length === 0 || asked.some((key) => !['visibility', 'remind'].includes(key))) demand('texts', '修改');
  if (asked.length === 1 && body.remind) return changeReminders(context, row, body.remind);
  const before = await facts(tx, row);
  const columns = await columnsOf(tx, body as Written, viewer, row);
  const next = { ...row, ...columns } as Stored;
  const going = attends.filter((one) => one.state < replyState.declines).map((one) => one.id);
  const named = body.leaders && (await leadersNamed(tx, body.leaders));
  const leaders = named?.map((one) => one.id) ?? going;
  const other = named?.find((one) => !going.includes(one.id) && !viewer.sides.has(one.id));
  if (row.type_id === trip) refuseTripMove(row, next, attends, leaders, user);
  else if (other && !isOffice(user)) throw notTheirSide(other.alias);
  const moved = next.start_time !== row.start_time || next.end_time !== row.end_time || body.leaders !== undefined;
  let { forced_by } = row;
  if (moved) {
    const stood = await takeTime(tx, leaders, next, { by: user.id, but: id, forced: Boolean(force), canForce: true });
    forced_by = stood ? user.id : null;
  }
  const address_id = next.address === row.address || row.type_id === trip ? row.address_id : await remember(tx, next);
  const set = { ...columns, forced_by, address_id, changed_at: momentText(now) };
  await schedules.save(context, row, set, {}, (saved) =>
    writeBeside(tx, saved, body as Written, viewer, row).then(() => undefined),
  );
  const after = await schedules.one(tx, id);
  const current = await facts(tx, after!);
  if (!(await recordChange(tx, { before, after: current, by: user.id, kind: 'edit' }, id))) return { id };
  if (row.type_id === trip && moved) await moveActing(tx, after!, leaders[0]!);
  await tellChanged(
    { tx, by: user.id, now },
    after!,
    'LEADER_CHANGED',
    changeText(row, after!),
    attends.map((one) => one.id),
  );
  return { id };
}

/** Changes when people are reminded. It is no change of the schedule, so it neither shows as one nor is told. */
async function changeReminders({ tx, audit }: Asked, row: Stored, remind: number[]): Promise<{ id: number }> {
  await schedules.set(tx, row, { remind }, false);
  audit({
    type: '领导日程',
    id: row.id,
    title: schedules.definition.log(row).title,
    before: { 提前提醒: remindText(row.remind) },
    after: { 提前提醒: remindText(remind) },
  });
  return { id: row.id };
}

export async function cancel(context: Asked, id: number, { reason }: Body<'cancel'>): Promise<{ id: number }> {
  const { tx, now, user } = context;
  const { row, demand } = await opened(context, id);
  demand('cancel', '取消');
  const at = momentText(now);
  await schedules.save(context, row, { cancelled_at: at, cancel_reason: reason, changed_at: at });
  await recordChange(tx, { before: {}, after: {}, by: user.id, kind: 'cancel', reason }, id);
  if (row.type_id === trip) await endActing(tx, row, now);
  await tellChanged(
    { tx, by: user.id, now },
    { ...row, version: row.version + 1 },
    'LEADER_CANCELLED',
    `${timeText(row)} 取消：${reason}`,
  );
  return { id };
}

/** Records that a leader takes part, declines or sends another person; the answers of other leaders stay. */
export async function reply(
  context: Asked,
  id: number,
  { leader, result, to, note, force }: Body<'reply'>,
): Promise<{ id: number }> {
  const { tx, now, user } = context;
  await holdSource(tx, id);
  const { viewer, row, attends, demand } = await opened(context, id);
  demand('reply', '答复');
  const mine = attends.filter((one) => viewer.sides.has(one.id));
  const one = leader === undefined && mine.length === 1 ? mine[0] : mine.find((each) => each.username === leader);
  if (!one) throw leader === undefined ? whoAnswers(mine.map((each) => each.alias).join('、')) : notOneOfThem(leader);
  const at = momentText(now);
  const by = { by: user.id, at };
  const take = (leaders: number[]) =>
    takeTime(tx, leaders, row, {
      by: user.id,
      but: id,
      forced: Boolean(force) && leaders.every((each) => viewer.sides.has(each)),
      canForce: leaders.every((each) => viewer.sides.has(each)),
    });
  if (result === replyState.comes && one.state > replyState.comes) await take([one.id]);
  const { schedule_id, leader_id } = attendTable;
  await tx
    .update(attendTable)
    .set({ state: result, note, ...by })
    .where(and(eq(schedule_id, id), eq(leader_id, one.id)));
  const other = result === replyState.passesOn && to !== undefined ? (await leadersNamed(tx, [to]))[0]! : null;
  const agreed = other !== null && viewer.sides.has(other.id);
  if (other) {
    if (other.id === one.id || attends.some((each) => each.id === other.id && each.state < replyState.declines))
      throw alreadyGoing(other.alias);
    await take([other.id]);
    const state = agreed ? replyState.comes : replyState.none;
    const values = { schedule_id: id, leader_id: other.id, state, note: '' };
    await tx
      .insert(attendTable)
      .values(values)
      .onConflictDoUpdate({ target: [schedule_id, leader_id], set: { state, note: '', ...by } });
  }
  const said = other ? `改派${other.alias}` : replyState.label(result);
  const change = {
    before: { [one.alias]: replyState.label(one.state) },
    after: { [one.alias]: said },
    by: user.id,
    kind: 'reply',
    reason: note,
  };
  await recordChange(tx, change, id);
  if (result !== replyState.comes) await schedules.set(tx, row, { changed_at: at });
  await tellSource(tx, row, { leader: one.id, result, to: other?.id ?? null, agreed, note, ...by });
  context.audit({
    type: '领导日程',
    id,
    title: schedules.definition.log(row).title,
    before: change.before,
    after: change.after,
  });
  const content = `${timeText(row)}，${one.alias}${said}${note ? `：${note}` : ''}`;
  const hearers = [row.creator_id, ...(row.contact_id === null ? [] : [row.contact_id])];
  const news = { content, by: user.id };
  const told = { ...row, version: row.version + 1 };
  await announce(tx, leaderNews.LEADER_REPLY, told, news, row.visibility === visibleTo.own ? [] : hearers);
  if (other) await announce(tx, leaderNews.LEADER_NEW, row, news, await hearersOf(tx, row));
  changed(tx, 'leader', [everybody]);
  return { id };
}

/** Ends a trip: from that minute on the delegation ends and the time is free. */
export async function back(context: Asked, id: number, body: Body<'back'>): Promise<{ id: number }> {
  const { tx, now, user } = context;
  const { row, attends, demand } = await opened(context, id);
  const at = body.at ?? momentText(now);
  demand('back', '销假');
  if (at < row.start_time) throw backTooEarly(row.start_time.slice(0, 16));
  if (at > momentText(now)) throw backInFuture(at.slice(0, 16));
  const end_time = at < row.end_time && at > row.start_time ? at : row.end_time;
  await schedules.save(context, row, { back_at: at, end_time, changed_at: momentText(now) });
  await recordChange(
    tx,
    { before: { 返回时间: null }, after: { 返回时间: at.slice(0, 16) }, by: user.id, kind: 'back' },
    id,
  );
  await endActing(tx, row, momentOf(at));
  const who = attends.map((one) => one.alias).join('、');
  await tellChanged(
    { tx, by: user.id, now },
    { ...row, version: row.version + 1 },
    'LEADER_CHANGED',
    `${who}已于 ${at.slice(0, 16)} 返回`,
    row.acting_id === null ? [] : [row.acting_id],
  );
  return { id };
}
