import { and, eq, sql, type AnyColumn, type SQL } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { momentOf } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { touched } from '#kernel/server/db/version.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { announce, closeTodo } from '#modules/platform/messages/service.ts';
import { peopleByName } from '#modules/platform/people/service.ts';
import type { dutyCalls, Swap } from '../contract.ts';
import { dutyPost, dutySource, shiftState, spanText, swapActs, swapState } from '../contract/codes.ts';
import {
  notNow,
  notYours,
  swapMoved,
  swapOpen,
  swapUnanswered,
  swapUnfit,
  unknownPerson,
} from '../contract/refusals.ts';
import { dutyPersonTable, planTable, shiftTable, swapTable } from '../tables.ts';
import { setPeople } from './roster.ts';
import { lockRosters, reaches, requireFit, requireShift, standsAs, visible, type Asked, type Found } from './shifts.ts';
import { dutyNews } from './told.ts';

const t = swapTable;
type Stored = typeof t.$inferSelect;
type Act = keyof typeof swapActs;

const alias = (of: SQL | AnyColumn) => sql<string>`(select alias from app_user where app_user.id = ${of})`;
/** The acts open on a swap: the other side answers, the requester withdraws, the office confirms or declines an agreed one. */
function actsOf(
  row: Pick<Stored, 'state' | 'from_id' | 'with_id' | 'creator_id'>,
  user: Viewer,
  manages: boolean,
): Act[] {
  if (row.state > swapState.agreed) return [];
  const mine: Act[] = [user.id === row.from_id || user.id === row.creator_id ? ['withdraw' as const] : []].flat();
  if (row.state === swapState.asked) return user.id === row.with_id ? ['agree', 'decline', ...mine] : mine;
  return manages ? ['confirm', 'decline', ...mine] : mine;
}

const select = (tx: Db, user: Viewer, where: SQL) =>
  tx
    .select({
      id: t.id,
      shift_id: t.shift_id,
      post: t.post,
      day: shiftTable.day,
      name: shiftTable.name,
      start_time: shiftTable.start_time,
      end_time: shiftTable.end_time,
      from_name: alias(t.from_id),
      with_name: alias(t.with_id),
      their_day: sql<string | null>`(select day::text from duty_shift other where other.id = ${t.their_shift})`,
      reason: t.reason,
      state: t.state,
      gmt_created: t.gmt_created,
      from_id: t.from_id,
      with_id: t.with_id,
      creator_id: t.creator_id,
      manages: sql<boolean>`${reaches(user, 'Update')}`,
    })
    .from(t)
    .innerJoin(shiftTable, eq(shiftTable.id, t.shift_id))
    .innerJoin(planTable, eq(planTable.id, shiftTable.plan_id))
    .where(
      and(
        visible(user),
        sql`(${user.id} in (${t.from_id}, ${t.with_id}, ${t.creator_id}) or ${reaches(user, 'Retrieve')})`,
        where,
      ),
    )
    .$dynamic();
const shown =
  (user: Viewer) =>
  (row: Awaited<ReturnType<typeof select>>[number]): Swap => ({ ...row, actions: actsOf(row, user, row.manages) });

export async function swaps({ tx, user }: Asked, { category, ...asked }: QueryOf<typeof dutyCalls.swaps>) {
  const todo = sql`(${t.state} = ${inSql(swapState.asked)} and ${t.with_id} = ${user.id} or ${t.state} = ${inSql(swapState.agreed)} and ${reaches(user, 'Update')})`;
  const mine = sql`(${user.id} in (${t.from_id}, ${t.with_id}, ${t.creator_id}) or ${todo})`;
  const where = { mine, todo, all: sql`true` }[category];
  const found = await pageOf(tx, asked, select(tx, user, where), {
    by: { gmt_created: t.gmt_created },
    first: 'gmt_created',
    descending: true,
    tie: t.id,
  });
  return { ...found, value: found.value.map(shown(user)) };
}
export const swapsOf = async (tx: Db, user: Viewer, shift: number): Promise<Swap[]> =>
  (
    await select(tx, user, sql`${shift} in (${t.shift_id}, ${t.their_shift})`)
      .orderBy(t.id)
      .limit(20)
  ).map(shown(user));

