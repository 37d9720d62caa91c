import { and, asc, eq, inArray, isNull, sql } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import { enqueue, type Task } from '#kernel/server/jobs/jobs.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { afterQuiet } from '#kernel/server/text/quiet.ts';
import { serviceLevel } from '#modules/services/customers/contract/codes.ts';
import { alertTargets, type AlertTargets } from '#modules/services/customers/service.ts';
import { incidentClosed } from '#modules/services/orders/service.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { textNumbers } from '#modules/platform/sms/service.ts';
import { newCode } from '#modules/platform/verification/service.ts';
import { alertTable, claimTable, incidentEventTable, incidentTable } from '../tables.ts';
import { monitorNews } from './news.ts';
import { alertTask, alertTemplates, namedAs, overEvent, wordsOf, type AlertEvent } from './words.ts';

const portion = 200;
const minuteMs = 60_000;
const mostNamed = 5;
/** The hours in which people without night service get no text messages. */
const night = ['21:00', '08:00'] as const;

type Waiting = Awaited<ReturnType<typeof waitingOf>>[number] & { event: AlertEvent };
const [a, r] = [alertTable, incidentTable];
const waitingOf = (tx: Db, customer: number) =>
  tx
    .select({
      id: a.id,
      project_id: a.project_id,
      record_id: a.record_id,
      event: sql<AlertEvent | typeof overEvent>`${a.event}`,
      text: a.text,
      told_at: a.told_at,
      over: sql<boolean>`coalesce(${r.end_time} is not null or ${r.claimed_at} is not null, false)`,
      /** True if contacts were texted about the outage. */
      known: sql<boolean>`exists (select from monitor_alert b where b.record_id = ${a.record_id} and b.event = 'MONITOR_DOWN' and b.texted)`,
    })
    .from(a)
    .leftJoin(r, eq(r.id, a.record_id))
    .where(and(eq(a.customer_id, customer), isNull(a.sent_at)))
    .orderBy(asc(a.id))
    .limit(portion)
    .for('update', { of: a, skipLocked: true });

/** Sends the pending alerts of a customer's projects: to each inbox, and by text message at most once a minute, several projects in one. */
export function sendAlerts({ databases }: { databases: Pick<Databases, 'write'> }): Task<{ customer: number }> {
  return {
    name: alertTask,
    title: '发出监测告警',
    run: ({ customer }, { now }) => databases.write((tx) => sendOf(tx, customer, now)),
  };
}

export async function sendOf(tx: Db, customer: number, now: Date): Promise<void> {
  // One at a time per customer: two jobs would each use the same minute's allowance.
  await tx.execute(sql`select pg_advisory_xact_lock(hashtextextended('monitor_alert', ${customer}))`);
  // Ending and claiming lock the incident before its alerts, so this uses the same order.
  await tx.execute(sql`select from test_record where id in (
    select record_id from monitor_alert where customer_id = ${customer} and sent_at is null) order by id for key share`);
  const all = await waitingOf(tx, customer);
  if (all.length === 0) return;
  for (const one of all)
    if (one.record_id && one.told_at === null && (one.event === 'MONITOR_UP' || one.event === overEvent))
      await incidentClosed(tx, one.record_id, one.text);
  const waiting = all.filter((one) => one.event !== overEvent) as Waiting[];
  const targets = await alertTargets(tx, [...new Set(waiting.map((one) => one.project_id))]);
  for (const one of waiting) if (one.told_at === null) await tellBoxes(tx, one, targets.get(one.project_id)!);
  const later = await nextText(tx, customer, now);
  const again: Date[] = all.length === portion ? [now] : [];
  const [send, drop] = [[] as Waiting[], [] as Waiting[]];
  for (const one of waiting) {
    const { project } = targets.get(one.project_id)!;
    const free = project.service_level === serviceLevel.always ? now : afterQuiet(now, ...night);
    const wait = free > later ? free : later;
    const pointless =
      !project.sms_switch || (one.event === 'MONITOR_DOWN' && one.over) || (one.event === 'MONITOR_UP' && !one.known);
    if (pointless) drop.push(one);
    else if (wait > now) again.push(wait);
    else send.push(one);
  }
  await textContacts(tx, send, targets, now);
  const settle = (rows: readonly { id: number }[], texted: boolean) =>
    rows.length === 0
      ? null
      : tx
          .update(a)
          .set({ sent_at: sql`now()`, texted })
          .where(
            inArray(
              a.id,
              rows.map((one) => one.id),
            ),
          );
  await settle(send, true);
  await settle([...drop, ...all.filter((one) => one.event === overEvent)], false);
  const [soonest] = again.toSorted((x, y) => x.getTime() - y.getTime());
  if (soonest) await enqueue(tx, alertTask, { customer }, { key: `${alertTask}:${customer}`, at: soonest });
}

