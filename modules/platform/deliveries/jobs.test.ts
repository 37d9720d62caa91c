import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { enqueue } from '#kernel/server/jobs/jobs.ts';
import { jobCalls } from './contract/jobs.ts';

const publishNotice = 'publish notice';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

const failed = () => app.admin.get(jobCalls.jobs);

test('a failed job is listed with its error, restarted by hand, and gone once it is done', async () => {
  const { services } = app;
  const later = new Date(Date.now() + 3_600_000);
  await services.databases.write((tx) => enqueue(tx, publishNotice, { id: 0 }, { key: 'lost', at: later }));
  const note = (error: string, tries: number) =>
    services.databases.pool.query(
      `update graphile_worker._private_jobs set attempts = $1, last_error = $2, run_at = now() + interval '1 hour' where key = 'lost'`,
      [tries, error],
    );
  expect((await failed()).total).toBe(0);
  await note('Failed query: insert into msg values ($1)\nparams: 13800000000', 3);
  const [waiting] = (await failed()).value;
  expect(waiting).toMatchObject({ title: '到时发布通知', tries: 3, dead: false, actions: ['run'] });
  expect(waiting!.answer).toBe('程序或数据库出错，详情见服务日志');
  await note('对象存储无法写入 13800000000', 25);
  const {
    value: [dead],
  } = await failed();
  expect(dead).toMatchObject({ dead: true, answer: '对象存储无法写入 138****0000' });
  const metrics = await app.stranger
    .at(app.nodes[0]!)
    .fetch('/metrics')
    .then((answer) => answer.text());
  expect(metrics).toContain('gongdan_jobs_dead 1');
  await app.admin.get(jobCalls.runJob, { params: { id: dead!.id } });
  await eventually(async () => expect((await failed()).total).toBe(0));
  expect(await app.admin.ask(jobCalls.runJob, { params: { id: dead!.id } })).toMatchObject({ code: 4004 });
});

test('a person with a partial scope on deliveries neither sees nor restarts failed jobs', async () => {
  const { services } = app;
  await services.databases.write((tx) =>
    enqueue(tx, publishNotice, { id: 0 }, { key: 'hidden', at: new Date(Date.now() + 3_600_000) }),
  );
  await services.databases.pool.query(
    `update graphile_worker._private_jobs set last_error = '没有写入' where key = 'hidden'`,
  );
  const person = await app.clerk(
    { 'system/delivery': ['Retrieve', 'chuli'] },
    { dept: await app.dept(), dataScope: 3 },
  );
  expect(await person.get(jobCalls.jobs)).toMatchObject({ total: 0 });
  const [one] = (await failed()).value;
  const found = async (search_value: string) => (await app.admin.get(jobCalls.jobs, { query: { search_value } })).total;
  expect([await found(one!.title), await found('没有这种任务')]).toEqual([1, 0]);
  expect(await person.ask(jobCalls.runJob, { params: { id: one!.id } })).toMatchObject({ code: 4004 });
});

test('each kind of job is listed with last run, duration, next run and error, and a scheduled one can be run at once', async () => {
  const kinds = async () => (await app.admin.get(jobCalls.kinds)).value;
  const kind = async (name: string) => (await kinds()).find((one) => one.name === name)!;
  await eventually(async () => expect((await kind('seal logs')).last_at).not.toBeNull());
  expect(await kind('seal logs')).toMatchObject({ title: '封存操作日志', how: 'every', every_seconds: 2, actions: [] });
  const nightly = await kind('end roles');
  expect(nightly).toMatchObject({
    title: '移除到期的角色',
    how: 'cron',
    last_at: null,
    broken: false,
    actions: ['run'],
  });
  expect(nightly.next_at).toMatch(/ 00:05:00$/);
  expect(await app.admin.ask(jobCalls.runKind, { body: { name: 'end roles' } })).toMatchObject({ code: 0 });
  await eventually(async () => expect((await kind('end roles')).ms).not.toBeNull());
  const refused = await app.admin.ask(jobCalls.runKind, { body: { name: publishNotice } });
  expect(refused).toMatchObject({ code: -1, msg: '“到时发布通知”不是定时任务，不能立即执行' });
  expect((await app.admin.ask(jobCalls.runKind, { body: { name: 'no such work' } })).code).toBe(4004);
  await app.services.databases.pool.query(
    `update job_run set failed_at = started_at, failure = '邮件没有写入 13800000000' where name = 'end roles'`,
  );
  expect(await kind('end roles')).toMatchObject({ broken: true, failure: '邮件没有写入 138****0000' });
  const part = await app.clerk({ 'system/job': ['Retrieve', 'chuli'] }, { dept: await app.dept(), dataScope: 3 });
  expect((await part.ask(jobCalls.kinds)).code).toBe(4003);
});
