import { and, eq } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { dayMs, momentOf, momentText } from '#kernel/contract/moment.ts';
import { titled, titleOf } from '#kernel/contract/titles.ts';
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
import { ScheduleInput, type Left, type scheduleCalls } from '../contract/schedules.ts';
import { endActing, moveActing } from '../trips/acting.ts';
import { remember } from '../beside/places.ts';
import { attendTable, changeTable } from '../tables.ts';
import { attendsOf, holdSource, leadersNamed, tellSource } from './attends.ts';
import { takeTime } from './clash.ts';
import { changeText, hearersOf, leaderNews, texted, withdrawNews } from './news.ts';
import { schedules, type Stored } from './record.ts';
import { canDo, refuseTripMove } from './offered.ts';
import { attempt, laterOf } from './repeats.ts';
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

type ChangeEvent = 'LEADER_CHANGED' | 'LEADER_CANCELLED';
interface Teller {
  tx: Db;
  by: number | null;
  now: Date;
}
/** A changed schedule, with what is said of it and people who are told besides those it concerns now. */
interface Told {
  row: Stored;
  text: string;
  besides: readonly number[];
}

const mostNamed = 3;
/** Says what happened to schedules: of several their number and the first few texts, since a text message may be sent of it. */
function saidOf(told: readonly Told[]): string {
  const texts = [...new Set(told.map((one) => one.text))];
  const named = `${texts.slice(0, mostNamed).join('；')}${texts.length > mostNamed ? ' 等' : ''}`;
  return told.length > 1 ? `共 ${told.length} 周：${named}` : named;
}

/** Notifies everybody concerned of changed schedules, once of all that concern them, and at once if one of these is near. */
async function tellTogether(
  { tx, by, now }: Teller,
  event: ChangeEvent,
  told: readonly Told[],
  says = (said: string) => said,
): Promise<void> {
  const concerned = new Map<number, Told[]>();
  for (const one of told) {
    await withdrawNews(tx, one.row);
    for (const person of new Set([...(await hearersOf(tx, one.row)), ...one.besides]))
      concerned.set(person, [...(concerned.get(person) ?? []), one]);
  }
  const alike = Map.groupBy(concerned, ([, theirs]) => theirs.map(({ row }) => row.id).join());
  for (const people of alike.values()) {
    const theirs = people[0]![1];
    const content = says(saidOf(theirs));
    const near = theirs.some(({ row }) => soon(row, now));
    await announce(
      tx,
      leaderNews[event],
      theirs[0]!.row,
      { content, by, ...texted(near) },
      people.map(([person]) => person),
    );
  }
  changed(tx, 'leader', [everybody]);
}

/** Notifies the people concerned of one changed schedule. */
export const tellChanged = (
  teller: Teller,
  row: Stored,
  event: ChangeEvent,
  text: string,
  besides: readonly number[] = [],
): Promise<void> => tellTogether(teller, event, [{ row, text, besides }]);

const moving = ['leaders', 'start_time', 'end_time', 'all_day', 'address'] as const;

/** The moment as far from `at` as `to` is from `from`. */
const shifted = (at: string, from: string, to: string | undefined) =>
  to === undefined
    ? undefined
    : momentText(new Date(momentOf(at).getTime() + momentOf(to).getTime() - momentOf(from).getTime()));

/**
 * Changes an approved schedule: the approval stands, the old values are kept, and the people concerned are notified. Of a repeat, what was
 * changed is changed in the later weeks as well, if asked; files belong to one week, and so does a clash that is kept: those of later weeks were not
 * shown.
 */
export async function edit(context: Asked, id: number, { scope, ...body }: Body<'edit'>) {
  const { tx, now, user } = context;
  const { row, told, changes } = await editOne(context, id, body);
  const alike = Object.fromEntries(
    Object.entries(ScheduleInput.shape).flatMap(([key, field]) =>
      key !== 'materials' && changes.includes(titleOf(field)!) ? [[key, body[key as keyof typeof body]]] : [],
    ),
  ) as Omit<typeof body, 'version'>;
  const later = scope === 'following' && Object.keys(alike).length > 0 ? await laterOf(tx, user, row, true) : [];
  const all = told ? [told] : [];
  const left: Left = [];
  for (const one of later) {
    const start_time = shifted(one.start_time, row.start_time, alike.start_time);
    const end_time = shifted(one.end_time, row.end_time, alike.end_time);
    const msg = await attempt(context, async (by) => {
      const done = await editOne(by, one.id, { ...alike, start_time, end_time });
      if (done.told) all.push(done.told);
    });
    if (msg !== null) left.push({ id: one.id, start_time: one.start_time, msg });
  }
  if (all.length > 0) await tellTogether({ tx, by: user.id, now }, 'LEADER_CHANGED', all);
  return { id, left };
}

