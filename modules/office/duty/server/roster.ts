import { checkVersion } from '#kernel/server/db/version.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { lastDayOf, momentOf } from '#kernel/contract/moment.ts';
import { refuseOn } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import type { dutyCalls } from '../contract.ts';
import { dutyPost, postKeys, shiftState, spanText } from '../contract/codes.ts';
import {
  alreadyOut,
  gapsLeft,
  movedBefore,
  noReason,
  notNow,
  notYours,
  nothingToPublish,
  sameShift,
  seatedTwice,
  swapUnfit,
  unknownPerson,
} from '../contract/refusals.ts';
import { dutyChangeTable, dutyPersonTable, shiftTable } from '../tables.ts';
import {
  lockRosters,
  reaches,
  requireFit,
  requireShift,
  shiftsFor,
  standsAs,
  withAway,
  type Asked,
  type Found,
} from './shifts.ts';
import { dutyNews, tellVoid } from './told.ts';

/** Publishes the drafts of a month, which makes them visible to everybody. */
export async function publish({ tx, user, audit }: Asked, { month, plan_id, force }: BodyOf<typeof dutyCalls.publish>) {
  await lockRosters(tx);
  const drafts = await shiftsFor(
    tx,
    user,
    sql`published_at is null and day between ${`${month}-01`} and ${lastDayOf(month)}
    and ${reaches(user, 'Update')} and (${plan_id ?? null}::int is null or plan_id = ${plan_id ?? null})`,
  );
  if (drafts.length === 0) throw nothingToPublish(month);
  const lacks = (await withAway(tx, drafts)).filter((one) => one.gap > 0 || one.people.some((person) => person.away));
  const gaps = lacks.map((one) => {
    const away = one.people.flatMap((person) => (person.away ? [person.alias] : []));
    return `${one.day.slice(5)} ${one.name}${away.length > 0 ? `（${away.join('、')}不在岗）` : ''}`;
  });
  if (gaps.length > 0 && !force) throw gapsLeft(gaps);
  await tx.execute(
    sql`update duty_shift set published_at = now(), version = version + 1, gmt_modified = now() where id = any(${sql.param(drafts.map((one) => one.id))}::int[])`,
  );
  const people = [...new Set(drafts.flatMap((one) => one.people.map((person) => person.id)))];
  const page = `/schedule/duty?month=${month}`;
  await announce(
    tx,
    dutyNews.DUTY_PUBLISHED,
    drafts[0]!,
    { title: `${month} 值班表已发布`, content: '请查看您的班次，并可加入日历', page, by: user.id },
    people,
  );
  changed(tx, 'leader', [everybody]);
  audit({ type: '值班表', title: month, after: { 发布班次: drafts.length, 缺人: gaps.length } });
  return { count: drafts.length };
}

const titleOf = (shift: Pick<Found, 'day' | 'name'>) => `${shift.day} ${shift.name}`;
export const named = (shift: Pick<Found, 'people'>) =>
  shift.people.map((one) => `${one.alias}（${dutyPost.label(one.post)}）`).join('、') || '无';
/** Replaces people of a shift by others; of a published shift the former people are kept. */
export async function setPeople(
  context: Pick<Asked, 'tx' | 'user'>,
  shift: Found,
  out: readonly number[],
  into: readonly { user_id: number; post: number }[],
  source: 2 | 3,
  reason: string,
): Promise<Found> {
  const { tx, user } = context;
  const { id: shift_id, start_time, end_time } = shift;
  if (out.length > 0)
    await tx
      .delete(dutyPersonTable)
      .where(and(eq(dutyPersonTable.shift_id, shift_id), sql`user_id = any(${sql.param([...out])}::int[])`));
  if (into.length > 0)
    await tx
      .insert(dutyPersonTable)
      .values(into.map((one) => ({ ...one, shift_id, start_time, end_time, source })))
      .catch(refuseOn('duty_person_shift_id_user_id_pk', seatedTwice));
  await tx.update(shiftTable).set(touched(shiftTable)).where(eq(shiftTable.id, shift_id));
  const after = await requireShift(context, shift_id);
  if (shift.state > shiftState.draft)
    await tx
      .insert(dutyChangeTable)
      .values({ shift_id, by: user.id, was: named(shift).slice(0, 500), becomes: named(after).slice(0, 500), reason });
  changed(tx, 'leader', [everybody]);
  return after;
}

/** Named in refusals to those who see a shift but may not change it. */
const keepers = '管理这个方案的人';

/** Changes the people of a shift; for a post that is sent, people who are not listed are removed. */
export async function change(context: Asked, id: number, body: BodyOf<typeof dutyCalls.change>) {
  const { tx, now } = context;
  await lockRosters(tx);
  const shift = await requireShift(context, id, true);
  if (!shift.manages) throw notYours('调整人员', keepers);
  checkVersion('班次', shift, body.version, shift);
  if (momentOf(shift.end_time) <= now || shift.state > shiftState.running)
    throw notNow(standsAs(shift, '已经结束'), '调整人员');
  const cards = await peopleByName(
    tx,
    postKeys.flatMap((key) => body[key] ?? []),
  );
  const wanted = postKeys.flatMap((key, at) =>
    (body[key] ?? shift.people.filter((one) => one.post === at + 1).map((one) => one.username)).map((name) => {
      const user_id = cards.get(name)?.id ?? shift.people.find((one) => one.username === name)?.id;
      if (user_id === undefined) throw unknownPerson(name);
      return { user_id, post: at + 1 };
    }),
  );
  const same = (a: { user_id: number; post: number }) =>
    shift.people.some((one) => one.id === a.user_id && one.post === a.post);
  const into = wanted.filter((one) => !same(one));
  const out = shift.people
    .filter((one) => !wanted.some((other) => other.user_id === one.id && other.post === one.post))
    .map((one) => one.id);
  if (into.length === 0 && out.length === 0) return { id };
  if (body.force && body.reason === '') throw noReason('安排范围外的人');
  await requireFit(
    tx,
    into.map((one) => ({ ...one, shift, gives: id })),
    body.force,
  );
  const after = await setPeople(context, shift, out, into, 2, body.reason);
  await tellChange(context, shift, after, [...out, ...into.map((one) => one.user_id)], body.reason);
  return { id };
}

