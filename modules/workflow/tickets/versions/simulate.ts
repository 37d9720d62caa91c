import { invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { calledBy, peopleByName } from '#modules/platform/people/service.ts';
import type { Person } from '#modules/workflow/workflows/contract/shapes.ts';
import { actState, attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { accessIn, isWritable, rightIn } from '#modules/workflow/workflows/engine/fields/rights.ts';
import {
  exitsOf,
  isSave,
  startOf,
  stateOf,
  type Definition,
  type State,
  type Transition,
} from '#modules/workflow/workflows/engine/definition.ts';
import type { Simulation, SimulationAsked } from '#modules/workflow/workflows/service.ts';
import { answered } from '../commands/deciding.ts';
import { decide, proceed, type Command } from '../engine/decide.ts';
import type { SystemEvent } from '../engine/moves/system-event.ts';
import { formsWhenDecided } from '../engine/differing.ts';
import { awaits } from '../engine/people/awaiting.ts';
import { readValue } from '../engine/form/values.ts';
import { noRights } from '../engine/ways/offers.ts';
import { isStall } from '../engine/stalling.ts';
import { waitsForTurn } from '../engine/ways/turns.ts';
import { isOver, newTicket, type LogEntry, type TicketState } from '../engine/state.ts';
import type { Facts } from '../engine/work.ts';
import { creatorFacts, worksFor } from '../commands/facts.ts';
import { toSteps } from './simulated-steps.ts';

/** Commands after which a simulation gives up: a definition has at most 100 states. */
const maxActions = 400;

/**
 * Walks a definition as a ticket of this applicant would: the running engine's own `decide`, the organisation as it is now. Required
 * fields that were not given are passed over; nothing is written.
 */
export async function simulate(tx: Db, asked: SimulationAsked): Promise<Simulation> {
  const [found] = (await peopleByName(tx, [asked.applicant])).values();
  if (!found) {
    const [name] = await calledBy(tx, [asked.applicant]);
    throw invalid([{ field: 'applicant', label: '发起人', msg: `用户“${name}”不存在或已停用` }]);
  }
  const definition: Definition = {
    ...asked.definition,
    transitions: asked.definition.transitions.map((exit) => ({ ...exit, field_require_check: false })),
  };
  const { usable, ignored } = valuesFor(definition, asked.values);
  const creator = await creatorFacts(tx, found.id, found.dept_id);
  const facts: Omit<Facts, 'people'> = {
    creator,
    works: await worksFor(tx, definition),
    started: { in_period: 0, open: 0 },
    random: 0,
    rights: noRights,
  };
  const log: LogEntry[] = [];
  let actions = 0;
  let ticket = newTicket(found.id, found.dept_id);
  let stop = '';
  while (!isOver(ticket) && stop === '') {
    if (++actions > maxActions) {
      stop = '工单一直在绕圈，没有走到结束环节，请检查流转与条件';
      break;
    }
    const command = nextCommand(definition, ticket, { ...asked, values: usable });
    const before = ticket;
    const about = {
      workflow_id: asked.workflow_id,
      parent_ticket_id: null,
      forms: async () => formsWhenDecided(log),
      record: async () => undefined,
    };
    const decision = await answered(tx, about, (known) =>
      command
        ? decide(definition, before, command, { ...facts, ...known })
        : proceed(definition, before, nextByItself(definition, before), { ...facts, ...known }),
    );
    if (decision.kind === 'refused') {
      stop = decision.refusal.message;
      break;
    }
    log.push(...decision.log);
    ticket = decision.state;
    const stalled = ticket.tasks.find(isStall);
    if (stalled) stop = `${stalled.reason}，工单会交给流程管理员处理`;
  }
  return {
    applicant: personOf(found),
    title: ticket.title,
    finishes: isOver(ticket),
    act_state_id: ticket.act_state,
    act_state_name: actState.label(ticket.act_state),
    steps: await toSteps(tx, definition, log),
    stop,
    ignored,
  };
}

const personOf = ({ id, username, alias, dept_name }: Person): Person => ({ id, username, alias, dept_name });

/** Where nobody has a task, a ticket waits for a time to be over, or for another system: that is taken to do what it is asked, and to name nobody. */
function nextByItself(definition: Definition, ticket: TicketState): SystemEvent {
  const token = ticket.tokens.find((one) => one.status === 'active');
  const place = { token: token?.no ?? 0, visit: token?.visit ?? 0 };
  if (!token || !awaits(definition, ticket, token)) return { type: 'timer', ...place };
  return { type: 'answer', ...place, ok: true, msg: '', people: [], fields: {} };
}

/** What the next person does: the chosen button, else the first that agrees. */
function nextCommand(
  definition: Definition,
  ticket: TicketState,
  asked: Pick<SimulationAsked, 'values' | 'choose' | 'decisions'>,
): Command | null {
  const words = (state: State) => ({ suggestion: '同意', fields: fieldsFor(state, ticket, asked.values), choose: {} });
  if (ticket.seq === 0) {
    const start = startOf(definition);
    const choose = Object.fromEntries(
      Object.entries(asked.choose).flatMap(([key, names]) => {
        const state = definition.states.find((candidate) => candidate.key === key);
        return state ? [[String(state.id), names] as const] : [];
      }),
    );
    const transition_id = buttonOf(definition, start, 1, asked.decisions)?.id ?? 0;
    return { type: 'create', actor: ticket.creator, transition_id, ...words(start), choose };
  }
  const task = ticket.tasks.find(
    (candidate) => candidate.status === 'todo' && !waitsForTurn(definition, ticket, candidate),
  );
  if (!task) return null;
  if (task.pooled) return { type: 'accept', actor: task.assignee, task_no: task.no };
  const state = stateOf(definition, task.state_id);
  const visits = new Set(
    ticket.tasks.filter((one) => one.state_id === state.id).map((one) => `${one.token}/${one.visit}`),
  );
  const button = buttonOf(definition, state, visits.size, asked.decisions);
  if (!button) return null;
  return { type: 'handle', actor: task.assignee, task_no: task.no, transition_id: button.id, ...words(state) };
}

function buttonOf(
  definition: Definition,
  state: State,
  visit: number,
  decisions: Readonly<Record<string, string>>,
): Transition | undefined {
  const exits = exitsOf(definition, state.id).filter((exit) => !isSave(definition, exit));
  const wanted = visit === 1 && Object.hasOwn(decisions, state.key) ? decisions[state.key] : undefined;
  return (
    exits.find((exit) => exit.key === wanted) ??
    exits.find((exit) => exit.attribute === attributeType.agree) ??
    exits.find((exit) => exit.attribute === attributeType.other) ??
    exits[0]
  );
}

/** The given values a state may write and that are not there yet. */
function fieldsFor(state: State, ticket: TicketState, values: SimulationAsked['values']): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(values).filter(([key]) => {
      return isWritable(accessIn(state, key)) && !Object.hasOwn(ticket.form, key);
    }),
  );
}

/** Values that fit their fields, and for the others why they are left out. */
function valuesFor(definition: Definition, given: Readonly<Record<string, unknown>>) {
  const usable: Record<string, unknown> = {};
  const ignored: Simulation['ignored'] = [];
  for (const [key, value] of Object.entries(given)) {
    const field = definition.fields.find((candidate) => candidate.key === key);
    const right = field && rightIn(startOf(definition), field);
    const rows = right && isWritable(right.access) ? { columns: right.columns, before: [] } : undefined;
    const read = field && readValue(field, value, rows);
    if (!read) ignored.push({ field_key: key, msg: '流程里没有这个字段' });
    else if ('msg' in read) ignored.push({ field_key: key, msg: `${field.name}：${read.msg}` });
    else if (read.value !== null) usable[key] = value;
  }
  return { usable, ignored };
}
