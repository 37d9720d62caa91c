import { dayAfter, daysBetween, mondayOf } from '#kernel/contract/moment.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { scheduleType, trip } from '../contract/codes.ts';
import { copiedTooLate, notToCopy } from '../contract/refusals.ts';
import { ScheduleInput, type scheduleCalls } from '../contract/schedules.ts';
import { schedules, timed, type LeaderViewer, type Stored } from '../record/record.ts';
import { attempt } from '../record/repeats.ts';
import { columnsOf, writeBeside, type Written } from '../record/writing.ts';

type Asked = Omit<Context, 'user'> & { user: Viewer };

/** The fields of a schedule that repeat weekly: without files and answers. */
async function again({ tx }: Asked, row: Stored, date: string): Promise<Written> {
  if (row.type_id === trip) throw notToCopy(row.title, '是外出报备');
  if (row.source_id !== null) throw notToCopy(row.title, '随来源的业务变动');
  if (row.cancelled_at !== null) throw notToCopy(row.title, '已取消');
  const people = await peopleById(tx, [...row.escort, row.contact_id ?? 0]);
  const nameOf = (id: number | null) => people.get(id ?? 0)?.username;
  const days = daysBetween(mondayOf(row.start_time.slice(0, 10)), mondayOf(date));
  const later = (at: string) => `${dayAfter(at.slice(0, 10), days)} ${at.slice(11, 16)}`;
  const read = ScheduleInput.safeParse({
    ...row,
    force: undefined,
    materials: [],
    approvers: [],
    acting: null,
    leaders: (await timed(tx, row)).map((one) => one.username),
    start_time: later(row.start_time),
    end_time: later(row.end_time),
    contact: nameOf(row.contact_id) ?? null,
    escort: row.escort.flatMap((id) => nameOf(id) ?? []),
  });
  if (!read.success) throw copiedTooLate(row.title, mondayOf(date));
  return read.data;
}

/**
 * 复制上周: writes each entry anew on the same weekday, in one week or several. One that cannot be copied is returned with its reason and does
 * not stop the others.
 */
export async function copy(context: Asked, { ids, date, weeks }: BodyOf<typeof scheduleCalls.copy>) {
  const { tx, user } = context;
  const viewer: LeaderViewer = await schedules.viewerOf(tx, user);
  const left: { id: number; week: string; msg: string }[] = [];
  const wanted = Array.from({ length: weeks }, (_, at) => dayAfter(mondayOf(date), 7 * at)).flatMap((week) =>
    Array.from(new Set(ids), (id) => ({ id, week })),
  );
  for (const { id, week } of wanted) {
    const msg = await attempt(context, async (by) => {
      const from = await schedules.requireForUpdate(tx, viewer, id);
      const input = await again(context, from, week);
      const columns = await columnsOf(tx, { ...input, type_id: scheduleType.usual }, viewer, null);
      // Weeks that need approval are each asked for, so they are no repeat that is changed as one.
      const series_id = columns.direct ? (from.series_id ?? from.id) : null;
      if (series_id !== null && from.series_id === null) await schedules.set(tx, from, { series_id }, false);
      await schedules.create(by, { ...columns, series_id }, { submit: true }, (row) =>
        writeBeside(tx, row, input, viewer, null),
      );
    });
    if (msg !== null) left.push({ id, week, msg });
  }
  return { made: wanted.length - left.length, left };
}
