import { and, asc, eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import { changed, everybody } from '#kernel/server/live/changes.ts';
import { attachAll, fileCards } from '#modules/platform/files/service.ts';
import { announce, closeTodo } from '#modules/platform/messages/service.ts';
import type { dutyCalls } from '../contract.ts';
import { dutyPost, entryKind, incident, missed, shiftState, spanText } from '../contract/codes.ts';
import {
  emptyLog,
  leavesEarly,
  noReason,
  notHandedOver,
  notNow,
  notYours,
  openMatters,
  outside,
  unknownEntry,
} from '../contract/refusals.ts';
import { dutyChangeTable, entryTable, handoverTable, shiftTable } from '../tables.ts';
import { lockRosters, requireShift, withAway, type Asked, type Found } from './shifts.ts';
import { swapsOf } from './swaps.ts';
import { dutyNews } from './told.ts';

const e = entryTable;
const alias = (of: typeof e.by | typeof handoverTable.by | typeof dutyChangeTable.by | typeof shiftTable.taken_by) =>
  sql<string>`(select alias from app_user where app_user.id = ${of})`;
const handled = sql<boolean>`(duty_entry.handled or exists (select from duty_entry later where later.closes = duty_entry.id))`;
/** The time before its start from which a shift may be taken over, in milliseconds. */
const early = 30 * 60_000;
export type Read = Pick<Asked, 'tx' | 'user' | 'now'>;

/** Entries written in a shift, and those carried over from the one before. */
export const entriesOf = (tx: Db, shift: number) =>
  tx
    .select({
      id: e.id,
      shift_id: e.shift_id,
      kind: e.kind,
      at: e.at,
      content: e.content,
      from: e.from,
      told: e.told,
      urgent: e.urgent,
      handled,
      by_name: alias(e.by),
      files: e.files,
      late_reason: e.late_reason,
    })
    .from(e)
    .where(sql`${e.shift_id} = ${shift} or ${e.id} = any((select carried from duty_shift where id = ${shift})::int[])`)
    .orderBy(asc(e.at), asc(e.id))
    .limit(500);

function actionsOf(shift: Found, user: Asked['user'], now: Date): string[] {
  const [began, over] = [momentOf(shift.start_time) <= now, momentOf(shift.end_time) <= now];
  const inside = shift.mine || shift.manages;
  return [
    ...(shift.manages && !over && shift.state < shiftState.over ? ['update'] : []),
    ...(shift.deletes && shift.state === shiftState.draft ? ['delete'] : []),
    ...(shift.deletes && !began && shift.state === shiftState.ahead ? ['cancel'] : []),
    ...(shift.state === shiftState.ahead && !began && inside ? ['swap'] : []),
    ...(shift.state === shiftState.ahead &&
    !over &&
    inside &&
    momentOf(shift.start_time).getTime() - early <= now.getTime()
      ? ['take']
      : []),
    ...(shift.state === shiftState.running && inside
      ? [
          'log',
          ...(began && (shift.manages || momentOf(shift.end_time).getTime() - early <= now.getTime())
            ? ['handover']
            : []),
        ]
      : []),
    ...(shift.state === missed && inside ? ['late'] : []),
  ];
}

export async function one({ tx, user, now }: Read, id: number) {
  const [shift] = (await withAway(tx, [await requireShift({ tx, user }, id)])) as [Found];
  const [handover = null] = await tx
    .select({
      by_name: alias(handoverTable.by),
      at: handoverTable.at,
      note: handoverTable.note,
      open: handoverTable.open,
      signature: handoverTable.signature,
    })
    .from(handoverTable)
    .where(eq(handoverTable.shift_id, id));
  const [taken] = await tx
    .select({
      by_name: alias(shiftTable.taken_by),
      at: shiftTable.taken_at,
      note: shiftTable.taken_note,
      signature: shiftTable.taken_signature,
    })
    .from(shiftTable)
    .where(eq(shiftTable.id, id));
  const { at, becomes, was, reason } = dutyChangeTable;
  const changes = await tx
    .select({ at, becomes, was, reason, by_name: alias(dutyChangeTable.by) })
    .from(dutyChangeTable)
    .where(eq(dutyChangeTable.shift_id, id))
    .orderBy(asc(dutyChangeTable.id))
    .limit(100);
  const log = shift.reads ? await entriesOf(tx, id) : [];
  const files = [...log.flatMap((one) => one.files), handover?.signature ?? [], taken?.signature ?? []].flat();
  const cards = await fileCards(tx, shift.reads ? files : [], user);
  const drawn = (file: number | null | undefined) => cards.get(file ?? 0) ?? null;
  return {
    ...shift,
    log: log.map((one) => ({ ...one, files: one.files.flatMap((file) => cards.get(file) ?? []) })),
    handover: shift.reads && handover ? { ...handover, signature: drawn(handover.signature) } : null,
    taken: taken?.at
      ? { ...taken, at: taken.at, note: shift.reads ? taken.note : '', signature: drawn(taken.signature) }
      : null,
    changes: shift.reads ? changes : changes.map((row) => ({ ...row, reason: '' })),
    swaps: await swapsOf(tx, user, id),
    actions: actionsOf(shift, user, now),
  };
}

/** A shift under way, for its people or the office in their place; with `late`, also one that nobody took over. */
async function underWay(context: Asked, id: number, act: string, late = false): Promise<Found> {
  const shift = await requireShift(context, id, true);
  if (!shift.mine && !shift.manages) throw notYours(act, '这一班的值班人');
  if (shift.state !== shiftState.running && !(late && shift.state === missed))
    throw notNow(shift.state > shiftState.running ? shiftState.label(shift.state) : '还没有接班', act);
  return shift;
}

export async function write(
  context: Asked,
  id: number,
  { at: asked, closes, late_reason, ...body }: BodyOf<typeof dutyCalls.log>,
) {
  const { tx, user, now, audit } = context;
  const shift = await underWay(context, id, '记日志', true);
  const late = shift.state === missed;
  if (late && late_reason === '') throw noReason('补登');
  const at = asked ?? momentText(now);
  const [first, last] = [new Date(momentOf(shift.start_time).getTime() - early), late ? momentOf(shift.end_time) : now];
  if (momentOf(at) < first || momentOf(at) > last)
    throw outside(momentText(first).slice(0, 16), momentText(last).slice(0, 16));
  if (closes && !(await entriesOf(tx, id)).some((one) => one.id === closes && !one.handled)) throw unknownEntry();
  const row = {
    ...body,
    at,
    late_reason: late ? late_reason : '',
    handled: body.handled || closes !== undefined,
    closes: closes ?? null,
  };
  const [made] = await tx
    .insert(e)
    .values({ ...row, shift_id: id, by: user.id })
    .returning({ id: e.id })
    .catch(refuseOn('duty_entry_closed', unknownEntry));
  await attachAll(tx, { fileIds: body.files, module: 'duty', recordId: id, user });
  const title = `${shift.day} ${shift.name}`;
  if (body.urgent && !late) {
    const leads = shift.people.filter((one) => one.post === dutyPost.lead).map((one) => one.id);
    const news = {
      title: `${body.kind === incident ? '突发情况' : '紧急情况'}：${title}`,
      content: body.content,
      by: user.id,
      occasion: `entry ${made!.id}`,
    };
    await announce(tx, dutyNews.DUTY_URGENT, shift, news, [...leads, shift.keeper_id]);
  }
  changed(tx, 'leader', [everybody]);
  audit({
    type: '值班日志',
    id: made!.id,
    title,
    after: {
      类别: entryKind.label(body.kind),
      情况: body.content,
      已办结: row.handled,
      照片: body.files.length,
      补登原因: row.late_reason,
    },
  });
  return { id: made!.id };
}

/** Attaches a drawn signature to the shift. */
async function signedBy({ tx, user }: Asked, id: number, signature: number | undefined): Promise<number | null> {
  if (signature === undefined) return null;
  await attachAll(tx, { fileIds: [signature], module: 'duty', recordId: id, user });
  return signature;
}

/** Ends a shift: every entry is either closed or passed on. */
export async function handOver(
  context: Asked,
  id: number,
  { open, note, signature }: BodyOf<typeof dutyCalls.handOver>,
) {
  const { tx, user, now, audit } = context;
  const shift = await underWay(context, id, '交班');
  if (momentOf(shift.start_time) > now) throw notNow('还没有开始', '交班');
  if (!shift.manages && momentOf(shift.end_time).getTime() - early > now.getTime())
    throw leavesEarly(shift.end_time.slice(11, 16));
  const log = await entriesOf(tx, id);
  if (!log.some((one) => one.shift_id === id)) throw emptyLog();
  const waiting = log.filter((one) => !one.handled);
  if (open.some((one) => !waiting.some((entry) => entry.id === one))) throw unknownEntry();
  const left = waiting.filter((entry) => !open.includes(entry.id));
  if (left.length > 0) throw openMatters(left.map((one) => one.content.slice(0, 20)));
  await tx
    .insert(handoverTable)
    .values({ shift_id: id, by: user.id, note, open, signature: await signedBy(context, id, signature) });
  const { rows } = await tx.execute<{ id: number; version: number; people: number[] }>(
    sql`select id, version, array(select user_id from duty_person d where d.shift_id = s.id and d.post > ${inSql(dutyPost.lead)}) people from duty_shift s
      where plan_id = ${shift.plan_id} and published_at is not null and cancelled_at is null and start_time >= ${shift.end_time}::timestamptz order by start_time limit 1`,
  );
  const news = {
    title: `上一班已交班：${shift.name}`,
    content: open.length > 0 ? `移交 ${open.length} 项未办结事项，请接班` : '请接班',
    by: user.id,
  };
  if (rows[0]) await announce(tx, dutyNews.DUTY_TAKE, rows[0], news, rows[0].people);
  changed(tx, 'leader', [everybody]);
  audit({ type: '值班交班', id, title: `${shift.day} ${shift.name}`, after: { 移交事项: open.length, 说明: note } });
  return { id };
}

/** Begins a shift with all entries still open from before. A second take-over from another device is refused. */
export async function takeOver(context: Asked, id: number, { result, signature }: BodyOf<typeof dutyCalls.takeOver>) {
  const { tx, user, now, audit } = context;
  await lockRosters(tx);
  const shift = await requireShift(context, id, true);
  if (!shift.mine && !shift.manages) throw notYours('接班', '这一班的值班人');
  const why =
    ['尚未发布', '', '已经接班', '已经交班', '已经结束', '已取消'][shift.state] ||
    (momentOf(shift.start_time).getTime() - early > now.getTime() ? '还有半小时以上才开始' : '');
  if (why) throw notNow(why, '接班');
  const earlier = sql`plan_id = ${shift.plan_id} and start_time < ${shift.start_time}::timestamptz`;
  const { rows } = await tx.execute<{ start_time: string; end_time: string }>(
    sql`select left(start_time::text, 19) start_time, left(end_time::text, 19) end_time from duty_shift where ${earlier} and taken_at is not null
      and not exists (select from duty_handover h where h.shift_id = duty_shift.id) and start_time > now() - interval '7 days' order by start_time desc limit 1`,
  );
  if (rows[0] && !shift.manages) throw notHandedOver(spanText(rows[0]));
  const carried = sql`array(select id from duty_entry where shift_id in (select id from duty_shift where ${earlier}) and not ${handled})`;
  await tx
    .update(shiftTable)
    .set({
      taken_by: user.id,
      taken_at: sql`now()`,
      taken_note: result,
      taken_signature: await signedBy(context, id, signature),
      carried,
      ...touched(shiftTable),
    })
    .where(and(eq(shiftTable.id, id)));
  await closeTodo(tx, { module: 'duty', objectId: id, events: ['DUTY_LATE', 'DUTY_TAKE'] });
  await announce(
    tx,
    dutyNews.DUTY_TAKE,
    { id, version: 0 },
    {
      title: `已接班：${shift.day.slice(5)} ${shift.name}`,
      content: result || spanText(shift),
      occasion: 'taken',
      by: user.id,
    },
    shift.people.filter((one) => one.post === dutyPost.lead).map((one) => one.id),
  );
  changed(tx, 'leader', [everybody]);
  audit({ type: '值班接班', id, title: `${shift.day} ${shift.name}`, after: { 接班情况: result } });
  return { id };
}
