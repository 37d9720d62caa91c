import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { busyIn, hasVoted, isOpen, type LogEntry, type TicketState } from '../state.ts';

export type NewsEvent =
  | 'TODO'
  | 'BEGUN'
  | 'RETURNED'
  | 'SENT_BACK'
  | 'UNCONFIRMED'
  | 'APPROVED'
  | 'CLOSED'
  | 'REVOKED'
  | 'WITHDRAWN'
  | 'TAKEN_BACK'
  | 'URGE'
  | 'TIMEOUT'
  | 'DUE_SOON'
  | 'CC'
  | 'MENTION'
  | 'HANDED'
  | 'BACK';
export interface TicketNews {
  event: NewsEvent;
  to: readonly number[];
}
export interface Changed {
  news: readonly TicketNews[];
  /** People with nothing left to do in this ticket: their to-do message is withdrawn. */
  withdrawn: readonly number[];
}

/** Actions after which a vanished task is explained to its owner: it went away without anybody deciding it. */
const disturbing = new Set(['retreat', 'close', 'state']);
/** Actions by which a stay may end in the ticket going back. */
const givingBack = new Set(['handle', 'return']);

/**
 * The notifications after one command. Nobody is told of their own action (`actor` null: the system's). `mentioned`: the people named in a comment;
 * `early`: those whom the system reminds before their deadline.
 */
export function newsOf(
  before: TicketState,
  after: TicketState,
  log: readonly LogEntry[],
  actor: number | null,
  { mentioned = [], early }: { mentioned?: readonly number[] | undefined; early?: readonly number[] | undefined } = {},
): Changed {
  const had = busyIn(before);
  const has = busyIn(after);
  const news: TicketNews[] = [];
  const add = (event: NewsEvent, to: Iterable<number>) => {
    const people = [...new Set(to)].filter((person) => person !== actor);
    if (people.length > 0) news.push({ event, to: people });
  };
  const fresh = [...has].filter((person) => !had.has(person));
  const withdrawn = [...had].filter((person) => !has.has(person));
  // The person who started it for its creator hears of its progress as well, but has nothing to do in it.
  const writer = after.begun_by === null ? [] : [after.begun_by];
  const owners = [after.creator, ...writer];
  add('BEGUN', before.seq === 0 && after.begun_by !== null ? [after.creator] : []);
  const backAtCreator = after.act_state === actState.returned && before.act_state !== actState.returned;
  const refusedFinish = before.act_state === actState.finishAsked && after.act_state === actState.finished;
  add('RETURNED', backAtCreator ? [after.creator] : []);
  add(
    'TODO',
    fresh.filter((person) => !(backAtCreator && person === after.creator)),
  );
  if (before.act_state !== after.act_state) {
    if (after.act_state === actState.finished && !refusedFinish) add('APPROVED', owners);
    if (after.act_state === actState.withdrawn) add('TAKEN_BACK', writer);
    if (after.act_state === actState.closed && !after.voided) add('CLOSED', owners);
    if (after.voided) add('REVOKED', reliedOnIt(after));
  }
  const back = log.find(isGivenBack);
  const beside = back ? [...askedBeside(after, back), ...withdrawn] : [];
  // It stays finished: it went back to nobody.
  if (refusedFinish) add('UNCONFIRMED', [...owners, ...beside]);
  else if (back || backAtCreator) {
    const ended = after.act_state === actState.closed && before.act_state !== actState.closed;
    const known = new Set([...fresh, ...(backAtCreator ? [after.creator] : ended ? owners : [])]);
    add(
      'SENT_BACK',
      [...owners, ...beside].filter((person) => !known.has(person)),
    );
  }
  if (log.some((entry) => disturbing.has(entry.action) || isTakenAway(after, entry))) {
    add(
      'WITHDRAWN',
      withdrawn.filter((person) => !(after.act_state === actState.closed && person === after.creator)),
    );
  }
  if (log.some((entry) => entry.action === 'urge')) {
    if (early) add('DUE_SOON', early);
    else add(actor === null ? 'TIMEOUT' : 'URGE', has);
  }
  if (log.some((entry) => entry.action === 'end_leave')) add('BACK', reliedOnIt(after));
  add(
    'HANDED',
    log
      .flatMap((entry) => (entry.action === 'left' ? whoAskedThem(after, entry) : []))
      .filter((person) => !fresh.includes(person)),
  );
  const named = new Set(mentioned);
  add('MENTION', named);
  add(
    'CC',
    log
      .flatMap((entry) => entry.events.flatMap((event) => (event.type === 'copied' ? event.people : [])))
      .filter((person) => !named.has(person)),
  );
  return { news, withdrawn };
}

/** People who may have acted on a ticket: those who decided it, and those who received a copy. */
function reliedOnIt({ creator, begun_by, tasks, copied }: TicketState): number[] {
  const decided = tasks.filter((task) => hasVoted(task)).map((task) => task.assignee);
  return [creator, ...(begun_by === null ? [] : [begun_by]), ...decided, ...Object.values(copied).flat()];
}

/** The people who wait for a leaver's tasks: the creator, and those who asked them for an opinion. */
function whoAskedThem({ creator, tasks }: TicketState, { task_nos }: LogEntry): number[] {
  const theirs = tasks.filter((task) => task_nos.includes(task.no));
  const asked = tasks.filter((task) => isOpen(task) && theirs.some((one) => one.origin_no === task.no && one.answers));
  return [creator, ...asked.map((task) => task.assignee)].filter(
    (person) => !theirs.some((task) => task.assignee === person),
  );
}

/** True for a decision that sent the ticket back. */
function isGivenBack({ action, events }: LogEntry): boolean {
  return givingBack.has(action) && events.some((event) => event.type === 'token_entered' && event.returned);
}

/** Everybody who was asked in the stay that a decision ended, however they voted. */
function askedBeside({ tasks }: TicketState, { task_nos }: LogEntry): number[] {
  const decided = tasks.filter((task) => task_nos.includes(task.no));
  return tasks
    .filter(({ status }) => status !== 'waiting' && status !== 'skipped')
    .filter(({ token, visit }) => decided.some((task) => task.token === token && task.visit === visit))
    .map((task) => task.assignee);
}

/** True if somebody else handed the task on. */
function isTakenAway(state: TicketState, { action, actor, task_nos }: LogEntry): boolean {
  return action === 'deliver' && state.tasks.some((task) => task_nos.includes(task.no) && task.assignee !== actor);
}