/** The time from which the customer's contacts may be texted again. */
async function nextText(tx: Db, customer: number, now: Date): Promise<Date> {
  const { rows } = await tx.execute<{ at: number | null }>(sql`
    select (extract(epoch from max(sent_at)) * 1000)::float8 as at from monitor_alert where customer_id = ${customer} and texted and sent_at > now() - interval '1 minute'`);
  return rows[0]?.at ? new Date(rows[0].at + minuteMs) : now;
}

/** Incidents and projects have separate ids, so withdrawing news about one never affects the other. */
const aboutOf = ({ record_id, project_id }: Pick<Waiting, 'record_id' | 'project_id'>) =>
  record_id ? { module: 'monitors', objectId: record_id } : { module: 'customers', objectId: project_id };

async function tellBoxes(tx: Db, one: Waiting, { project, customer, people }: AlertTargets): Promise<void> {
  const { module, objectId: id } = aboutOf(one);
  const said = {
    ...wordsOf(one.event, `${customer.name} ${project.name}`, one.text),
    module,
    occasion: String(one.id),
    ...(one.record_id ? {} : { page: `/customer/project/detail/${one.project_id}` }),
    gathered: { ...namedAs(one.event, `${customer.name} ${project.name}`, one.text), path: '/customer/record' },
    also: project.sms_switch ? (['sms'] as const) : [],
    by: null,
  };
  await announce(tx, monitorNews[one.event], { id }, said, people);
  await tx
    .update(a)
    .set({ told_at: sql`now()` })
    .where(eq(a.id, one.id));
  if (one.record_id)
    await tx.insert(incidentEventTable).values({
      record_id: one.record_id,
      type: 'alerted',
      text: `${wordsOf(one.event, '', '').title.trim()}，已通知 ${people.length} 人`,
    });
  changed(tx, 'test', people);
}

/** Each contact gets one text message for each kind of news, whatever projects it covers. */
async function textContacts(
  tx: Db,
  send: readonly Waiting[],
  targets: ReadonlyMap<number, AlertTargets>,
  now: Date,
): Promise<void> {
  const bundles = new Map<string, { contact: AlertTargets['contacts'][number]; rows: Waiting[] }>();
  for (const one of send)
    for (const contact of targets.get(one.project_id)!.contacts) {
      const key = `${one.event} ${contact.id}`;
      const bundle = bundles.get(key) ?? { contact, rows: [] };
      bundle.rows.push(one);
      bundles.set(key, bundle);
    }
  for (const { contact, rows } of bundles.values()) {
    const { event } = rows[0]!;
    const names = [...new Set(rows.map((one) => targets.get(one.project_id)!.project.name))];
    const projects =
      names.slice(0, mostNamed).join('、') + (names.length > mostNamed ? `等 ${names.length} 个项目` : '');
    const link =
      event === 'MONITOR_DOWN'
        ? await claimLink(
            tx,
            contact.name,
            rows.flatMap((one) => one.record_id ?? []),
          )
        : '';
    // For one project its last reason; for several a common reason if there is one, as messages to users have it.
    const reasons = names.length === 1 ? [rows.at(-1)!.text] : [...new Set(rows.map((one) => one.text))];
    const params = { projects, reason: reasons.length === 1 ? reasons[0]! : '', link };
    await textNumbers(
      tx,
      {
        template: alertTemplates[event],
        to: [contact],
        params,
        own: names,
        ...aboutOf(rows[0]!),
      },
      tx.services,
      now,
    );
  }
}

async function claimLink(tx: Db, name: string, record_ids: number[]): Promise<string> {
  const origin = tx.services.publicUrl();
  if (!origin || record_ids.length === 0) return '';
  const code = newCode();
  await tx.insert(claimTable).values({ mark: tx.services.secretBox.keyedHash(code), name, record_ids });
  return `${origin}/api/test/claim/${code}/`;
}