interface Sides {
  shift: Found;
  theirs: Found | null;
}
/** Both shifts, which must stand and not have begun; whoever gives one must have it. */
async function sidesOf(
  context: Asked,
  row: Pick<Stored, 'shift_id' | 'their_shift' | 'from_id' | 'with_id' | 'post'>,
): Promise<Sides> {
  const shift = await requireShift(context, row.shift_id, true);
  const theirs = row.their_shift === null ? null : await requireShift(context, row.their_shift, true);
  for (const one of [shift, theirs])
    if (one && (one.state !== shiftState.ahead || momentOf(one.start_time) <= context.now))
      throw notNow(one.state === shiftState.draft ? '尚未发布' : standsAs(one, '已经开始'), '换班');
  const has = (one: Found, person: number) =>
    one.people.some((other) => other.id === person && other.post === row.post);
  if (theirs && !has(theirs, row.with_id)) throw swapUnfit(`对方在 ${theirs.day} 没有同一岗位的班`);
  return { shift, theirs };
}
const fits = (
  tx: Db,
  row: Pick<Stored, 'from_id' | 'with_id' | 'post'>,
  { shift, theirs }: Sides,
  force: true | null,
) =>
  requireFit(
    tx,
    [
      { user_id: row.with_id, post: row.post, shift, gives: theirs?.id },
      ...(theirs ? [{ user_id: row.from_id, post: row.post, shift: theirs, gives: shift.id }] : []),
    ],
    force,
  );

/** Asks somebody to take a shift, in return for one of theirs or for none. A swap that the office makes for others is done at once. */
export async function askSwap(context: Asked, id: number, body: BodyOf<typeof dutyCalls.swap>) {
  const { tx, user, audit } = context;
  await lockRosters(tx);
  const seen = await requireShift(context, id);
  const cards = await peopleByName(tx, [body.with, ...(body.user ? [body.user] : [])]);
  // People who have left still stand on their shifts, so they are looked up there first.
  const onIt = seen.people.find((one) => one.username === body.user);
  const from_id = body.user ? (onIt ?? cards.get(body.user))?.id : user.id;
  if (from_id === undefined) throw unknownPerson(body.user!);
  if (!cards.has(body.with)) throw unknownPerson(body.with);
  const with_id = cards.get(body.with)!.id;
  const post = seen.people.find((one) => one.id === from_id)?.post;
  if (from_id !== user.id && !seen.manages) throw notYours('代他人换班', '办公室');
  if (from_id !== user.id && body.their_shift && !(await requireShift(context, body.their_shift)).manages)
    throw notYours('代他人换班', '两个班次的办公室');
  if (post === undefined) throw notYours('换班', '这一班的值班人');
  if (from_id === with_id) throw swapUnfit('不能换给值班人本人');
  const asked = { shift_id: id, their_shift: body.their_shift ?? null, from_id, with_id, post };
  const sides = await sidesOf(context, asked);
  const byOffice = from_id !== user.id;
  await fits(tx, asked, sides, byOffice || null);
  const [row] = await tx
    .insert(t)
    .values({ ...asked, reason: body.reason, creator_id: user.id })
    .returning();
  const held = [
    [id, from_id],
    [body.their_shift ?? 0, with_id],
  ] as const;
  for (const [shift_id, person] of held.slice(0, sides.theirs ? 2 : 1)) {
    const taken = await tx
      .update(dutyPersonTable)
      .set({ swap_id: row!.id })
      .where(and(eq(dutyPersonTable.shift_id, shift_id), eq(dutyPersonTable.user_id, person), sql`swap_id is null`))
      .returning({ id: dutyPersonTable.shift_id });
    if (taken.length === 0)
      throw swapOpen([...cards.values(), ...seen.people].find((one) => one.id === person)?.alias ?? user.alias);
  }
  const words = `${spanText(sides.shift)}${sides.theirs ? `，换 ${spanText(sides.theirs)}` : ''}，原因：${body.reason}`;
  audit({ type: '值班换班', id: row!.id, title: `${sides.shift.day} ${sides.shift.name}`, after: { 内容: words } });
  if (byOffice) return exchange(context, row!, sides);
  await announce(
    tx,
    dutyNews.DUTY_SWAP,
    sides.shift,
    {
      title: `${user.alias}请您${sides.theirs ? '换班' : '替班'}`,
      content: words,
      occasion: askedIn(row!.id),
      by: user.id,
    },
    [with_id],
  );
  return { id: row!.id, state: swapState.asked };
}

