import type { Databases, Db } from '#kernel/server/db/db.ts';
import { enqueue, type Task } from '#kernel/server/jobs/jobs.ts';
import { withDelegates } from './service.ts';

const name = 'stand-in over';
/** Withdraws the to-dos of people who may no longer decide them. */
export type WithdrawTodos = (tx: Db, people: readonly number[]) => Promise<void>;

/** Called when somebody is a delegate no longer; those who were delegates through them lose it too. */
export const over = async (tx: Db, withdrawTodos: WithdrawTodos, to: number): Promise<void> =>
  withdrawTodos(tx, await withDelegates(tx, to));

/** Does the same once the delegation's time is over. */
export const overAt = (tx: Db, id: number, to: number, at: Date): Promise<void> =>
  enqueue(tx, name, { to }, { key: `stand-in:${id}`, at });

export const overTask = (databases: Pick<Databases, 'write'>, withdrawTodos: WithdrawTodos): Task<{ to: number }> => ({
  name,
  title: '代理到期收回待办',
  run: ({ to }) => databases.write((tx) => over(tx, withdrawTodos, to)),
});
