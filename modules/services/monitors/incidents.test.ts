import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { sql } from 'drizzle-orm';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { smsRules } from '#modules/platform/sms/contract/rules.ts';
import { sms } from '#modules/platform/sms/contract.ts';
import { projects } from '#modules/services/customers/contract/projects.ts';
import { sendOf } from './alerts/send.ts';
import { monitors } from './contract.ts';
import { claimedBefore, noOrders, overBefore, stillDown } from './contract/refusals.ts';
import { apply, type Found } from './probing/apply.ts';
import { openWatching, type Watching } from './testing/watching.ts';

let watching: Watching;
let contact: number;
beforeAll(async () => {
  watching = await openWatching();
  const { admin, app } = watching;
  await admin.get(sms.saveRule, { body: { quiet: '00:00-00:00', links: '127.0.0.1' } });
  await eventually(async () => {
    if ((await app.services.settings.of(smsRules)).links !== '127.0.0.1') throw new Error('not heard of yet');
  });
  contact = await watching.contact('郑工', '13912345678');
});
afterAll(() => watching.close());

const write = (id: number, results: Found['result'][], more: Partial<Found> = {}) =>
  watching.app.services.databases.write(async (tx) => {
    for (const result of results)
      await apply(tx.$client, [
        {
          project_id: id,
          lease_no: null,
          result,
          ms: 5,
          http_code: result === 'ok' ? 200 : 503,
          msg: result === 'ok' ? '' : '状态码 503',
          certificate: null,
          ...more,
        },
      ]);
  });
/** Runs the job's function at a given moment. */
const send = (now = new Date()) => watching.app.services.databases.write((tx) => sendOf(tx, watching.customer, now));
const forgetMinute = () =>
  watching.app.services.databases.pool.query(
    `update monitor_alert set sent_at = sent_at - interval '2 minutes' where sent_at is not null`,
  );
const alarmed = async (settings: object = {}, more: object = {}) =>
  watching.project(settings, { service_level: 2, sms_switch: true, alert_contacts: [contact], ...more });
const textsOf = async (name: string) =>
  (await watching.textsOf()).filter((one) => one.content.includes(name)).map((one) => one.content);
const openOf = async (id: number) => (await watching.incidentsOf(id))[0]!;

