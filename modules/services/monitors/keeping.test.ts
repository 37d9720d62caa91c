import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { contacts } from '#modules/services/customers/contract/contacts.ts';
import { projects } from '#modules/services/customers/contract/projects.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { remindOfDomains } from '#modules/services/customers/jobs.ts';
import { waiting as waits } from '#modules/platform/waits/contract.ts';
import { sendOf } from './alerts/send.ts';
import { monitors } from './contract.ts';
import { monthNotOver } from './contract/refusals.ts';
import { draftReports } from './reports/drafts.ts';
import { monitorFeeds } from './server/brings.ts';
import { incidentTable } from './tables.ts';
import { apply, type Found } from './probing/apply.ts';
import { openWatching, type Watching } from './testing/watching.ts';

let watching: Watching;
beforeAll(async () => {
  watching = await openWatching();
});
afterAll(() => watching.close());

const found = (id: number, result: Found['result']): Found => ({
  project_id: id,
  lease_no: null,
  result,
  ms: 5,
  http_code: null,
  msg: result === 'ok' ? '' : '拒绝连接',
  certificate: null,
});
const write = (id: number, ...results: Found['result'][]) =>
  watching.app.services.databases.write(async (tx) => {
    for (const result of results) await apply(tx.$client, [found(id, result)]);
  });
const send = (now = new Date()) => watching.app.services.databases.write((tx) => sendOf(tx, watching.customer, now));
const toldOf = async (id: number) =>
  (
    await watching.app.db.execute<{
      alias: string;
    }>(sql`select distinct u.alias from msg m join msg_user r on r.msg_id = m.id
      join app_user u on u.id = r.user_id where m.event = 'MONITOR_DOWN' and m.object_id in (select id from test_record where project_id = ${id}) order by 1`)
  ).rows.map((row) => row.alias);

describe('a maintenance window', () => {
  test('must end after it begins, once or weekly, also in the database', async () => {
    const { admin, app } = watching;
    const { id } = await watching.project();
    const body = { title: '倒着的', project_ids: [id], starts_at: '2026-05-02 10:00', ends_at: '2026-05-01 10:00' };
    const weekly = { ...body, weekly: true, weekdays: [1], minutes: 60 };
    for (const wrong of [body, weekly, { ...weekly, ends_at: weekly.starts_at }])
      expect((await admin.ask(monitors.addWindow, { body: wrong })).msg).toContain('结束时间须晚于开始时间');
    const stored = app.services.databases.pool.query(
      `insert into monitor_window (title, project_ids, weekly, starts_at, ends_at, weekdays, minutes) values ('x', '{${id}}', true, '2026-05-02', '2026-05-01', '{1}', 60)`,
    );
    await expect(stored).rejects.toMatchObject({ constraint: 'monitor_window_order' });
    await admin.get(monitors.addWindow, { body: { ...weekly, ends_at: null } });
  });

  test('ends within 31 days if once, and leaves some time of the week outside if weekly', async () => {
    const { admin } = watching;
    const { id } = await watching.project();
    const body = { title: '大修', project_ids: [id], starts_at: '2026-05-02 10:00', ends_at: '2026-06-02 10:01' };
    const ask = async (more: object) => (await admin.ask(monitors.addWindow, { body: { ...body, ...more } })).msg;
    expect(await ask({})).toBe('维护窗口最长 31 天，结束时间 2026-06-02 10:01 太晚；长期不看的项目请停用监测');
    expect(await ask({ ends_at: '2026-06-02 10:00' })).toBe('维护窗口已新增');
    const all = { weekly: true, ends_at: null, weekdays: [1, 2, 3, 4, 5, 6, 7], minutes: 1440 };
    expect(await ask(all)).toContain('不能占满一周');
    expect(await ask({ ...all, minutes: 1439 })).toBe('维护窗口已新增');
  });
});

