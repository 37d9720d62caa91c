import type { Db } from '#kernel/server/db/db.ts';
import { attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import {
  exitsOf,
  isSave,
  stateOf,
  type Definition,
  type State,
  type Transition,
} from '#modules/workflow/workflows/engine/definition.ts';
import { answered } from '../commands/deciding.ts';
import { worksFor } from '../commands/facts.ts';
import { decide, proceed, type Command } from '../engine/decide.ts';
import type { FormsDecided } from '../engine/differing.ts';
import type { SystemEvent } from '../engine/moves/system-event.ts';
import { awaits } from '../engine/people/awaiting.ts';
import { isStall } from '../engine/stalling.ts';
import { isOver, type LogEntry, type RecordContent, type Task, type TicketState } from '../engine/state.ts';
import { noRights } from '../engine/ways/offers.ts';
import { waitsForTurn } from '../engine/ways/turns.ts';
import type { Facts } from '../engine/work.ts';

/** Commands after which a walk gives up: a definition has at most 100 states. */
const maxActions = 400;

/** A walk of a ticket from its present state, with everybody agreeing. */
export interface Walk {
  workflow_id: number;
  parent_ticket_id: number | null;
  definition: Definition;
  ticket: TicketState;
  creator: Facts['creator'];
  of_record: boolean;
  /** The command that begins a ticket that does not exist yet. */
  begin?: Command;
  /** The fields and choices entered by the person of a task. */
  words(state: State, ticket: TicketState): Pick<Extract<Command, { type: 'create' }>, 'fields' | 'choose'>;
  /** The button to press in a state at one of its visits; by default the first that agrees. */
  button?(state: State, visit: number): string | undefined;
  /** The forms of all decisions, those of the walk after the earlier ones. */
  forms(walked: readonly LogEntry[]): Promise<FormsDecided>;
  record(): Promise<RecordContent | undefined>;
}
interface Walked {
  ticket: TicketState;
  log: LogEntry[];
  /** Why it does not reach an end; empty if it does. */
  stop: string;
}

/** Walks a ticket to its end with the running engine's `decide` and the present organisation. Empty required fields are ignored; nothing is written. */
export async function walkOn(tx: Db, walk: Walk): Promise<Walked> {
  const definition: Definition = {
    ...walk.definition,
    transitions: walk.definition.transitions.map((exit) => ({ ...exit, field_require_check: false })),
  };
  const facts: Omit<Facts, 'people'> = {
    creator: walk.creator,
    works: await worksFor(tx, definition),
    of_record: walk.of_record,
    started: { in_period: 0, open: 0 },
    random: 0,
    rights: noRights,
  };
  const log: LogEntry[] = [];
  const { workflow_id, parent_ticket_id, record } = walk;
  const about = { workflow_id, parent_ticket_id, record, forms: () => walk.forms(log) };
  let { ticket } = walk;
  for (let actions = 1; !isOver(ticket); actions += 1) {
    const stalled = ticket.tasks.find(isStall);
    if (stalled) return { ticket, log, stop: `${stalled.reason}，工单会交给流程管理员处理` };
    if (actions > maxActions) return { ticket, log, stop: '工单一直在绕圈，没有走到结束环节，请检查流转与条件' };
    const command = (actions === 1 && walk.begin) || nextCommand(definition, ticket, walk);
    const before = ticket;
    const decision = await answered(tx, about, (known) =>
      command
        ? decide(definition, before, command, { ...facts, ...known })
        : proceed(definition, before, nextByItself(definition, before), { ...facts, ...known }),
    );
    if (decision.kind === 'refused') return { ticket, log, stop: decision.refusal.message };
    log.push(...decision.log);
    ticket = decision.state;
  }
  return { ticket, log, stop: '' };
}

/** If nobody has a task, a ticket waits for a time, or for another system, which is assumed to do as asked and to name nobody. */
function nextByItself(definition: Definition, ticket: TicketState): SystemEvent {
  const token = ticket.tokens.find((one) => one.status === 'active');
  const place = { token: token?.no ?? 0, visit: token?.visit ?? 0 };
  if (!token || !awaits(definition, ticket, token)) return { type: 'timer', ...place };
  return { type: 'answer', ...place, ok: true, msg: '', people: [], fields: {} };
}

const isNext = (definition: Definition, ticket: TicketState) => (task: Task) =>
  task.status === 'todo' && !waitsForTurn(definition, ticket, task);

/** The next person's action: the chosen button, else the first that agrees. */
function nextCommand(definition: Definition, ticket: TicketState, { words, button }: Walk): Command | null {
  const task = ticket.tasks.find(isNext(definition, ticket));
  if (!task) return null;
  if (task.pooled) return { type: 'accept', actor: task.assignee, task_no: task.no };
  // People asked for an opinion give it, and the task returns to its owner.
  if (task.answers) return { type: 'add_node_end', actor: task.assignee, task_no: task.no, suggestion: '同意' };
  const state = stateOf(definition, task.state_id);
  const visits = new Set(
    ticket.tasks.filter((one) => one.state_id === state.id).map((one) => `${one.token}/${one.visit}`),
  );
  const pressed = buttonOf(definition, state, button?.(state, visits.size));
  if (!pressed) return null;
  const said = { suggestion: '同意', ...words(state, ticket) };
  return { type: 'handle', actor: task.assignee, task_no: task.no, transition_id: pressed.id, ...said };
}

/** The button of this key, else the first that agrees. */
export function buttonOf(definition: Definition, state: State, wanted: string | undefined): Transition | undefined {
  const exits = exitsOf(definition, state.id).filter((exit) => !isSave(definition, exit));
  return (
    exits.find((exit) => exit.key === wanted) ??
    exits.find((exit) => exit.attribute === attributeType.agree) ??
    exits.find((exit) => exit.attribute === attributeType.other) ??
    exits[0]
  );
}
