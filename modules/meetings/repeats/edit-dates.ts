import { and, eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { checkVersion } from '#kernel/server/db/version.ts';
import { tell } from '#modules/messages/service.ts';
import { approves, obstacles, requireRoom, takeRoom } from '#modules/rooms/service.ts';
import type { meetCalls } from '../contract/meetings.ts';
import { notYours, officeMoves, ofOneDate, periodText } from '../contract/refusals.ts';
import { refuseBeyond } from '../record/calling.ts';
import { faultsOf, meetings, module, type Meet } from '../record/record.ts';
import { moveSlot } from '../record/slot.ts';
import { columnsOf, countAsked } from '../record/writing.ts';
import { datesIn } from './scope.ts';
import { inStep } from './series.ts';
import { meetTable } from '../tables.ts';
import { endChange } from '../acts/cancel.ts';
import { openFor, type Asked, type Opened } from '../acts/context.ts';
import { changeForLeaders } from '../acts/leaders.ts';
import { markTold, newsOf, toldOf, whenWhere } from '../acts/notice.ts';
import { expand } from '../acts/people.ts';
import { told } from '../acts/told.ts';

type Body = BodyOf<typeof meetCalls.edit>;
const what = { act: '修改', act_state: [1, 4], when: '待审、已通过且尚未召开的会议可以修改' } as const;
const later = (at: string, by: number) => momentText(new Date(momentOf(at).getTime() + by));

/** Changes several dates of a repeat that are to come: words and people of all, the time of those that nobody moved by themselves. */
export async function editDates(context: Asked, id: number, body: Body) {
  const { scope, reason, tell: _tell, version, materials, topics, guests, confirm: _c, ...input } = body;
  const { tx, user } = context;
  const ids = await datesIn(tx, id, scope);
  if (ids.length > 1 && (materials ?? topics ?? guests)) throw ofOneDate();
  const opened: Opened[] = [];
  for (const date of ids) opened.push(await openFor(context, date, what));
  const base = opened.find(({ row }) => row.id === id)?.row ?? opened[0]!.row;
  checkVersion('会议', base, version, base);
  const { room_id, start_time, end_time, ...words } = input;
  const people = ['host_id', 'recorder_id', 'audience', 'observers'].some((key) => key in words);
  const moves = people || [room_id, start_time, end_time, words.location].some((one) => one !== undefined);
  if (moves && !opened.every(({ leads }) => leads)) throw notYours('调整时间、会议室和人员', '会议发起人或会务人员');
  const rows: Meet[] = [];
  const asked = new Map<number, { row: Meet; dates: number }>();
  const dropped = new Set<number>();
  for (const { row } of opened) {
    const columns = await columnsOf(tx, words, row);
    if (columns.audience) await refuseBeyond(tx, user, row, columns.audience);
    const after = Object.keys(columns).length > 0 ? await meetings.set(tx, row, columns) : row;
    if (people) await countAsked(tx, after);
    if (people && after.act_state === 4) {
      const told = (await toldOf(tx, row.id)).length > 0;
      const people = await expand(tx, after);
      for (const one of told ? await markTold(tx, row.id, people.added) : [])
        asked.set(one, { row: asked.get(one)?.row ?? after, dates: (asked.get(one)?.dates ?? 0) + 1 });
      for (const one of people.dropped) if (one.told) dropped.add(one.user_id);
      await changeForLeaders(tx, after, user.id);
    }
    rows.push(after);
  }
  for (const [person, { row, dates }] of asked)
    await tell(
      tx,
      newsOf(
        row,
        'MEET_NOTICE',
        `重复会议，请您参加其中 ${dates} 次，首次 ${periodText(row.start_time, row.end_time)}。请逐次回复能否参加。`,
        user.id,
      ),
      [person],
    );
  await tell(tx, newsOf(base, 'MEET_CANCEL', '重复会议的参会人员有调整，请不必再来。', user.id, '不必参加'), [
    ...dropped,
  ]);
  const { stays, moved } = await shift(context, opened, rows, base, { room_id, start_time, end_time });
  const placed = rows.filter(
    (row) =>
      row.room_id === null && row.location !== wasOf(row).location && !moved.some((other) => other.id === row.id),
  );
  for (const row of placed) await told(tx, 'moved', row, { before: wasOf(row), by: user.id, quiet: true });
  await tellOnce([...moved, ...placed]);
  context.audit({ ...meetings.standing(base, base), after: { 范围: scope, 修改次数: rows.length } });
  return { id, act_state: base.act_state, change: null, left: stays };

  function wasOf({ id: date }: Meet): Meet {
    return opened.find(({ row }) => row.id === date)!.row;
  }

  /** Moves those that can be; whatever stands in the way of one stays, and so does that one. */
  async function shift(
    { now }: Asked,
    all: readonly Opened[],
    dates: readonly Meet[],
    from: Meet,
    to: Pick<Body, 'room_id' | 'start_time' | 'end_time'>,
  ): Promise<{ stays: { start_time: string; reason: string }[]; moved: Meet[] }> {
    const start = to.start_time ?? from.start_time!;
    const end = to.end_time ?? from.end_time!;
    const by = momentOf(start).getTime() - momentOf(from.start_time!).getTime();
    const length = momentOf(end).getTime() - momentOf(start).getTime();
    const room = to.room_id === undefined ? from.room_id : to.room_id;
    const same = by === 0 && end === from.end_time && room === from.room_id;
    if (same) return { stays: [], moved: [] };
    const errors = faultsOf({ ...from, start_time: start, end_time: end, room_id: room }, now);
    if (errors.length > 0) throw invalid(errors);
    if (room !== null) {
      const wanted = await requireRoom(tx, room);
      if (approves(wanted) && !all.every(({ office }) => office)) throw officeMoves(wanted.name);
    }
    // The last first where they go later: each makes room for the one before it.
    const moving = dates.filter(inStep).toSorted((a, b) => a.start_time!.localeCompare(b.start_time!));
    if (by > 0) moving.reverse();
    const next = moving.map((row) => {
      const begins = later(row.start_time!, by);
      return { start_time: begins, end_time: later(begins, length) };
    });
    const records = moving.map((row) => row.id);
    const why_not =
      room === null ? next.map(() => null) : await obstacles(tx, room, next, { module, records }, { user, now });
    const stays: { start_time: string; reason: string }[] = [];
    const moved: Meet[] = [];
    for (const [at, row] of moving.entries()) {
      const passed = next[at]!.start_time <= momentText(now);
      const reasonNot = passed ? `${next[at]!.start_time.slice(0, 16)} 已经过去` : why_not[at];
      if (reasonNot) stays.push({ start_time: row.start_time!, reason: reasonNot });
      else moved.push(await moveOne(row, { ...next[at]!, room_id: room }));
    }
    return { stays, moved };

    async function moveOne(row: Meet, place: { start_time: string; end_time: string; room_id: number | null }) {
      await endChange(context, row, '会议已直接改期');
      const after = await meetings.set(tx, row, place);
      await tx
        .update(meetTable)
        .set({ original_start: place.start_time })
        .where(
          and(
            eq(meetTable.id, row.id),
            sql`not exists (select from meet o where o.series_id = ${row.series_id} and o.original_start = ${place.start_time}::timestamptz)`,
          ),
        );
      if (row.room_id === null && place.room_id !== null)
        await takeRoom(
          tx,
          { module, record_id: row.id, slot: '' },
          { ...place, room_id: place.room_id },
          { user, now },
        );
      else await moveSlot(tx, after, { user, now });
      await told(tx, 'moved', after, { before: row, by: user.id, quiet: true });
      return after;
    }
  }

  /** Says once what became of all of them, by the first that is to come. */
  async function tellOnce(dates: readonly Meet[]) {
    const [first] = dates.toSorted((a, b) => a.start_time!.localeCompare(b.start_time!));
    if (!first || first.act_state !== 4) return;
    const was = wasOf(first);
    const again = first.start_time !== was.start_time || first.end_time !== was.end_time;
    const said = `重复会议中的 ${dates.length} 次有变更，最近一次原为 ${await whenWhere(tx, was)}；现为 ${await whenWhere(tx, first)}。${reason && `原因：${reason}。`}${again ? '请重新回复能否参加。' : ''}`;
    await tell(tx, newsOf(first, 'MEET_CHANGE', said, user.id, '会议变更'), await toldOf(tx, first.id));
  }
}