describe('an alarm of a project', () => {
  test('whose recipients have left goes to the project’s manager, else the customer’s owner, else the customer administrators', async () => {
    const { app, admin } = watching;
    await app.person({ alias: '客户经理甲', roles: ['customer_manager'] });
    const [leads, hears] = [await app.person({ alias: '负责人乙' }), await app.person({ alias: '值班丙' })];
    const made = [];
    for (let count = 0; count < 3; count++)
      made.push(await watching.project({}, { manager: leads.id, alert_users: [hears.id] }));
    const query = (text: string, ...values: number[]) => app.services.databases.pool.query(text, values);
    const fall = async ({ id }: { id: number }) => {
      await write(id, 'ok', 'fail');
      await send();
      return toldOf(id);
    };
    expect(await fall(made[0]!)).toEqual(['值班丙']);
    await query('update app_user set is_active = false where id = $1', hears.id);
    expect(await fall(made[1]!)).toEqual(['负责人乙']);
    await query('update app_user set is_active = false where id = $1', leads.id);
    const { value } = await admin.get(monitors.get, { params: { id: made[2]!.id } });
    expect(value!.told.map((person) => person.name)).toEqual(['系统管理员']);
    await query('update customer set owner = $1 where id = $2', leads.id, watching.customer);
    expect(await fall(made[2]!)).toContain('客户经理甲');
    await query('update customer set owner = $1 where id = $2', admin.userId, watching.customer);
  });

  test('that no contact receives any more waits as a to-do for the project’s manager until a contact is named', async () => {
    const { admin } = watching;
    const gone = await watching.contact('老郑', '13912340001');
    const one = await watching.project({}, { sms_switch: true, alert_contacts: [gone], manager: admin.userId });
    const waiting = async () =>
      (await admin.get(waits.list, { query: { category: 'contact', per_page: 100 } as never })).value.map(
        (row) => row.title,
      );
    expect(await waiting()).toEqual([]);
    await admin.get(contacts.remove, { params: { id: gone } });
    expect(await waiting()).toEqual([expect.stringContaining(one.name)]);
    const { value } = await admin.get(projects.get, { params: { id: one.id } });
    expect(value.silent).toBe(true);
    const fresh = await watching.contact('小郑', '13912340002');
    await admin.get(projects.change, { params: { id: one.id }, body: { alert_contacts: [fresh] } as never });
    expect(await waiting()).toEqual([]);
    await admin.get(contacts.change, { params: { id: fresh }, body: { receive_sms: false } as never });
    expect(await waiting()).toEqual([expect.stringContaining(one.name)]);
  });
});

const waitingOf = async (who: Watching['admin'], title: string) =>
  (await who.get(waits.list, { query: { per_page: 100 } as never })).value
    .filter((row) => row.kind === title)
    .map((row) => row.title);
const openOf = async (id: number) => (await watching.incidentsOf(id)).find((one) => one.end_time === null)!;

