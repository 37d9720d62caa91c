import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentText } from '#kernel/contract/moment.ts';
import { approves, requireRoom } from '#modules/platform/rooms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetStatus } from '../contract/codes.ts';
import { furtherWrong, noRepeat, noSuchDates, officeMoves, periodText } from '../contract/refusals.ts';
import type { series } from '../contract/series.ts';
import { ruleText } from './rule-words.ts';
import { meetings } from '../record/record.ts';
import { addDates, bookDates, inviteAlike } from './series.ts';
import { meetTable, seriesTable } from '../tables.ts';
import { keepForLeaders } from '../acts/leaders.ts';
import { openFor, rightsOn, type Asked } from '../acts/context.ts';

const m = meetTable;

export const seriesHandlers = {
  async get({ params }: { params: { id: number } }, { tx, user }: Asked) {
    const row = await meetings.requireVisible(tx, await meetings.viewerOf(tx, user), params.id);
    if (row.series_id === null) throw noRepeat(row.title);
    const [known] = await tx.select().from(seriesTable).where(eq(seriesTable.id, row.series_id));
    const rows = await tx
      .select({
        id: m.id,
        start_time: sql<string>`${m.start_time}`,
        end_time: sql<string>`${m.end_time}`,
        original_start: sql<string>`${m.original_start}`,
        room_name: sql<string>`coalesce((select r.name from meet_room r where r.id = meet.room_id), '')`,
        meet_status: m.meet_status,
        act_state: m.act_state,
        skipped: m.skipped,
        reason: m.cancel_reason,
      })
      .from(m)
      .where(and(eq(m.series_id, row.series_id), eq(m.is_deleted, false)))
      .orderBy(asc(m.original_start));
    const { runs } = await rightsOn({ tx, user }, row);
    const value = rows.map((one) => {
      const [start_time, end_time, original_start] = [one.start_time, one.end_time, one.original_start].map((at) =>
        at.slice(0, 19),
      );
      return {
        ...one,
        start_time: start_time!,
        end_time: end_time!,
        original_start: original_start!,
        moved: start_time !== original_start,
      };
    });
    return { value, rule: ruleText(known!), actions: runs && row.act_state === actState.finished ? ['book'] : [] };
  },

  /** Books dates that were left out, if the room is free now, or further dates. */
  async book({ params, body }: { params: { id: number }; body: BodyOf<typeof series.book> }, context: Asked) {
    const { tx, now, user, audit } = context;
    const { row, office } = await openFor(context, params.id, {
      act: '增加日期',
      meet_status: [0, 1, 2],
      when: '通过审批的重复会议可以增加日期',
    });
    if (row.series_id === null) throw noRepeat(row.title);
    const { further } = body;
    const wrong = further.find((one) => one.start_time >= one.end_time || one.start_time <= momentText(now));
    if (wrong) throw furtherWrong(periodText(wrong.start_time, wrong.end_time));
    if (further.length > 0 && row.room_id !== null) {
      const room = await requireRoom(tx, row.room_id);
      if (approves(room) && !office) throw officeMoves(room.name);
    }
    const again = await tx
      .update(m)
      .set({ meet_status: meetStatus.coming, skipped: false, cancel_reason: '', act_state: actState.finished })
      .where(
        and(
          eq(m.series_id, row.series_id),
          inArray(m.id, body.ids),
          eq(m.skipped, true),
          isNull(m.ticket_id),
          sql`${m.start_time} > ${momentText(now)}::timestamptz`,
        ),
      )
      .returning({ id: m.id, start_time: m.start_time, end_time: m.end_time });
    if (again.length < new Set(body.ids).size) throw noSuchDates();
    const made = await addDates(tx, row, further);
    const starts = new Set(made.map((one) => one.start_time.slice(0, 16)));
    const there = further.find((one) => !starts.has(one.start_time.slice(0, 16))) ?? further.at(-1);
    if (there && made.length < further.length) throw furtherWrong(periodText(there.start_time, there.end_time));
    const dates = [
      ...again.map((one) => ({ id: one.id, start_time: one.start_time!, end_time: one.end_time! })),
      ...made,
    ];
    const left = await bookDates(tx, row.room_id, dates, 'confirmed', { user, now });
    const out = new Map(left.map((one) => [one.id, one.reason]));
    const booked = dates.flatMap(({ id }) => (out.has(id) ? [] : id));
    await inviteAlike(tx, row.id, booked);
    await keepForLeaders(tx, booked, user.id);
    audit({ type: '会议', id: row.id, title: row.title, after: { 增加日期: `${dates.length - left.length} 次` } });
    return {
      booked: dates.length - left.length,
      left: dates.flatMap(({ id, start_time }) => (out.has(id) ? { start_time, reason: out.get(id)! } : [])),
    };
  },

  async keep({ params }: { params: { id: number } }, context: Asked) {
    const { row } = await openFor(context, params.id, { act: '确认', when: '尚未召开的会议可以确认' });
    await context.tx
      .update(m)
      .set({ kept_at: momentText(context.now) })
      .where(eq(m.id, row.id));
    context.audit({ type: '会议', id: row.id, title: row.title, after: { 仍需召开: true } });
    return { id: row.id };
  },
};
