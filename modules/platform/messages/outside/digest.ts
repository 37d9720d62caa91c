import { sql } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { messageNews } from '../service/news.ts';
import { announce, closeTodo } from '../service.ts';

export const digest = 'digest of duties';

/** Open matters that some people have in common this morning. */
export interface Duties {
  people: readonly number[];
  kinds: readonly { title: string; count: number; overdue: number }[];
}
export type DutiesOf = (tx: Db) => Promise<Duties[]>;

const module = 'messages';

/** One message a morning for everybody with open matters, however many; yesterday's is withdrawn. */
export function digestTask(databases: Pick<Databases, 'write'>, dutiesOf: DutiesOf): Task {
  return {
    name: digest,
    title: '每日待办汇总',
    run: (_payload, { now }) =>
      databases.write(async (tx) => {
        const day = Number(dayOf(now).replaceAll('-', ''));
        const { rows } = await tx.execute<{ object_id: number }>(sql`
          select distinct object_id from msg where module = ${module} and event = 'DIGEST' and object_id < ${day}
            and gmt_created > now() - interval '10 days'`);
        const past = rows.map((row) => row.object_id);
        if (past.length > 0) await closeTodo(tx, { module, objectId: past, events: ['DIGEST'] });
        const unwanted = await notWanting(tx);
        for (const { people, kinds } of await dutiesOf(tx)) {
          const sum = (key: 'count' | 'overdue') => kinds.reduce((all, kind) => all + kind[key], 0);
          const each = kinds.map((kind) => `${kind.title} ${muchOf(kind)}`).join('；');
          const said = {
            title: `今日待办：${muchOf({ count: sum('count'), overdue: sum('overdue') })}`,
            content: `截至今天早上等待办理的事项：${each}。`,
            by: null,
          };
          const to = people.filter((id) => !unwanted.has(id));
          await announce(tx, messageNews.DIGEST, { id: day }, said, to);
        }
      }),
  };
}

const muchOf = ({ count, overdue }: { count: number; overdue: number }) =>
  overdue > 0 ? `${count} 项，其中 ${overdue} 项已逾期` : `${count} 项`;

async function notWanting(tx: Db): Promise<Set<number>> {
  const { rows } = await tx.execute<{ user_id: number }>(sql`select user_id from msg_habit where not digest`);
  return new Set(rows.map((row) => row.user_id));
}
