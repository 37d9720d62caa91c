import { prepared, type Db } from '#kernel/server/db/db.ts';
import type { Stored } from '../store/store.ts';

/** True if a person has an open task or a copy they never opened. */
function isUnread({ state, unread, copies }: Stored, person: number): boolean {
  return (
    copies.some((copy) => copy.user === person && copy.read_at === null) ||
    state.tasks.some((task) => task.assignee === person && unread.includes(task.no))
  );
}

/** True if the log has rows after the last one its reader has read. */
export const hasNews = ({ state, looked }: Stored): boolean => looked !== null && looked < state.seq;

/** True if there is something to mark as read when a person has seen a ticket. */
export const isNew = (stored: Stored, person: number): boolean =>
  stored.looked !== stored.state.seq || isUnread(stored, person);

/** Stores how far a person has read, and when they first opened their tasks and a copy. */
export async function markRead(tx: Db, stored: Stored, person: number): Promise<void> {
  const { id: ticket } = stored;
  await prepared(tx, 'ticket-mark-look', markLook, [ticket, person, stored.state.seq]);
  if (!isUnread(stored, person)) return;
  await prepared(tx, 'ticket-mark-tasks', markTasks, [ticket, person]);
  await prepared(tx, 'ticket-mark-copies', markCopies, [ticket, person]);
}

/** Records that a person still has a ticket open; returns the names of the others who do. */
export async function lookTogether(tx: Db, ticket: number, person: number): Promise<string[]> {
  const rows = await prepared<{ alias: string }>(tx, 'ticket-looking', viewers, [ticket, person]);
  return rows.map((row) => row.alias);
}

/** Every open page reports every twenty seconds. */
const viewers = `with mine as (update ticket_look set looked_at = now() where ticket_id = $1 and user_id = $2)
  select u.alias from ticket_look o join app_user u on u.id = o.user_id
  where o.ticket_id = $1 and o.user_id <> $2 and o.looked_at > now() - interval '45 seconds' order by o.looked_at desc limit 10`;
const markLook = `insert into ticket_look (ticket_id, user_id, seq) values ($1, $2, $3)
  on conflict (ticket_id, user_id) do update set seq = greatest(ticket_look.seq, excluded.seq), looked_at = now()`;
const markTasks = `update ticket_task set first_read_at = now()
  where ticket_id = $1 and assignee_id = $2 and status = 'todo' and first_read_at is null`;
const markCopies = 'update ticket_cc set read_at = now() where ticket_id = $1 and user_id = $2 and read_at is null';
