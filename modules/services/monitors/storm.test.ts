import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { sms } from '#modules/platform/sms/contract.ts';
import { smsRules } from '#modules/platform/sms/contract/rules.ts';
import { alertTask } from './alerts/words.ts';
import { openWatching, type Watching } from './testing/watching.ts';

let watching: Watching;
beforeAll(async () => {
  watching = await openWatching();
  const { admin, app } = watching;
  await admin.get(sms.saveRule, { body: { quiet: '00:00-00:00', links: '127.0.0.1' } });
  await eventually(async () => {
    if ((await app.services.settings.of(smsRules)).links !== '127.0.0.1') throw new Error('not heard of yet');
  });
});
afterAll(() => watching.close());

const fallen = 60;

test('sixty projects found down at once are one text to each recipient with names, number and reason, claimed by one press', async () => {
  const { app, node, project, contact, release } = watching;
  const phones = ['13700009921', '13700009922', '13700009923'];
  const people = await Promise.all(phones.map((phone) => app.person({ phone })));
  const more = {
    service_level: 2,
    sms_switch: true,
    alert_users: people.map(({ id }) => id),
    alert_contacts: [await contact('郑工', '13912345679')],
  };
  const projects: Awaited<ReturnType<typeof project>>[] = [];
  for (let count = 0; count < fallen; count++) projects.push(await project({ timeout_s: 30 }, more));
  const ids = projects.map(({ id }) => id);
  const due = () =>
    app.services.databases.pool.query(
      'update monitor_due set next_at = now(), avoid_node = null where project_id = any($1)',
      [ids],
    );
  const watcher = node('sees the storm', { places: fallen });
  await due();
  await eventually(async () =>
    expect((await Promise.all(ids.map((id) => watching.looksOf(id)))).map((looks) => looks.at(-1))).toEqual(
      ids.map(() => 1),
    ),
  );
  for (const one of projects) one.set('held');
  watching.asks.clear();
  await due();
  // All are probed before the first answers, so that all fall in the same minute.
  await eventually(() => expect(projects.filter(({ path }) => watching.asks.has(path))).toHaveLength(fallen));
  // Alerts are held back until all have failed, however long this machine takes to write that.
  const { pool } = app.services.databases;
  await pool.query(`create function held_back() returns trigger language plpgsql as $$ begin
      if new.key like '${alertTask}:%' then new.run_at := new.run_at + interval '1 day'; end if;
      return new;
    end $$;
    create trigger held_back before insert on graphile_worker._private_jobs for each row execute function held_back()`);
  release(503);
  await eventually(async () => {
    const { rows } = await pool.query('select count(distinct project_id)::int n from monitor_alert');
    expect(rows).toEqual([{ n: fallen }]);
  });
  await pool.query(`drop trigger held_back on graphile_worker._private_jobs; drop function held_back();
    update graphile_worker._private_jobs set run_at = now() where key like '${alertTask}:%'`);
  const texts = async () =>
    (
      await app.db.execute<{ mobile_tail: string; content: string }>(
        sql`select mobile_tail, content from sms_log where module in ('monitors', 'customers') or user_id is not null order by mobile_tail, id`,
      )
    ).rows;
  const named = /项目\d+(?:、[^、]*项目\d+){4}等 60 /;
  await eventually(async () => expect(await texts()).toHaveLength(phones.length + 1));
  for (const { content } of await texts()) {
    expect(content).toMatch(named);
    expect(content).toContain('状态码 503');
    expect(content).not.toContain('内容从略');
  }
  const told = (await texts()).map(({ mobile_tail }) => mobile_tail);
  expect(new Set(told).size).toBe(phones.length + 1);
  const open = async () =>
    (
      await app.db.execute<{ claimed: boolean }>(
        sql`select claimed_at is not null claimed from test_record where project_id in ${ids}`,
      )
    ).rows;
  expect(await open()).toEqual(projects.map(() => ({ claimed: false })));
  const link = (await texts()).flatMap(({ content }) => /\/api\/test\/claim\/\w+\//.exec(content) ?? []);
  expect(link).toHaveLength(1);
  const press = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } };
  expect((await app.stranger.fetch(link[0]!, press)).status).toBe(200);
  expect(await open()).toEqual(projects.map(() => ({ claimed: true })));
  await watcher.stop();
});
