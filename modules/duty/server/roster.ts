import { checkVersion } from '#kernel/server/db/version.ts';
import { and, eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { touched } from '#kernel/server/db/version.ts';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import { peopleByName } from '#modules/people/service.ts';
import type { dutyCalls } from '../contract.ts';
import { lastOf, nameOf, postKeys, posts, spanText } from '../contract/codes.ts';
import { gapsLeft, noReason, notNow, nothingToPublish, unknownPerson } from '../contract/refusals.ts';
import { dutyChangeTable, dutyPersonTable, shiftTable } from '../tables.ts';
import { lockRosters, reaches, requireFit, requireShift, shiftsFor, type Asked, type Found } from './shifts.ts';
import { tellOf, tellVoid } from './told.ts';

/** Publishes what is drawn up of a month: from then on everybody sees it. */
export async function publish({ tx, user, audit }: Asked, { month, plan_id, force }: BodyOf<typeof dutyCalls.publish>) {
  await lockRosters(tx);
  const drafts = await shiftsFor(
    tx,
    user,
    sql`published_at is null and day between ${`${month}-01`} and ${lastOf(month)}
    and ${reaches(user, 'Update')} and (${plan_id ?? null}::int is null or plan_id = ${plan_id ?? null})`,
  );
  if (drafts.length === 0) throw nothingToPublish(month);
  const gaps = drafts.filter((one) => one.gap > 0).map((one) => `${one.day.slice(5)} ${one.name}`);
  if (gaps.length > 0 && !force) throw gapsLeft(gaps);
  await tx.execute(
    sql`update duty_shift set published_at = now(), version = version + 1, gmt_modified = now() where id = any(${sql.param(drafts.map((one) => one.id))}::int[])`,
  );
  const people = [...new Set(drafts.flatMap((one) => one.people.map((person) => person.id)))];
  const webPath = `/schedule/duty?month=${month}`;
  await tellOf(
    tx,
    drafts[0]!,
    'DUTY_PUBLISHED',
    { title: `${month} 值班表已发布`, content: '请查看您的班次，并可加入日历', webPath, senderId: user.id },
    people,
  );
  changed(tx, 'leader', [everybody]);
  audit({ type: '值班表', title: month, after: { 发布班次: drafts.length, 缺人: gaps.length } });
  return { count: drafts.length };
}

const named = (shift: Pick<Found, 'people'>) =>
  shift.people.map((one) => `${one.alias}（${nameOf(posts, one.post)}）`).join('、') || '无';
/** Writes who has a shift from now on, in place of some who had it; what was published keeps what it was. */
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
    await tx.insert(dutyPersonTable).values(into.map((one) => ({ ...one, shift_id, start_time, end_time, source })));
  await tx.update(shiftTable).set(touched(shiftTable)).where(eq(shiftTable.id, shift_id));
  const after = await requireShift(context, shift_id);
  if (shift.state > 0)
    await tx
      .insert(dutyChangeTable)
      .values({ shift_id, by: user.id, was: named(shift).slice(0, 500), becomes: named(after).slice(0, 500), reason });
  changed(tx, 'leader', [everybody]);
  return after;
}

/** Changes who has a shift; whoever is left out of a post that is sent goes. */
export async function change(context: Asked, id: number, body: BodyOf<typeof dutyCalls.change>) {
  const { tx, user, now, audit } = context;
  await lockRosters(tx);
  const shift = await requireShift(context, id, true);
  if (!shift.manages) throw absent('班次');
  checkVersion('班次', shift, body.version, shift);
  if (momentOf(shift.end_time) <= now || shift.state > 2) throw notNow('已经结束', '调整人员');
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
  if (body.force && body.reason === '') throw noReason('安排范围外的人');
  await requireFit(
    tx,
    into.map((one) => ({ ...one, shift })),
    [id],
    body.force,
  );
  const after = await setPeople(context, shift, out, into, 2, body.reason);
  if (shift.state > 0) {
    await tellVoid(tx, shift, user.id);
    const hears = [
      ...out,
      ...into.map((one) => one.user_id),
      ...after.people.filter((one) => one.post === 1).map((one) => one.id),
    ];
    const content = `${spanText(shift)}：${named(after)}${body.reason ? `，原因：${body.reason}` : ''}`;
    await tellOf(
      tx,
      shift,
      'DUTY_CHANGED',
      { title: `值班调整：${shift.day.slice(5)} ${shift.name}`, content, senderId: user.id },
      hears,
    );
  }
  audit({
    type: '值班班次',
    id,
    title: `${shift.day} ${shift.name}`,
    before: { 人员: named(shift) },
    after: { 人员: named(after), 原因: body.reason },
  });
  return { id };
}

export async function remove(context: Asked, id: number) {
  const { tx, user, now, audit } = context;
  await lockRosters(tx);
  const shift = await requireShift(context, id, true);
  if (!shift.deletes) throw absent('班次');
  if (shift.state > 1 || momentOf(shift.start_time) <= now) throw notNow('已经开始', '删除');
  await tx.delete(dutyPersonTable).where(eq(dutyPersonTable.shift_id, id));
  if (shift.state > 0) {
    await tellVoid(tx, shift, user.id);
    await tellOf(
      tx,
      shift,
      'DUTY_CHANGED',
      {
        title: `值班取消：${shift.day.slice(5)} ${shift.name}`,
        content: spanText(shift),
        webPath: `/schedule/duty?month=${shift.day.slice(0, 7)}`,
        senderId: user.id,
      },
      shift.people.map((one) => one.id),
    );
  }
  await tx.delete(shiftTable).where(eq(shiftTable.id, id));
  changed(tx, 'leader', [everybody]);
  audit({ type: '值班班次', id, title: `${shift.day} ${shift.name}`, before: { 人员: named(shift) } });
  return { id };
}
