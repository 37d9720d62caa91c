import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { holdTickets } from '#modules/workflow/tickets/service.ts';
import type { RecordViewer } from '#modules/workflow/records/service.ts';
import { notInState, notYours } from '../contract/refusals.ts';
import { isOfOffice, leadsIt, meetChanges, meetings, runsIt, type Meet } from '../record/record.ts';

export type Asked = Omit<Context, 'user'> & { user: Viewer };
export interface Opened {
  context: Asked;
  row: Meet;
  viewer: RecordViewer;
  /** Belongs to the room's office, or handles meetings of the meeting's department. */
  office: boolean;
  /** Created it, hosts it, records it or is its contact; or belongs to the office. */
  runs: boolean;
  /** Created it, or belongs to the office: decides time, place and attendees. */
  leads: boolean;
  /** The same, or hosts it. */
  cancels: boolean;
}

/** Locks a meeting the user sees: first the ticket of a pending change, then its own ticket, then its row. */
export async function open(context: Asked, id: number): Promise<Opened> {
  const { tx, user } = context;
  const viewer = await meetings.viewerOf(tx, user);
  const waiting = (await meetChanges.pendingOf(tx, [id])).get(id);
  if (waiting?.ticket_id) await holdTickets(tx, [waiting.ticket_id]);
  const row = await meetings.requireForUpdate(tx, viewer, id);
  return { context, row, viewer, ...(await rightsOn(context, row)) };
}

/** The same for an act that needs a right and a status. */
export async function openFor(
  context: Asked,
  id: number,
  {
    act,
    may = 'runs',
    act_state = [4],
    meet_status = [0],
    when,
  }: {
    act: string;
    may?: 'runs' | 'leads' | 'cancels' | 'office' | 'sees';
    act_state?: readonly number[];
    meet_status?: readonly number[];
    /** The status in which it is possible, for the words of the refusal. */
    when: string;
  },
): Promise<Opened> {
  const opened = await open(context, id);
  const { row } = opened;
  if (may !== 'sees' && !opened[may]) throw notYours(act, may === 'office' ? '会务人员' : '会议发起人或会务人员');
  if (!act_state.includes(row.act_state) || !meet_status.includes(row.meet_status))
    throw notInState(meetings.stateOf(row), act, when);
  return opened;
}

/** The user's rights on a meeting they see, without locking. */
export async function rightsOn({ tx, user }: Pick<Asked, 'tx' | 'user'>, row: Meet) {
  const office = await isOfOffice(tx, user, row.id);
  return { office, runs: office || runsIt(row, user), ...leadsIt(row, user, office) };
}
