import { and, eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { tell } from '#modules/messages/service.ts';
import { approves, obstacles, requireRoom, takeRoom } from '#modules/rooms/service.ts';
import type { meetCalls } from '../contract/meetings.ts';
import { officeMoves, periodText } from '../contract/refusals.ts';
import { meetings, module, type Meet } from '../record/record.ts';
import { moveSlot } from '../record/slot.ts';
import { columnsOf } from '../record/writing.ts';
import { datesIn } from './scope.ts';
import { inStep } from './series.ts';
import { meetTable } from '../tables.ts';
import { endChange } from '../acts/cancel.ts';
import { openFor, type Asked, type Opened } from '../acts/context.ts';
import { changeForLeaders } from '../acts/leaders.ts';
import { newsOf, toldOf } from '../acts/notice.ts';
import { expand } from '../acts/people.ts';
import { told } from '../acts/told.ts';

type Body = BodyOf<typeof meetCalls.edit>;
const what = { act: '修改', act_state: [1, 4], when: '待审、已通过且尚未召开的会议可以修改' } as const;
const later = (at: string, by: number) => momentText(new Date(momentOf(at).getTime() + by));

/** Changes several dates of a repeat that are to come: words and people of all, the time of those that nobody moved by themselves. */
export async function editDates(context: Asked, id: number, body: Body) {
  const {
    scope,
    reason,
    tell: _tell,
    version: _version,
    materials: _m,
    topics: _t,
    guests: _g,
    confirm: _c,
    ...input
  } = body;
  const { tx, user } = context;
  const ids = await datesIn(tx, id, scope);
  const opened: Opened[] = [];
  for (const date of ids) opened.push(await openFor(context, date, what));
  const base = opened.find(({ row }) => row.id === id)?.row ?? opened[0]!.row;
  const { room_id, start_time, end_time, ...words } = input;
  const people = ['host_id', 'recorder_id', 'audience', 'observers'].some((key) => key in words);
  const rows: Meet[] = [];
  for (const { row } of opened) {
    const columns = await columnsOf(tx, words, row);
    const after = Object.keys(columns).length > 0 ? await meetings.set(tx, row, columns) : row;
    if (people && after.act_state === 4) {
      await expand(tx, after);
      await changeForLeaders(tx, after, user.id);
    }
    rows.push(after);
  }
  const left = await shift(context, opened, rows, base, { room_id, start_time, end_time }, reason);
  context.audit({ ...meetings.standing(base, base), after: { 范围: scope, 修改次数: rows.length } });
  return { id, act_state: base.act_state, change: null, left };

  /** Moves those that can be; whatever stands in the way of one stays, and so does that one. */
  async function shift(
    { now }: Asked,
    all: readonly Opened[],
    dates: readonly Meet[],
    from: Meet,
    to: Pick<Body, 'room_id' | 'start_time' | 'end_time'>,
    why: string,
  ) {
    const start = to.start_time ?? from.start_time!;
    const end = to.end_time ?? from.end_time!;
    const by = momentOf(start).getTime() - momentOf(from.start_time!).getTime();
    const length = momentOf(end).getTime() - momentOf(start).getTime();
    const room = to.room_id === undefined ? from.room_id : to.room_id;
    const same = by === 0 && end === from.end_time && room === from.room_id;
    if (same) return [];
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
      const reasonNot = why_not[at];
      if (reasonNot) stays.push({ start_time: row.start_time!, reason: reasonNot });
      else moved.push(await moveOne(row, { ...next[at]!, room_id: room }));
    }
    if (moved.length > 0 && moved[0]!.act_state === 4) await tellOnce(moved, dates, why);
    return stays;

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

  async function tellOnce(moved: readonly Meet[], before: readonly Meet[], why: string) {
    const first = moved.toSorted((a, b) => (a.start_time! < b.start_time! ? -1 : 1))[0]!;
    const was = before.find((row) => row.id === first.id)!;
    const said = `重复会议中的 ${moved.length} 次改期，最近一次原为 ${periodText(was.start_time, was.end_time)}，现为 ${periodText(first.start_time, first.end_time)}。${why && `原因：${why}。`}请重新回复能否参加。`;
    await tell(tx, newsOf(first, 'MEET_CHANGE', said, user.id, '会议变更'), await toldOf(tx, first.id));
  }
}
