import { and, isNull, sql, type SQL } from 'drizzle-orm';
import { dayAfter } from '#kernel/contract/moment.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { isAmong } from '#kernel/server/access/scope.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { textEach } from '#modules/platform/sms/service.ts';
import { busyWord, hoursText, replyState } from '../contract/codes.ts';
import { nothingToText } from '../contract/refusals.ts';
import type { scheduleCalls } from '../contract/schedules.ts';
import { allLeaders, peopleNamed, withSecretaries } from '../record/attends.ts';
import { during } from '../record/clash.ts';
import { fullFor, through } from '../record/visibility.ts';
import { scheduleTable } from '../tables.ts';

const s = scheduleTable;
const mostEntries = 300;

/** Sends text messages, one for each leader and day, with entries that both sender and recipient may read. */
export async function sendSms(
  { tx, user, now, audit, services }: Omit<Context, 'user'> & { user: Viewer },
  body: BodyOf<typeof scheduleCalls.sms>,
) {
  const { ids, date, users, preview } = body;
  const of = ids
    ? isAmong(s.id, ids)
    : during({ start_time: `${date!} 00:00:00`, end_time: `${dayAfter(date!, 1)} 00:00:00` });
  const where = and(of, through, isNull(s.cancelled_at), fullFor(user));
  const leaders = await allLeaders(tx);
  const going = sql<
    number[]
  >`array(select leader_id from leader_attend la where la.schedule_id = ${s.id} and la.state < ${inSql(replyState.declines)} order by leader_id)`;
  const columns = {
    title: s.title,
    address: s.address,
    start_time: s.start_time,
    end_time: s.end_time,
    all_day: s.all_day,
    going,
  };
  const found = await tx.select(columns).from(s).where(where).orderBy(s.start_time, s.id).limit(mostEntries);
  if (found.length === 0) throw nothingToText(date);
  const among = new Set(found.flatMap((row) => row.going));
  const to = users ? (await peopleNamed(tx, users)).map((one) => one.id) : null;
  const letters: { to: number; text: string }[] = [];
  const readable = new Map<number, SQL>();
  /** The entries a recipient may read on the board; a text message contains no others. */
  const readableBy = async (person: number): Promise<SQL> => {
    const known = readable.get(person);
    if (known) return known;
    const found = await personWithRights(tx, person);
    const asked = found ? fullFor(viewerOf(found, 0)) : sql`false`;
    readable.set(person, asked);
    return asked;
  };
  for (const leader of leaders.filter((one) => among.has(one.id))) {
    for (const person of new Set(to ?? (await withSecretaries(tx, [leader.id])))) {
      const words = {
        ...columns,
        title: sql<string>`case when ${await readableBy(person)} then ${s.title} else ${busyWord} end`,
        address: sql<string>`case when ${await readableBy(person)} then ${s.address} else '' end`,
      };
      const rows = await tx
        .select(words)
        .from(s)
        .where(and(where, sql`${leader.id} = any(${going})`))
        .orderBy(s.start_time, s.id)
        .limit(mostEntries);
      for (const [day, own] of Map.groupBy(rows, (row) => (date ?? row.start_time).slice(0, 10))) {
        const lines = own.map((row) => `${hoursText(row)} ${row.title}${row.address ? `（${row.address}）` : ''}`);
        letters.push({ to: person, text: `${leader.alias} ${day.slice(5)} 日程：${lines.join('；')}` });
      }
    }
  }
  const sent = await textEach(tx, { by: { user, now }, module: 'leaders', letters, preview }, services);
  if (!preview) audit({ type: '领导日程', title: '短信发送', after: { 人数: sent.count, 条数: sent.segments } });
  const names = await peopleById(
    tx,
    letters.map((one) => one.to),
  );
  return {
    ...sent,
    texts: letters.slice(0, 50).map((one) => ({ name: names.get(one.to)?.alias ?? '', text: one.text })),
  };
}