describe('an unclaimed incident', () => {
  test('waits as a to-do for the recipients of the project’s alarms until one of them claims it', async () => {
    const { app } = watching;
    const [one, other] = [
      await app.person({ alias: '值班一', roles: ['customer_staff'] }),
      await app.person({ alias: '值班二', roles: ['customer_staff'] }),
    ];
    const project = await watching.project({}, { alert_users: [one.id] });
    await write(project.id, 'ok', 'fail');
    const [first, second] = [await app.signIn(one), await app.signIn(other)];
    expect(await waitingOf(first, '待认领的异常')).toEqual([`示范大学 ${project.name} 异常`]);
    expect(await waitingOf(second, '待认领的异常')).toEqual([]);
    await first.get(monitors.claim, { params: { id: (await openOf(project.id)).id } });
    expect(await waitingOf(first, '待认领的异常')).toEqual([]);
    const { value } = await watching.admin.get(leaving.open, { params: { id: one.id } });
    expect(value.flatMap((kind) => kind.rows.map((row) => row.note))).toEqual(['成员或告警通知人', '已认领的异常']);
    const body = { target_username: other.username } as never;
    expect(await watching.admin.get(leaving.handOver, { params: { id: one.id }, body })).toEqual({
      moved: 2,
      ended: 0,
      kept: [],
    });
    expect(await openOf(project.id)).toMatchObject({ claimed_by: other.id, claimed_name: '值班二' });
    const { value: moved } = await watching.admin.get(projects.get, { params: { id: project.id } });
    expect(moved.alert_users).toEqual([other.id]);
  });

  test('can be silenced for an hour, after which its state is announced once', async () => {
    const { app, boxOf } = watching;
    const on = await app.person({ roles: ['customer_staff'] });
    const staff = await app.signIn(on);
    const [stays, heals] = [
      await watching.project({ resend_every: 1 }, { alert_users: [on.id] }),
      await watching.project({ resend_every: 1 }, { alert_users: [on.id] }),
    ];
    for (const { id } of [stays, heals]) {
      await write(id, 'ok', 'fail');
      await send();
      const { until } = await staff.get(monitors.silence, { params: { id }, body: {} });
      expect(until).not.toBeNull();
      await write(id, 'fail', 'fail');
    }
    await write(heals.id, 'ok');
    await send();
    expect([await boxOf(stays.id), await boxOf(heals.id)]).toEqual([['MONITOR_DOWN'], ['MONITOR_DOWN']]);
    expect((await staff.get(monitors.get, { params: { id: stays.id } })).value!.quiet_until).not.toBeNull();
    await app.services.databases.pool.query(
      `update monitor_state set kept = kept || jsonb_build_object('quiet_until', 1) where project_id = any($1)`,
      [[stays.id, heals.id]],
    );
    await write(stays.id, 'fail');
    await write(heals.id, 'ok');
    await send();
    const { rows } = await app.db.execute<{ content: string }>(
      sql`select content from msg where event = 'MONITOR_QUIET' order by id`,
    );
    expect(rows.map((row) => row.content)).toEqual([
      expect.stringContaining('静默结束：现在异常，拒绝连接'),
      expect.stringContaining('静默结束：现在正常'),
    ]);
    expect(await staff.get(monitors.silence, { params: { id: stays.id }, body: { minutes: 0 } })).toEqual({
      until: null,
    });
    const stranger = await app.person({ roles: ['customer_staff'] });
    const asked = { params: { id: stays.id }, body: {} };
    expect(await (await app.signIn(stranger)).ask(monitors.silence, asked)).toMatchObject({ code: 4004 });
  });

  test('that was silenced still reports its end to records made of it, and to no person', async () => {
    const { admin, app } = watching;
    const one = await watching.project();
    await write(one.id, 'ok');
    await admin.get(monitors.silence, { params: { id: one.id }, body: {} });
    await write(one.id, 'fail', 'ok');
    const { rows } = await app.db.execute(
      sql`select event from monitor_alert where project_id = ${one.id} and sent_at is null`,
    );
    expect(rows).toEqual([{ event: 'MONITOR_OVER' }]);
    await send();
    expect(await watching.boxOf(one.id)).toEqual([]);
    const left = await app.db.execute(sql`select from monitor_alert where project_id = ${one.id} and sent_at is null`);
    expect(left.rows).toEqual([]);
  });
});

test('a project’s manager and a customer’s owner are told a month, two weeks and days before its domain ends, each once', async () => {
  const { admin, app } = watching;
  const lead = await app.person({});
  const day = (days: number) => dayOf(new Date(Date.now() + days * 86_400_000));
  const one = await watching.project({}, { manager: lead.id, domain_expire: day(40) });
  const told = async (days: number) => {
    const at = new Date(Date.now() + days * 86_400_000);
    await app.services.databases.write((tx) => remindOfDomains(tx, at));
    const { rows } = await app.db.execute<{ n: number }>(
      sql`select count(*)::int n from msg m join msg_user r on r.msg_id = m.id where event = 'DOMAIN_EXPIRE' and object_id = ${one.id}`,
    );
    return rows[0]!.n;
  };
  expect([await told(5), await told(10), await told(11), await told(26)]).toEqual([0, 2, 2, 4]);
  await admin.get(projects.change, { params: { id: one.id }, body: { domain_expire: day(400) } as never });
  expect(await told(38)).toBe(4);
});