describe('an incident', () => {
  test('is opened, announced and ended; a failure that recovers within its retries is no incident and no downtime', async () => {
    const { incidentsOf, boxOf } = watching;
    const one = await alarmed({ retries: 2 });
    await write(one.id, ['ok', 'fail', 'fail', 'ok']);
    expect(await incidentsOf(one.id)).toEqual([]);
    await write(one.id, ['fail', 'fail', 'fail']);
    expect(await incidentsOf(one.id)).toMatchObject([
      { state: 0, reason: '状态码 503', http_code: 503, end_time: null },
    ]);
    await send();
    await write(one.id, ['ok']);
    await forgetMinute();
    await send();
    expect(await incidentsOf(one.id)).toMatchObject([{ state: 1 }]);
    expect(await boxOf(one.id)).toEqual(['MONITOR_DOWN', 'MONITOR_UP']);
    expect((await textsOf(one.name)).length).toBe(2);
  });

  test('is the only open one of its project, ends after it starts, and has append-only events, by any writer', async () => {
    const { app } = watching;
    const one = await alarmed();
    await write(one.id, ['ok', 'fail']);
    const { id } = await openOf(one.id);
    const query = (text: string) =>
      app.services.databases.pool.query(text).then(
        () => '',
        (error: { message: string }) => error.message,
      );
    expect(
      await query(`insert into test_record (project_id, type, start_time) values (${one.id}, 1, now())`),
    ).toContain('test_record_open');
    expect(
      await query(`update test_record set end_time = start_time - interval '1 s', state = 1 where id = ${id}`),
    ).toContain('test_record_times');
    expect(await query(`delete from test_record_event where record_id = ${id}`)).toContain('append-only');
  });

  test('is announced again up to the maximum, and not once it was claimed', async () => {
    const { admin, boxOf } = watching;
    const one = await alarmed({ resend_every: 1, max_alerts: 3 });
    await write(one.id, ['ok', 'fail', 'fail', 'fail', 'fail', 'fail', 'fail']);
    await send();
    expect(await boxOf(one.id)).toEqual(['MONITOR_DOWN', 'MONITOR_DOWN', 'MONITOR_DOWN']);
    const other = await alarmed({ resend_every: 1, max_alerts: 5 });
    await write(other.id, ['ok', 'fail']);
    await admin.get(monitors.claim, { params: { id: (await openOf(other.id)).id } });
    await write(other.id, ['fail', 'fail', 'fail']);
    await forgetMinute();
    await send();
    // Alerts that were pending at the claim are not sent.
    expect(await boxOf(other.id)).toEqual([]);
    expect(await textsOf(other.name)).toEqual([]);
  });

  test('is claimed by one of two simultaneous presses, and the other person is told who it was', async () => {
    const { admin, app } = watching;
    const one = await alarmed();
    await write(one.id, ['ok', 'fail']);
    const { id } = await openOf(one.id);
    const other = await app.clerk({ 'customer/record': ['Retrieve', 'chuli'] }, { dataScope: 1 });
    const answers = await Promise.all([
      admin.ask(monitors.claim, { params: { id } }),
      other.ask(monitors.claim, { params: { id } }),
    ]);
    expect(answers.map((answer) => answer.code).toSorted()).toEqual([-1, 0]);
    const late = answers.find((answer) => answer.code !== 0)!;
    const { claimed_name, claimed_at } = await openOf(one.id);
    expect(late).toRefuse(claimedBefore, claimed_name, claimed_at!);
  });

  test('that recovers, is claimed and announced at once has each once and nothing twice', async () => {
    const { admin, incidentsOf } = watching;
    for (let round = 0; round < 5; round++) {
      const one = await alarmed({ resend_every: 1 });
      await write(one.id, ['ok', 'fail']);
      const { id } = await openOf(one.id);
      const [claimed] = await Promise.all([
        admin.ask(monitors.claim, { params: { id } }),
        write(one.id, ['fail']),
        write(one.id, ['ok']),
        send(),
      ]);
      // If the failure came after the recovery, it begins another incident.
      const after = (await incidentsOf(one.id)).find((incident) => incident.id === id);
      expect(after).toMatchObject({ state: 1 });
      if (claimed.code === 0) expect(after!.claimed_name).not.toBe('');
      else expect(claimed).toRefuse(overBefore, after!.end_time!);
    }
  });

  test('is closed silently when its monitor is switched off, paused or deleted, and waiting announcements are recalled', async () => {
    const { admin, incidentsOf, boxOf, stateOf, origin } = watching;
    const [off, paused, gone] = [await alarmed(), await alarmed(), await alarmed()];
    for (const one of [off, paused, gone]) await write(one.id, ['ok', 'fail']);
    await admin.get(monitors.save, {
      params: { id: off.id },
      body: { type: 1, target: `${origin}${off.path}`, enabled: false },
    });
    await admin.get(projects.change, { params: { id: paused.id }, body: { status: 3 } });
    await admin.get(projects.remove, { params: { id: gone.id } });
    await forgetMinute();
    await send();
    for (const one of [off, paused, gone]) {
      expect(await incidentsOf(one.id)).toMatchObject([{ state: 1 }]);
      expect(await stateOf(one.id)).toMatchObject({ status: 9 });
      expect(await boxOf(one.id)).toEqual([]);
      expect(await textsOf(one.name)).toEqual([]);
      expect(await write(one.id, ['fail'])).toBe(undefined);
      expect(await incidentsOf(one.id)).toHaveLength(1);
    }
  });

  test('is removed from the list once it is over, and not before', async () => {
    const { admin } = watching;
    const one = await alarmed();
    await write(one.id, ['ok', 'fail']);
    const { id } = await openOf(one.id);
    const remove = () => admin.ask(monitors.removeIncident, { params: { id } });
    expect(await remove()).toRefuse(stillDown);
    await write(one.id, ['ok']);
    expect((await remove()).code).toBe(0);
    const { value } = await admin.get(monitors.incidents, { query: { per_page: 100 } });
    expect(value.map((row) => row.id)).not.toContain(id);
    expect((await remove()).code).toBe(4004);
  });

  test('can be handled with a cause once it is over, and keeps who handled it', async () => {
    const { admin } = watching;
    const one = await alarmed();
    await write(one.id, ['ok', 'fail']);
    const { id } = await openOf(one.id);
    const body = { cause: 2 as const, measure: '更换电源' };
    expect(await admin.ask(monitors.handle, { params: { id }, body })).toRefuse(stillDown);
    await write(one.id, ['ok']);
    await admin.get(monitors.handle, { params: { id }, body });
    const { value } = await admin.get(monitors.incident, { params: { id } });
    expect(value).toMatchObject({ state: 2, cause: 2, measure: '更换电源', handler_alias: expect.any(String) });
    expect(value.events.map((event) => event.type)).toEqual(['opened', 'recovered', 'handled']);
    expect(await admin.ask(monitors.order, { params: { id }, body: {} })).toRefuse(noOrders);
    expect(await admin.ask(monitors.handle, { params: { id }, body: { cause: 1, measure: ' ' } })).toMatchObject({
      code: 4000,
    });
  });
});

