import { and, count, getTableColumns, inArray, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { jobRunTable } from '#kernel/server/db/tables.ts';
import { deadJob, enqueue, failedJob, jobView, runAgain } from '#kernel/server/jobs/jobs.ts';
import { nextDue, scheduleKey } from '#kernel/server/jobs/schedules.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { isFoundBy } from '#kernel/server/list/whole-list.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Services } from '#kernel/server/services.ts';
import { jobCalls, notRunnable, type JobKind } from './contract/jobs.ts';
import { maskAnswer } from './mask.ts';

const page = 'system/delivery';
const jobPage = 'system/job';

/** Failed background jobs, for people who see all deliveries. */
export const jobsModule = implement('deliveries', jobCalls, {
  kinds: async (_input, { tx, user, services, now }) => ({ value: await kindsOf(tx, user, services, now) }),
  async runKind({ body: { name } }, { tx, audit, services }) {
    const title = titlesOf(services).get(name);
    if (title === undefined) throw absent('这种后台任务');
    if (!services.product.schedules().some(({ task }) => task === name)) throw notRunnable(title);
    // With the key of its schedule, a waiting job is brought forward.
    await enqueue(tx, name, {}, { key: scheduleKey(name) });
    audit({ type: '后台任务', id: name, title });
    return {};
  },
  jobs: ({ query }, { tx, user, services }) => listed(tx, user, query, titlesOf(services)),
  async runJob({ params: { id } }, { tx, user, audit, services }) {
    const [job] = await tx
      .select({ task: jobView.task })
      .from(jobView)
      .where(and(failedJob, sql`${jobView.id} = ${id}`));
    if (!job || !scopeOf(user, 'chuli', page).all || !(await runAgain(tx, id))) throw absent('这项后台任务');
    audit({ type: '后台任务', id, title: titlesOf(services).get(job.task) ?? job.task });
    return { id };
  },
});

/** Every kind of background job, whether it ever ran or not: scheduled, on demand, and periodic. */
async function kindsOf(tx: Db, user: Viewer, services: Services, now: Date): Promise<JobKind[]> {
  const broken = sql<boolean>`coalesce(${jobRunTable.failed_at} = ${jobRunTable.started_at}, false)`;
  const noted = await tx.select({ ...getTableColumns(jobRunTable), broken }).from(jobRunTable);
  const runs = new Map(noted.map((run) => [run.name, run]));
  const queued = await tx
    .select({
      task: jobView.task,
      waiting: count(),
      failed: sql<number>`(count(*) filter (where ${failedJob}))::int`,
      due: sql<string | null>`to_char(min(${jobView.due}) filter (where not ${deadJob}), 'YYYY-MM-DD HH24:MI:SS')`,
    })
    .from(jobView)
    .groupBy(jobView.task);
  const waits = new Map(queued.map((one) => [one.task, one]));
  const crons = new Map(services.product.schedules().map((schedule) => [schedule.task, schedule]));
  const may = holds(user, 'chuli', jobPage) ? ['run'] : [];
  const tasks = services.product.tasks().map(({ name, title }) => ({ name, title, every: null }));
  const periodic = [...runs.values()].flatMap(({ name, title, every_seconds: every }) =>
    every === null ? [] : [{ name, title, every }],
  );
  return [...tasks, ...periodic].map(({ name, title, every }) => {
    const [run, queue, cron] = [runs.get(name), waits.get(name), crons.get(name)];
    return {
      name,
      title,
      how: cron ? 'cron' : every === null ? 'asked' : 'every',
      every_seconds: every,
      last_at: run?.started_at ?? null,
      ms: run?.ms ?? null,
      next_at: cron ? nextDue(cron, now) : (queue?.due ?? null),
      waiting: queue?.waiting ?? 0,
      failed: queue?.failed ?? 0,
      failed_at: run?.failed_at ?? null,
      failure: run?.failure ? saidOf(run.failure) : '',
      broken: run?.broken ?? false,
      actions: cron ? may : [],
    };
  });
}

const titlesOf = (services: Services) => new Map(services.product.tasks().map(({ name, title }) => [name, title]));

async function listed(tx: Db, user: Viewer, query: QueryOf<typeof jobCalls.jobs>, titles: ReadonlyMap<string, string>) {
  const { id, task, tries, due, error, created } = jobView;
  const called = [...titles].flatMap(([name, title]) => (isFoundBy(title, query.search_value ?? '') ? [name] : []));
  const named = inArray(task, called);
  const seen = scopeOf(user, 'Retrieve', page).all ? and(failedJob, named) : sql`false`;
  const select = tx.select({ id, task, tries, due, error, created, dead: deadJob }).from(jobView).where(seen);
  const found = await pageOf(tx, query, select.$dynamic(), {
    by: { due_at: jobView.due },
    first: 'due_at',
    tie: jobView.id,
  });
  const may = holds(user, 'chuli', page) && scopeOf(user, 'chuli', page).all;
  return {
    ...found,
    value: found.value.map((job) => ({
      id: job.id,
      title: titles.get(job.task) ?? job.task,
      tries: job.tries,
      dead: job.dead,
      due_at: job.due,
      answer: saidOf(job.error ?? ''),
      gmt_created: job.created,
      actions: may ? ['run'] : [],
    })),
  };
}

/** A task's own message is shown; errors of the program or the database are in the server's log with details. */
function saidOf(error: string): string {
  const [first = ''] = error.split('\n');
  const forPeople = /^[\p{Script=Han}“]/u.test(first);
  return forPeople ? maskAnswer(first) : '程序或数据库出错，详情见服务日志';
}