test('a calendar shows the windows of visible projects, weekly ones on each day, and the ends of domains', async () => {
  const { admin, app } = watching;
  const on = await app.person({ roles: ['customer_staff'] });
  const one = await watching.project({}, { alert_users: [on.id], domain_expire: '2027-03-10' });
  const hidden = await watching.project({}, { domain_expire: '2027-03-11' });
  const body = {
    title: '周维护',
    weekly: true,
    starts_at: '2027-01-01 00:00',
    weekdays: [2],
    from_minute: 1320,
    minutes: 180,
  };
  await admin.get(monitors.addWindow, { body: { ...body, project_ids: [one.id] } });
  await admin.get(monitors.addWindow, { body: { ...body, title: '别家', project_ids: [hidden.id] } });
  const entries = await app.services.databases.write(async (tx) => {
    const viewer = viewerOf((await personWithRights(tx, on.id))!, 0);
    return monitorFeeds['maintenance']!.entries(tx, viewer, '2027-03-01', '2027-03-15');
  });
  expect(entries.map(({ title, start, end }) => [title, start, end])).toEqual([
    ['维护：周维护', '2027-03-02 22:00:00', '2027-03-03 01:00:00'],
    ['维护：周维护', '2027-03-09 22:00:00', '2027-03-10 01:00:00'],
    [`域名到期：${one.name}`, '2027-03-10', '2027-03-10'],
  ]);
});

describe('a monthly service report', () => {
  const past = (() => {
    const now = new Date(Date.now() + 8 * 3_600_000);
    return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1)).toISOString().slice(0, 7);
  })();
  const hours = (id: number, month: string, down: number) =>
    watching.app.services.databases.pool.query(
      `insert into monitor_hour (project_id, hour, up_s, down_s, hist) select $1, h, 3600 - $3::int, $3::int, '{0}'
       from generate_series($2::timestamptz, $2::timestamptz + interval '99 hours', interval '1 hour') h on conflict do nothing`,
      [id, `${month}-02 00:00`, down],
    );

  test('is drafted on the first for each monitored customer, waits for the owner, and is fixed once confirmed', async () => {
    const { admin, app, customer } = watching;
    const owner = await app.person({ alias: '客户经理戊', roles: ['customer_manager'] });
    await app.services.databases.pool.query('update customer set owner = $1 where id = $2', [owner.id, customer]);
    const who = await app.signIn(owner);
    const one = await watching.project();
    await hours(one.id, past, 36);
    await app.services.databases.write(async (tx) => {
      for (const [start, cause] of [
        ['02 10:00', 3],
        ['03 10:00', 6],
      ] as const)
        await tx.insert(incidentTable).values({
          project_id: one.id,
          type: 1,
          start_time: `${past}-${start}`,
          end_time: `${past}-${start.replace(':00', ':12')}`,
          state: 2,
          cause,
          handler: owner.id,
          measure: '已处理',
        });
    });
    const now = new Date();
    const draft = () => app.services.databases.write((tx) => draftReports(tx, now));
    expect([await draft(), await draft()]).toEqual([1, 0]);
    expect(await waitingOf(who, '待核对的服务月报')).toEqual([`示范大学 ${past}`]);
    const { rows } = await app.db.execute(sql`select title from msg where event = 'MONITOR_REPORT'`);
    expect(rows).toEqual([{ title: `${past} 服务月报待核对：1 份` }]);
    const read = async () => (await who.get(monitors.report, { params: { id: customer }, query: {} })).value!;
    const report = await read();
    expect(report).toMatchObject({ month: past, state: 0, actions: ['confirm'], excluded_min: 12 });
    expect(report.projects.find((row) => row.id === one.id)).toMatchObject({ uptime: 99, promised: 99, incidents: 2 });
    const paper = async () => {
      const answer = await who.fetch(`/api/customer/${customer}/report/pdf/?month=${past}`);
      return [
        answer.headers.get('content-type'),
        Buffer.from(await answer.arrayBuffer())
          .subarray(0, 5)
          .toString(),
      ];
    };
    expect(await paper()).toEqual(['application/pdf', '%PDF-']);
    const body = { month: past, note: '本月完成一次升级。', version: report.version };
    const early = { ...body, month: dayOf(now).slice(0, 7) };
    expect(await who.ask(monitors.confirmReport, { params: { id: customer }, body: early })).toRefuse(
      monthNotOver,
      early.month,
    );
    await who.get(monitors.confirmReport, { params: { id: customer }, body });
    expect(await waitingOf(who, '待核对的服务月报')).toEqual([]);
    await app.services.databases.pool.query('update monitor_hour set down_s = 3600, up_s = 0 where project_id = $1', [
      one.id,
    ]);
    expect(await read()).toMatchObject({
      state: 1,
      note: '本月完成一次升级。',
      confirmed_alias: '客户经理戊',
      all: report.all,
      actions: [],
    });
    expect(await paper()).toEqual(['application/pdf', '%PDF-']);
    expect((await who.ask(monitors.confirmReport, { params: { id: customer }, body })).msg).toContain('已经核对');
    const spoiled = app.services.databases.pool.query(`update monitor_report set note = 'x' where state = 1`);
    await expect(spoiled).rejects.toThrow('stands');
    const outsider = await app.clerk({ 'customer/list': ['Retrieve', 'Update'] }, { dataScope: 5 });
    for (const path of [`report/?month=${past}`, `report/pdf/?month=${past}`, 'status_page/'])
      expect(await (await outsider.fetch(`/api/customer/${customer}/${path}`)).text()).not.toContain('示范大学');
    expect(await admin.get(monitors.report, { params: { id: customer }, query: {} })).toMatchObject({
      months: expect.any(Array),
    });
  });
});