describe('text messages about incidents', () => {
  test('name several simultaneous ones in one message, at most one a contact and minute', async () => {
    await forgetMinute();
    await send();
    const before = (await watching.textsOf()).length;
    const fallen = [];
    for (let count = 0; count < 7; count++) fallen.push(await alarmed());
    await forgetMinute();
    for (const { id } of fallen) await write(id, ['ok', 'fail']);
    await send();
    await send();
    const texts = (await watching.textsOf()).slice(before);
    expect(texts).toHaveLength(1);
    expect(texts[0]!.content).toContain(`${fallen[0]!.name}、`);
    expect(texts[0]!.content).toContain('等 7 个项目');
    const more = await alarmed();
    await write(more.id, ['ok', 'fail']);
    await send();
    expect((await watching.textsOf()).length).toBe(before + 1);
    await send(new Date(Date.now() + 61_000));
    expect(await textsOf(more.name)).toHaveLength(1);
  });

  test('of many monitors are one a person and minute, with names, reason and the way to claim', async () => {
    const { app } = watching;
    const who = await app.signIn(await app.person({ phone: '13700009911' }));
    const told = () =>
      app.db
        .execute<{ content: string }>(sql`select content from sms_log where user_id = ${who.userId} order by id`)
        .then(({ rows }) => rows.map((row) => row.content));
    const more = { alert_users: [who.userId], alert_contacts: [] };
    const portal = await alarmed({}, { ...more, name: 'oa.school.edu.cn 门户' });
    const fallen = [portal];
    for (let count = 0; count < 6; count++) fallen.push(await alarmed({}, more));
    for (const { id } of fallen) await write(id, ['ok', 'fail']);
    await send();
    await eventually(async () => expect(await told()).toHaveLength(1));
    const [text] = await told();
    for (const part of ['oa.school.edu.cn 门户', '等 7 项 异常', '状态码 503', '/customer/record'])
      expect(text).toContain(part);
    expect(text).not.toContain('内容从略');
    const late = await alarmed({}, more);
    await write(late.id, ['ok', 'fail']);
    await send();
    const job = sql`select extract(epoch from run_at - now())::float8 as wait, jsonb_array_length(payload::jsonb) as count
      from graphile_worker._private_jobs where key = ${`together:${who.userId}`}`;
    await eventually(async () => {
      const { rows } = await app.db.execute<{ wait: number; count: number }>(job);
      expect(rows).toEqual([{ wait: expect.any(Number), count: 1 }]);
      expect(rows[0]!.wait).toBeGreaterThan(10);
    });
    expect(await told()).toHaveLength(1);
  });

  test('of a project without night service wait for the morning, and are dropped if the incident is over by then', async () => {
    const [stays, recovers] = [await alarmed({}, { service_level: 1 }), await alarmed({}, { service_level: 1 })];
    await forgetMinute();
    const night = new Date(`${new Date().toISOString().slice(0, 10)}T18:30:00Z`);
    for (const { id } of [stays, recovers]) await write(id, ['ok', 'fail']);
    await send(night);
    expect([await textsOf(stays.name), await textsOf(recovers.name)]).toEqual([[], []]);
    await write(recovers.id, ['ok']);
    await send(new Date(night.getTime() + 6 * 3_600_000));
    expect([(await textsOf(stays.name)).length, await textsOf(recovers.name)]).toEqual([1, []]);
    expect((await watching.boxOf(stays.id)).length).toBe(1);
  });

  test('link to a page where looking claims nothing and one press claims once', async () => {
    const { app } = watching;
    await forgetMinute();
    await send();
    await forgetMinute();
    const one = await alarmed();
    await write(one.id, ['ok', 'fail']);
    await send();
    const [text] = await textsOf(one.name);
    const path = /\/api\/test\/claim\/\w+\//.exec(text!)?.[0];
    expect(path).toBeDefined();
    for (let time = 0; time < 3; time++) {
      const page = await app.stranger.fetch(path!);
      expect([page.status, (await page.text()).includes('待认领')]).toEqual([200, true]);
    }
    expect((await openOf(one.id)).claimed_at).toBeNull();
    // Posted like a browser's form without fields.
    const press = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    const presses = await Promise.all([0, 1, 2].map(() => app.stranger.fetch(path!, press)));
    expect(presses.map((page) => page.status)).toEqual([200, 200, 200]);
    expect(await openOf(one.id)).toMatchObject({ claimed_name: '郑工', claimed_by: null });
    const { value } = await watching.admin.get(monitors.incident, { params: { id: (await openOf(one.id)).id } });
    expect(value.events.filter((event) => event.type === 'claimed')).toHaveLength(1);
    for (const [kind, of] of ['claim', 'status'].flatMap((one) => [16, 65, 3000].map((of) => [one, of] as const))) {
      const page = await app.stranger.fetch(`/api/test/${kind}/${'0'.repeat(of)}/`);
      expect([page.status, page.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    }
  });

  test('about a certificate are one a threshold, even with two certificates in turn, and end with a renewed one', async () => {
    const one = await alarmed();
    const day = 86_400_000;
    const begin = Date.now();
    await watching.app.services.databases.pool.query('select monitor_log_days(current_date, current_date + 12)');
    const old = { ends: begin + 6.5 * day, subject: 'www', issuer: 'ca' };
    const renewed = { ends: begin + 300 * day, subject: 'www', issuer: 'ca' };
    for (let hour = 0; hour < 30; hour++)
      await write(one.id, ['ok'], { certificate: hour % 3 === 0 ? old : renewed, at: begin + hour * 3_600_000 });
    for (let hour = 24 * 4; hour < 24 * 4 + 6; hour++)
      await write(one.id, ['ok'], { certificate: hour % 2 === 0 ? old : renewed, at: begin + hour * 3_600_000 });
    for (let hour = 24 * 6; hour < 24 * 8; hour += 6)
      await write(one.id, ['ok'], { certificate: renewed, at: begin + hour * 3_600_000 });
    await send();
    expect(await watching.boxOf(one.id)).toEqual(['CERT_EXPIRE', 'CERT_EXPIRE']);
    expect((await watching.stateOf(one.id)).cert).toMatchObject({ ends: renewed.ends, told: null });
  });
});

test('a person on call sees, claims and hears of their own projects, and of no others', async () => {
  const { app, admin } = watching;
  const [mine, other] = [await alarmed(), await alarmed()];
  const person = await app.person({ roles: ['customer_staff'] });
  await admin.get(projects.change, { params: { id: mine.id }, body: { alert_users: [person.id] } });
  for (const { id } of [mine, other]) await write(id, ['ok', 'fail']);
  const staff = await app.signIn(person);
  const { value } = await staff.get(monitors.incidents, { query: { per_page: 100 } });
  expect(value.map((row) => row.project_name)).toEqual([mine.name]);
  expect(value[0]!.actions).toEqual(['claim', 'silence', 'order']);
  const { value: watched, counts } = await staff.get(monitors.list, { query: { per_page: 100 } });
  expect([watched.map((row) => row.name), counts]).toEqual([[mine.name], { 0: 1 }]);
  expect(await staff.ask(monitors.claim, { params: { id: (await openOf(other.id)).id } })).toMatchObject({
    code: 4004,
  });
  expect(await staff.ask(monitors.incident, { params: { id: (await openOf(other.id)).id } })).toMatchObject({
    code: 4004,
  });
  expect(await staff.ask(monitors.chart, { query: { project_id: other.id } })).toMatchObject({ code: 4004 });
  expect(
    (await staff.get(monitors.logs, { query: { per_page: 100 } })).value.every((row) => row.project_id === mine.id),
  ).toBe(true);
  await staff.get(monitors.claim, { params: { id: (await openOf(mine.id)).id } });
  expect(
    await staff.ask(monitors.handle, { params: { id: (await openOf(mine.id)).id }, body: { cause: 1, measure: 'x' } }),
  ).toMatchObject({ code: 4003 });
});
