import { prepared, type Db } from '#kernel/server/db.ts';
import type { Stored } from './store.ts';

/** Whether a person has an open task or a copy they never looked at. */
export function isUnread({ state, unread, copies }: Stored, person: number): boolean {
  return (
    copies.some((copy) => copy.user === person && copy.read_at === null) ||
    state.tasks.some((task) => task.assignee === person && unread.includes(task.no))
  );
}

/** Keeps when a person first looked at their open tasks and at a copy. */
export async function markRead(tx: Db, ticket: number, person: number): Promise<void> {
  await prepared(tx, 'ticket-mark-tasks', markTasks, [ticket, person]);
  await prepared(tx, 'ticket-mark-copies', markCopies, [ticket, person]);
}

const markTasks = `update ticket_task set first_read_at = now()
  where ticket_id = $1 and assignee_id = $2 and status = 'todo' and first_read_at is null`;
const markCopies = 'update ticket_cc set read_at = now() where ticket_id = $1 and user_id = $2 and read_at is null';