test('a status page is closed until somebody opens it, and shows only the chosen projects', async () => {
  const { admin, app, customer } = watching;
  const [shown, hidden] = [await watching.project(), await watching.project()];
  const asked = { params: { id: customer } };
  const before = await admin.get(monitors.statusPage, asked);
  expect(before.value).toBeNull();
  expect(before.projects.map((one) => one.id)).toContain(shown.id);
  expect((await admin.ask(monitors.changeStatus, { ...asked, body: { project_ids: [] } })).msg).toContain('没有开放');
  const opened = await admin.ask(monitors.openStatus, { ...asked, body: {} });
  expect(opened).toMatchObject({ code: 0, msg: '状态页已开放' });
  const { url } = opened.data;
  const text = async (address: string) => (await app.stranger.fetch(new URL(address, 'http://x').pathname)).text();
  expect(await text(url)).toContain('没有公开的项目');
  await admin.get(monitors.changeStatus, { ...asked, body: { project_ids: [shown.id] } });
  expect(await text(url)).toContain(shown.name);
  expect(await text(url)).not.toContain(`${hidden.name}<`);
  // A project that nobody probes is not reported as working.
  for (const [status, words] of [
    [9, '公开的项目都没有在监测'],
    [1, '全部项目运行正常'],
    [0, '1 个项目异常，正在处理'],
  ] as const) {
    const stands = 'update monitor_state set status = $1 where project_id = $2';
    await app.services.databases.pool.query(stands, [status, shown.id]);
    expect(await text(url)).toContain(words);
  }
  expect((await admin.get(monitors.statusPage, asked)).value).toEqual({ url, project_ids: [shown.id] });
  const { data, msg } = await admin.ask(monitors.openStatus, { ...asked, body: {} });
  expect(msg).toBe('地址已更换，原地址不再有效');
  const renewed = data.url;
  expect([await text(url), await text(renewed)]).toEqual([
    expect.stringContaining('没有这个页面'),
    expect.stringContaining(shown.name),
  ]);
  expect((await admin.ask(monitors.changeStatus, { ...asked, body: { project_ids: [999_999] } })).msg).toContain(
    '999999',
  );
  await admin.get(monitors.closeStatus, asked);
  expect(await text(renewed)).toContain('没有这个页面');
});

test('monitoring settings are read and changed by a call with checks, and take effect without a restart', async () => {
  const { admin } = watching;
  const { value, version } = await admin.get(monitors.rule);
  expect(value).toMatchObject({ keep_days: 30, promised_5x8: 99 });
  const save = (body: object) => admin.ask(monitors.saveRule, { body: body as never });
  expect((await save({ keep_days: 6 })).msg).toContain('最少 7 天');
  expect((await save({ references: ['x'] })).msg).toContain('主机:端口');
  expect((await save({ references: ['223.5.5.5:99999'] })).msg).toContain('端口 99999 不在 1–65535 之间');
  await admin.get(monitors.saveRule, { body: { keep_days: 14, version } });
  await expect.poll(async () => (await admin.get(monitors.health)).keep_days).toBe(14);
});
