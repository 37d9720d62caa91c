import { and, between, eq } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { dateReminders } from '#modules/platform/messages/service/reminders.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { loanStatus } from './contract.ts';
import { keyNews } from './news.ts';
import { keyTable, loanTable as t } from './tables.ts';

interface Due {
  id: number;
  due: string;
  title: string;
  keeper: number;
  borrower: number;
  alias: string;
}

/** Reminds one side of a key that is out too long, on each of the first thirty days. */
const reminderOf = (part: number, people: (row: Due) => number[], says: (row: Due) => string) =>
  dateReminders<Due>({
    kind: keyNews.KEY_OVERDUE,
    part,
    days: Array.from({ length: 30 }, (_one, at) => -1 - at),
    async due(tx, { first, last }) {
      const rows = await tx
        .select({
          id: t.id,
          due: t.due_date,
          title: t.title,
          keeper: keyTable.keeper,
          borrower: t.creator_id,
        })
        .from(t)
        .innerJoin(keyTable, eq(keyTable.id, t.key_id))
        .where(and(eq(t.status, loanStatus.out), between(t.due_date, first, last)))
        .orderBy(t.id)
        .for('share', { of: t });
      const people = await peopleById(
        tx,
        rows.map((row) => row.borrower),
      );
      return rows.map((row) => ({ ...row, alias: people.get(row.borrower)!.alias }));
    },
    to: async (_tx, rows) => new Map(rows.map((row) => [row.id, people(row)])),
    says: (row, left) => ({
      title: `钥匙逾期未还：${row.title}`,
      content: `${row.title}最迟应于 ${row.due} 归还，已逾期 ${-left} 天，${says(row)}。`,
    }),
  });
const remindBorrower = reminderOf(
  1,
  ({ borrower }) => [borrower],
  () => '请尽快归还并由保管人登记',
);
const remindKeeper = reminderOf(
  2,
  ({ keeper, borrower }) => (keeper === borrower ? [] : [keeper]),
  ({ alias }) => `现由${alias}借用，请催还；已经交还的，请登记归还`,
);

/** Reminds the borrowers and the keepers. */
export async function remindOfKeys(tx: Db, now: Date): Promise<void> {
  await remindBorrower(tx, now);
  await remindKeeper(tx, now);
}

const task = 'remind of keys';
export const keyTasks = ({ databases }: { databases: Pick<Databases, 'write'> }): Task[] => [
  {
    name: task,
    title: '钥匙逾期提醒',
    run: async (_payload, { now }) => databases.write((tx) => remindOfKeys(tx, now)),
  },
];
export const keySchedules: Schedule[] = [{ task, cron: '30 8 * * *', catchUpHours: 12 }];