interface Edited {
  /** The schedule as it was. */
  row: Stored;
  /** Null if nothing changed for anybody. */
  told: Told | null;
  /** Titles of the fields that changed. */
  changes: readonly string[];
}

/** Changes one schedule without telling anybody. */
async function editOne(
  context: Asked,
  id: number,
  { version, force, remind, ...body }: Omit<Body<'edit'>, 'scope'>,
): Promise<Edited> {
  const { tx, now, user } = context;
  const { viewer, row, attends, can, demand } = await opened(context, id);
  checkVersion('日程', row, version, row);
  const asked = Object.keys(body).filter((key) => body[key as keyof typeof body] !== undefined);
  const bare = asked.length === 0 && !remind;
  if (row.act_state === actState.ongoing && force && bare && can.includes('force')) {
    await schedules.save(context, row, { forced_by: user.id });
    return { row, told: null, changes: [] };
  }
  if (asked.some((key) => (moving as readonly string[]).includes(key))) demand('move', '修改时间、地点和领导');
  if (asked.includes('visibility')) demand('private', '修改可见范围');
  if (remind) demand('remind', '修改提醒');
  if (bare || asked.some((key) => key !== 'visibility')) demand('texts', '修改');
  if (remind) await changeReminders(context, row, remind);
  const reminded = remind ? [titleOf(ScheduleInput.shape.remind)!] : [];
  if (remind && asked.length === 0) return { row, told: null, changes: reminded };
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
  const change = { before, after: current, by: user.id, kind: 'edit' };
  if (!(await recordChange(tx, change, id))) return { row, told: null, changes: reminded };
  if (row.type_id === trip && moved) await moveActing(tx, after!, leaders[0]!);
  const told = { row: after!, text: changeText(row, after!), besides: attends.map((one) => one.id) };
  const differs = (key: string) => JSON.stringify(before[key]) !== JSON.stringify(current[key]);
  return { row, told, changes: [...reminded, ...Object.keys(current).filter(differs)] };
}

/** Changes when people are reminded. It is no change of the schedule, so it neither shows as one nor is told. */
async function changeReminders({ tx, audit }: Asked, row: Stored, remind: number[]): Promise<void> {
  await schedules.set(tx, row, { remind }, false);
  audit({
    type: '领导日程',
    id: row.id,
    title: schedules.definition.log(row).title,
    before: { 提前提醒: remindText(row.remind) },
    after: { 提前提醒: remindText(remind) },
  });
}

/** Cancels a schedule, of a repeat also the later weeks if asked. */
export async function cancel(context: Asked, id: number, { reason, scope }: Body<'cancel'>) {
  const { tx, now, user } = context;
  const row = await cancelOne(context, id, reason);
  const all = [row];
  const left: Left = [];
  for (const one of scope === 'following' ? await laterOf(tx, user, row, true) : []) {
    const msg = await attempt(context, async (by) => void all.push(await cancelOne(by, one.id, reason)));
    if (msg !== null) left.push({ id: one.id, start_time: one.start_time, msg });
  }
  const told = all.map((each) => ({ row: { ...each, version: each.version + 1 }, text: timeText(each), besides: [] }));
  const says = (said: string) => `${said} 取消：${reason}`;
  await tellTogether({ tx, by: user.id, now }, 'LEADER_CANCELLED', told, says);
  return { id, left };
}

/** Cancels one schedule; returns it as it was. */
async function cancelOne(context: Asked, id: number, reason: string): Promise<Stored> {
  const { tx, now, user } = context;
  const { row, demand } = await opened(context, id);
  demand('cancel', '取消');
  const at = momentText(now);
  await schedules.save(context, row, { cancelled_at: at, cancel_reason: reason, changed_at: at });
  await recordChange(tx, { before: {}, after: {}, by: user.id, kind: 'cancel', reason }, id);
  if (row.type_id === trip) await endActing(tx, row, now);
  return row;
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
