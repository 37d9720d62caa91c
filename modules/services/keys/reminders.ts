import { and, between, eq, sql } from 'drizzle-orm';
import type { Databases } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { dateReminders } from '#modules/platform/messages/service/reminders.ts';
import { loanStatus } from './contract.ts';
import { keyNews } from './news.ts';
import { keyTable, loanTable as t } from './tables.ts';

interface Due {
  id: number;
  due: string;
  title: string;
  people: number[];
}

/** Reminds the borrower and the keeper of a key that is out too long, on each of the first thirty days. */
export const remindOfKeys = dateReminders<Due>({
  kind: keyNews.KEY_OVERDUE,
  days: Array.from({ length: 30 }, (_one, at) => -1 - at),
  due: (tx, { first, last }) =>
    tx
      .select({
        id: t.id,
        due: t.due_date,
        title: t.title,
        people: sql<number[]>`array[${t.creator_id}, (select keeper from ${keyTable} k where k.id = ${t.key_id})]`,
      })
      .from(t)
      .where(and(eq(t.status, loanStatus.out), between(t.due_date, first, last)))
      .orderBy(t.id)
      .for('share'),
  to: async (_tx, rows) => new Map(rows.map((row) => [row.id, row.people])),
  says: ({ title, due }, left) => ({
    title: `钥匙逾期未还：${title}`,
    content: `${title}应于 ${due} 归还，已逾期 ${-left} 天，请尽快归还并由保管人登记。`,
  }),
});

const task = 'remind of keys';
export const keyTasks = ({ databases }: { databases: Pick<Databases, 'write'> }): Task[] => [
  {
    name: task,
    title: '钥匙逾期提醒',
    run: async (_payload, { now }) => void (await databases.write((tx) => remindOfKeys(tx, now))),
  },
];
export const keySchedules: Schedule[] = [{ task, cron: '30 8 * * *', catchUpHours: 12 }];