/** Occasions of a swap that ask for an answer: by whom it was asked, and by the office. */
const askedIn = (id: number) => `swap ${id}`;
const agreedIn = (id: number) => `agree ${id}`;

const settle = async (tx: Db, row: Stored, state: number, more: Partial<Stored> = {}) => {
  await tx
    .update(t)
    .set({ state, ...more, ...touched(t) })
    .where(eq(t.id, row.id));
  if (state > swapState.agreed)
    await tx.update(dutyPersonTable).set({ swap_id: null }).where(eq(dutyPersonTable.swap_id, row.id));
  // Others of the same shift may have a swap of their own open.
  const of = [askedIn(row.id), agreedIn(row.id)];
  await closeTodo(tx, { module: 'duty', objectId: row.shift_id, events: ['DUTY_SWAP'], of });
};
/** Exchanges the roster rows, both or none. */
async function exchange(context: Asked, row: Stored, { shift, theirs }: Sides) {
  const { tx, user } = context;
  await settle(tx, row, swapState.swapped, { confirmed_by: user.id });
  const give = (person: number) => ({ user_id: person, post: row.post });
  if (theirs)
    await tx
      .delete(dutyPersonTable)
      .where(and(eq(dutyPersonTable.shift_id, theirs.id), eq(dutyPersonTable.user_id, row.with_id)));
  const after = await setPeople(context, shift, [row.from_id], [give(row.with_id)], dutySource.swapped, row.reason);
  if (theirs) await setPeople(context, theirs, [], [give(row.from_id)], dutySource.swapped, row.reason);
  const leads = after.people.filter((one) => one.post === dutyPost.lead).map((one) => one.id);
  const content = `${spanText(shift)} 由${after.people.find((one) => one.id === row.with_id)!.alias}值班${theirs ? `，${spanText(theirs)} 换回` : ''}`;
  await announce(
    tx,
    dutyNews.DUTY_SWAP,
    shift,
    { title: `已换班：${shift.day.slice(5)} ${shift.name}`, content, occasion: `done ${row.id}`, by: user.id },
    [row.from_id, row.with_id, ...leads],
  );
  return { id: row.id, state: swapState.swapped };
}

export async function answerSwap(context: Asked, id: number, act: Act) {
  const { tx, user, audit } = context;
  await lockRosters(tx);
  const [seen] = await select(tx, user, eq(t.id, id));
  const [row] = seen ? await tx.select().from(t).where(eq(t.id, id)).for('update') : [];
  if (!row || !seen) throw absent('换班申请');
  if (!actsOf(row, user, seen.manages).includes(act)) {
    if (row.state > swapState.agreed || (act === 'agree' && row.state > swapState.asked))
      throw swapMoved(swapState.label(row.state));
    if (act === 'confirm' && seen.manages) throw swapUnanswered(seen.with_name);
    throw notYours(
      swapActs[act],
      { agree: '对方', decline: '对方或办公室', withdraw: '申请人', confirm: '办公室' }[act],
    );
  }
  audit({ type: '值班换班', id, title: `${seen.day} ${seen.name}`, after: { 办理: swapActs[act] } });
  const about = { id: row.shift_id, version: 0 };
  const hears = (title: string, to: number[]) =>
    announce(
      tx,
      dutyNews.DUTY_SWAP,
      about,
      {
        title: `${title}：${seen.day.slice(5)} ${seen.name}`,
        content: row.reason,
        occasion: `${act} ${id}`,
        by: user.id,
      },
      to,
    );
  if (act === 'withdraw' || act === 'decline') {
    const state = act === 'withdraw' ? swapState.withdrawn : swapState.declined;
    await settle(tx, row, state);
    await hears(`换班${swapActs[act]}`, [row.from_id, row.with_id]);
    return { id, state };
  }
  const sides = await sidesOf(context, row);
  await fits(tx, row, sides, null);
  if (act === 'confirm' || !sides.shift.confirms) return exchange(context, row, sides);
  await settle(tx, row, swapState.agreed);
  await hears('换班待确认', [sides.shift.keeper_id]);
  return { id, state: swapState.agreed };
}
