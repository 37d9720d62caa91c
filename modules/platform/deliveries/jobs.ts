import { and, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { deadJob, failedJob, jobView, runAgain } from '#kernel/server/jobs/jobs.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Services } from '#kernel/server/services.ts';
import { jobCalls } from './contract/jobs.ts';
import { maskAnswer } from './mask.ts';

const page = 'system/delivery';

/** Work beside requests that failed, for those who see all that leaves the house. */
export const jobsModule = implement('deliveries', jobCalls, {
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

const titlesOf = (services: Services) => new Map(services.product.tasks().map(({ name, title }) => [name, title]));

async function listed(tx: Db, user: Viewer, query: QueryOf<typeof jobCalls.jobs>, titles: ReadonlyMap<string, string>) {
  const seen = scopeOf(user, 'Retrieve', page).all ? failedJob : sql`false`;
  const { id, task, tries, due, error, created } = jobView;
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

/** What a task says of itself, to be read; a fault of the program or the database stands in the server's log with its details. */
function saidOf(error: string): string {
  const [first = ''] = error.split('\n');
  const forPeople = /^[\p{Script=Han}“]/u.test(first);
  return forPeople ? maskAnswer(first) : '程序或数据库出错，详情见服务日志';
}
