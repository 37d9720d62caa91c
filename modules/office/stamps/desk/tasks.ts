import { and, between, eq, isNull, lt, sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { namedRows, type Databases, type Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { dateReminders, type DueRow } from '#modules/platform/messages/service/reminders.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { linesOf, settle } from '../application/lines.ts';
import { confirmMinutes } from '../application/rights.ts';
import { lineState, slotText } from '../contract/codes.ts';
import { lockStamps } from '../custody/write.ts';
import { stampNews } from '../notify.ts';
import { stampable } from '../sources/stampable.ts';
import { applicationTable, lineTable } from '../tables/application.ts';
import { voidLines } from './ends.ts';
import { applicants } from './news.ts';

const a = applicationTable;
const { ready, void: voided } = lineState;

/** Voids approvals that were not used in time. */
export async function expire(tx: Db, now: Date): Promise<void> {
  const over = await tx
    .select({ id: a.id })
    .from(a)
    .where(and(eq(a.act_state, actState.finished), eq(a.seal_status, ready), lt(a.due_day, dayOf(now))))
    .orderBy(a.id)
    .limit(200);
  for (const { id } of over) {
    await lockStamps(
      tx,
      (await linesOf(tx, [id])).map((line) => line.stamp_id),
    );
    const [row] = await tx.select().from(a).where(eq(a.id, id)).for('no key update');
    const lines = (await linesOf(tx, [id])).filter((line) => line.state === ready && line.pending === null);
    if (!row || lines.length === 0) continue;
    await voidLines({ tx, lines }, '过期未用印');
    const status = await settle(tx, id, now);
    if (row.source_id !== null && status === voided) await stampable(tx, row.source_module)?.dropped(tx, row.source_id);
    await announce(
      tx,
      stampNews.STAMP_EXPIRED,
      row,
      {
        by: null,
        content: `批准后到 ${row.due_day} 没有用印，已自动失效；仍需用印的请重新申请。`,
      },
      [...applicants(row), ...lines.map((line) => line.keeper)],
    );
  }
}

interface LateRow {
  id: number;
  title: string;
  line: number;
  stamp_name: string;
  escort_id: number;
  due_at: string;
  hours: number;
}
/** Reminds the holder of an overdue seal and its keeper every hour; after four hours the head too, after a day the office. */
export async function remindLate(tx: Db): Promise<void> {
  const late = await namedRows<LateRow & { dept_id: number | null }>(
    tx,
    sql`select a.id, a.title, a.dept_id, l.line_id as line, s.name as stamp_name, l.escort_id, left(l.due_at::text, 16) as due_at,
        floor(extract(epoch from now() - l.due_at) / 3600)::int as hours
      from stamp_loan l join stamp_line n on n.id = l.line_id join stamp_application a on a.id = n.application_id
      join stamp s on s.id = l.stamp_id where l.returned_at is null and l.due_at < now() order by l.due_at limit 200 for share of l`,
  );
  const lines = new Map(
    (
      await linesOf(
        tx,
        late.map((one) => one.id),
      )
    ).map((line) => [line.id, line]),
  );
  for (const one of late) {
    await announce(
      tx,
      stampNews.STAMP_OUT_LATE,
      one,
      {
        by: null,
        title: `印章逾期未还：${one.stamp_name}`,
        content: `应于 ${one.due_at} 归还，${one.hours > 0 ? `已逾期 ${one.hours} 小时` : '已逾期'}，请立即归还或申请延期。`,
        occasion: `${one.line} ${one.due_at} ${one.hours}`,
        again: 'never',
      },
      [
        one.escort_id,
        lines.get(one.line)?.keeper ?? null,
        ...(one.hours >= 4 ? [{ dept: one.dept_id, part: 'head' as const }] : []),
        ...(one.hours >= 24 ? [{ role: 'office_admin' }] : []),
      ],
    );
  }
}

/** Reminds the keeper, once, of a sealing that nobody confirmed in time. */
export async function remindLapsed(tx: Db): Promise<void> {
  const lapsed = await namedRows<{ id: number; title: string; by: number; stamp_name: string; occasion: string }>(
    tx,
    sql`select a.id, a.title, (l.pending ->> 'by')::int as by, s.name as stamp_name, l.id || ' ' || (l.pending ->> 'asked') as occasion
      from stamp_line l join stamp_application a on a.id = l.application_id join stamp s on s.id = l.stamp_id
      where l.pending is not null and (l.pending ->> 'asked')::timestamptz < now() - make_interval(mins => ${confirmMinutes})
      order by l.id limit 200 for share of l`,
  );
  for (const { by, stamp_name, occasion, ...row } of lapsed)
    await announce(
      tx,
      stampNews.STAMP_CONFIRM,
      row,
      {
        by: null,
        head: '未监印',
        content: `“${stamp_name}”的用印登记后 ${confirmMinutes} 分钟无人监印，请与监印人联系后再请监印。`,
        occasion: `${occasion} lapsed`,
        again: 'never',
      },
      [by],
    );
}

type Row = DueRow & { title: string; people: number[]; words: string };
const toPeople = (_tx: Db, rows: readonly Row[]) => Promise.resolve(new Map(rows.map((row) => [row.id, row.people])));

/** Reminds of missing scans. */
const remindCopies = dateReminders<Row>({
  kind: stampNews.STAMP_COPY,
  days: [0, -5],
  async due(tx, { first, last }) {
    const rows = await tx
      .select()
      .from(a)
      .where(and(isNull(a.copy_at), between(a.copy_due, first, last)))
      .orderBy(a.id)
      .for('share');
    return rows.map((row) => ({
      id: row.id,
      due: row.copy_due!,
      title: row.title,
      people: applicants(row),
      words: `已用印，请在 ${row.copy_due} 前交存盖章后的扫描件。`,
    }));
  },
  to: toPeople,
  says: (row) => ({ content: row.words, title: `待交存扫描件：${row.title}` }),
});

/** Reminds people of their slot, on its morning. */
const remindSlots = dateReminders<Row>({
  kind: stampNews.STAMP_SLOT,
  days: [0],
  async due(tx, { first, last }) {
    const rows = await tx
      .select()
      .from(lineTable)
      .innerJoin(a, eq(a.id, lineTable.application_id))
      .where(and(eq(lineTable.state, ready), sql`${lineTable.day} between ${first} and ${last}`))
      .orderBy(a.id)
      .for('share');
    return [...new Map(rows.map((row) => [row.stamp_application.id, row])).values()].map(
      ({ stamp_application: row, stamp_line: line }) => ({
        id: row.id,
        due: line.day!,
        title: row.title,
        people: applicants(row),
        words: `已预约 ${slotText(line.day, line.part)} 用印，请带好文件和用印凭条。`,
      }),
    );
  },
  to: toPeople,
  says: (row) => ({ content: row.words, title: `今天用印：${row.title}` }),
});

const daily = 'end unused stamp applications and remind of the day';
const often = 'remind of seals that are late';
export const applicationTasks = ({ write }: Pick<Databases, 'write'>): Task[] => [
  {
    name: daily,
    title: '用印申请到期与提醒',
    run: (_payload, { now }) =>
      write(async (tx) => {
        await expire(tx, now);
        await remindCopies(tx, now);
        await remindSlots(tx, now);
      }),
  },
  {
    name: often,
    title: '提醒归还逾期的印章，提醒无人监印的用印',
    run: () =>
      write(async (tx) => {
        await remindLate(tx);
        await remindLapsed(tx);
      }),
  },
];
export const applicationSchedules: Schedule[] = [
  { task: daily, cron: '10 7 * * *', catchUpHours: 12 },
  { task: often, cron: '*/10 * * * *', catchUpHours: 1 },
];