/** Records a change of a shift's people in the operation log, and notifies former and present people if the shift is published. */
async function tellChange(
  { tx, user, audit }: Asked,
  shift: Found,
  after: Found,
  hear: readonly number[],
  reason: string,
) {
  if (shift.state > shiftState.draft) {
    await tellVoid(tx, shift, user.id);
    const leads = after.people.filter((one) => one.post === dutyPost.lead).map((one) => one.id);
    const content = `${spanText(shift)}：${named(after)}${reason ? `，原因：${reason}` : ''}`;
    const title = `值班调整：${shift.day.slice(5)} ${shift.name}`;
    await announce(tx, dutyNews.DUTY_CHANGED, shift, { title, content, by: user.id }, [...hear, ...leads]);
  }
  audit({
    type: '值班班次',
    id: shift.id,
    title: titleOf(shift),
    before: { 人员: named(shift) },
    after: { 人员: named(after), 原因: reason },
  });
}

/** Moves somebody to another shift in the same post, or exchanges them with somebody there: both shifts change, or neither. */
export async function move(
  context: Asked,
  id: number,
  { user: mover, to, with: other, reason, force }: BodyOf<typeof dutyCalls.move>,
) {
  const { tx } = context;
  if (id === to) throw sameShift();
  await lockRosters(tx);
  const [shift, target] = [await requireShift(context, id, true), await requireShift(context, to, true)];
  for (const one of [shift, target]) {
    if (!one.manages) throw notYours('移动人员', keepers);
    if (!one.movable) throw notNow(standsAs(one, '已经开始'), '移动人员');
  }
  const gives = shift.people.find((one) => one.username === mover);
  if (!gives) {
    const card = (await peopleByName(tx, [mover])).get(mover);
    throw card ? movedBefore(card.alias, titleOf(shift)) : unknownPerson(mover);
  }
  const { post } = gives;
  const back =
    other === undefined ? undefined : target.people.find((one) => one.username === other && one.post === post);
  if (other !== undefined && !back) throw swapUnfit(`对方在 ${target.day} 没有同一岗位的班`);
  if (force && reason === '') throw noReason('安排范围外的人');
  const seat = (user_id: number) => [{ user_id, post }];
  const placed = [
    { user_id: gives.id, post, shift: target, gives: id },
    ...(back ? [{ user_id: back.id, post, shift, gives: to }] : []),
  ];
  await requireFit(tx, placed, force);
  if (back)
    await tx.delete(dutyPersonTable).where(and(eq(dutyPersonTable.shift_id, to), eq(dutyPersonTable.user_id, back.id)));
  const left = await setPeople(context, shift, [gives.id], back ? seat(back.id) : [], 2, reason);
  const after = await setPeople(context, target, [], seat(gives.id), 2, reason);
  const both = [gives.id, ...(back ? [back.id] : [])];
  await tellChange(context, shift, left, both, reason);
  await tellChange(context, target, after, both, reason);
  return { id };
}

/** Cancels a published shift: it stays with its reason, its swaps end, and everybody involved is notified. */
export async function cancel(context: Asked, id: number, reason: string) {
  const { tx, user, audit } = context;
  await lockRosters(tx);
  const shift = await requireShift(context, id, true);
  if (!shift.deletes) throw notYours('取消班次', keepers);
  if (shift.state !== shiftState.ahead || momentOf(shift.start_time) <= context.now)
    throw notNow(shift.state === shiftState.ahead ? '已经开始' : shiftState.label(shift.state), '取消');
  await setPeople(
    context,
    shift,
    shift.people.map((one) => one.id),
    [],
    2,
    reason,
  );
  await tx
    .update(shiftTable)
    .set({ cancelled_at: sql`now()` })
    .where(eq(shiftTable.id, id));
  await tellVoid(tx, shift, user.id, `班次已取消，原因：${reason}`);
  const title = `值班取消：${shift.day.slice(5)} ${shift.name}`;
  const content = `${spanText(shift)}，原因：${reason}`;
  await announce(
    tx,
    dutyNews.DUTY_CHANGED,
    shift,
    { title, content, by: user.id },
    shift.people.map((one) => one.id),
  );
  audit({ type: '值班班次', id, title: titleOf(shift), before: { 人员: named(shift) }, after: { 取消原因: reason } });
  return { id };
}

/** Deletes a draft; a published shift can only be cancelled, with a reason. */
export async function remove(context: Asked, id: number) {
  const { tx, audit } = context;
  await lockRosters(tx);
  const shift = await requireShift(context, id, true);
  if (!shift.deletes) throw notYours('删除班次', keepers);
  if (shift.state > shiftState.draft) throw alreadyOut();
  await tx.delete(shiftTable).where(eq(shiftTable.id, id));
  changed(tx, 'leader', [everybody]);
  audit({ type: '值班班次', id, title: titleOf(shift), before: { 人员: named(shift) } });
  return { id };
}
