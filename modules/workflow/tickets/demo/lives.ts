import type { Chance } from '#kernel/server/process/chance.ts';
import { actState, attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import {
  exitsOf,
  isSave,
  startOf,
  stateOf,
  type Definition,
  type State,
  type Transition,
} from '#modules/workflow/workflows/engine/definition.ts';
import type { PersonCard } from '#modules/platform/people/service.ts';
import { agreements, refusals } from './words.ts';
import { decide, type Command } from '../engine/decide.ts';
import { noRights, offered } from '../engine/ways/offers.ts';
import { formsWhenDecided } from '../engine/differing.ts';
import { queryKey, type PeopleQuery } from '../engine/people/people.ts';
import { newTicket, type LogEntry, type Task, type TicketState } from '../engine/state.ts';
import type { Facts } from '../engine/work.ts';
import { isWeekday } from './words.ts';

export interface DemoFlow {
  workflow_id: number;
  version_id: number;
  /** True if copies of a life get other words of the same `category`. */
  varies: boolean;
  definition: Definition;
  /** Values that the creator fills in on a day. */
  ask(chance: Chance, day: Date, around: Around): Record<string, unknown>;
  /** Values that people who agree or work in a state fill in there. */
  answer(chance: Chance, day: Date, state: State): Record<string, unknown>;
}
/** Those whom somebody may name: user names of the staff, and their own department. */
export interface Around {
  people: readonly string[];
  dept: number | null;
}
/** The organisation, as far as a life needs it. */
export interface Cast {
  creators: readonly PersonCard[];
  facts(person: PersonCard): Promise<Facts['creator']>;
  answer(workflowId: number, query: PeopleQuery): Promise<readonly number[]>;
}

interface Step {
  /** Milliseconds since 1970 on the calendar of `referenceWeek`. */
  at: number;
  log: LogEntry[];
  state: TicketState;
}
/** The course of one ticket from its first to its last command, decided by the engine. */
export interface Life {
  flow: DemoFlow;
  creator: PersonCard;
  steps: Step[];
}

/** Monday 2001-01-01 00:00 in Shanghai. Lives begin in this week; a ticket is shifted by whole weeks, so that working hours stay the same. */
export const referenceWeek = Date.UTC(2001, 0, 1) - 8 * 3_600_000;
const hour = 3_600_000;
const day = 24 * hour;
/** The most steps of a life; a flow of many states has room for each to be claimed and decided. */
const longestOf = ({ states }: Definition) => Math.max(14, states.length * 3 - 4);

export async function liveThrough(flow: DemoFlow, creator: PersonCard, chance: Chance, cast: Cast): Promise<Life> {
  const begun = referenceWeek + (chance.happens(0.96) ? chance.between(0, 4) : 5) * day;
  let at = begun + Math.round((8 + chance.pick([0, 0.5, 1, 1.5, 2, 3, 6, 6.5, 7, 8]) + chance.draw() * 1.5) * hour);
  let state = newTicket(creator.id, creator.dept_id);
  let command: Command | null = {
    type: 'create',
    actor: creator.id,
    transition_id: firstButton(flow.definition, chance.happens(0.1)).id,
    suggestion: '',
    fields: flow.ask(chance, new Date(at + 8 * hour), {
      people: cast.creators.map(({ username }) => username),
      dept: creator.dept_id,
    }),
    choose: {},
  };
  const steps: Step[] = [];
  while (command && steps.length < longestOf(flow.definition)) {
    const told = { creator: await cast.facts(creator), random: chance.draw(), before: steps.flatMap(({ log }) => log) };
    const decided = await settle(flow, state, command, told, cast);
    ({ state } = decided);
    steps.push({ at, ...decided });
    const middle = isWorking(flow.definition, state) ? 36 * hour : 8 * hour;
    at = inWorkingTime(at + 120_000 + Math.round(chance.lasting(middle)), chance);
    command = nextCommand(flow, state, new Date(at + 8 * hour), chance);
  }
  return { flow, creator, steps };
}

async function settle(
  { definition, workflow_id }: DemoFlow,
  state: TicketState,
  command: Command,
  { creator, random, before }: { creator: Facts['creator']; random: number; before: readonly LogEntry[] },
  cast: Cast,
): Promise<{ log: LogEntry[]; state: TicketState }> {
  const people: Record<string, readonly number[]> = {};
  const forms = formsWhenDecided(before);
  for (;;) {
    // A life is repeated in many weeks, so working days are simply weekdays.
    const facts = { creator, people, random, forms, rights: noRights, works: isWeekday };
    const decision = decide(definition, state, command, facts);
    if (decision.kind === 'decided') return decision;
    if (decision.kind === 'refused') throw decision.refusal;
    for (const query of decision.queries) people[queryKey(query)] = await cast.answer(workflow_id, query);
  }
}

function firstButton(definition: Definition, save: boolean): Transition {
  const found = exitsOf(definition, startOf(definition).id).find((exit) => isSave(definition, exit) === save);
  if (!found) throw new Error('the start has no such button');
  return found;
}

/** The next command of the people who must act; null if they leave it for good. */
function nextCommand(flow: DemoFlow, state: TicketState, today: Date, chance: Chance): Command | null {
  const open = state.tasks.filter((task) => task.status === 'todo');
  if (open.length === 0) return null;
  const task = chance.pick(open);
  const actor = task.assignee;
  const words = { suggestion: '', fields: {}, choose: {} };
  const offers = offered(flow.definition, state, actor, noRights).filter((offer) => offer.task_no === task.no);
  if (offers.some((offer) => offer.action === 'accept'))
    return chance.happens(0.97) ? { type: 'accept', actor, task_no: task.no } : null;
  if (state.act_state === actState.draft || state.act_state === actState.returned) {
    // A submitted ticket is abandoned or closed; only a draft is deleted.
    if (chance.happens(0.08))
      return state.act_state === actState.draft
        ? { type: 'delete', actor }
        : { type: 'close', actor, suggestion: '不再需要' };
    const submit = firstButton(flow.definition, false).id;
    return chance.happens(0.75) ? { type: 'handle', actor, transition_id: submit, ...words } : null;
  }
  const buttons = offers.flatMap((offer) => offer.transition ?? []);
  const refuse = chance.happens(0.09) && buttons.find((button) => button.attribute === attributeType.refuse);
  const button = refuse || buttons.find((candidate) => candidate.attribute === attributeType.agree);
  if (!button || chance.happens(0.01)) return null;
  const fields = refuse ? {} : flow.answer(chance, today, stateOf(flow.definition, task.state_id));
  const suggestion = chance.pick(refuse ? refusals : agreements);
  return { type: 'handle', actor, transition_id: button.id, task_no: task.no, suggestion, fields, choose: {} };
}

const isHandling = (definition: Definition, task: Task) => stateOf(definition, task.state_id).kind === 'handle';
const isWorking = (definition: Definition, state: TicketState) =>
  state.tasks.some((task) => task.status === 'todo' && isHandling(definition, task));

/** The same moment, or the next working morning. */
function inWorkingTime(at: number, chance: Chance): number {
  const hours = ((at - referenceWeek) % day) / hour;
  const weekday = Math.floor((at - referenceWeek) / day) % 7;
  const morning = (days: number) => at - hours * hour + days * day + Math.round((8 + chance.draw() * 2.5) * hour);
  if (weekday >= 5) return morning(7 - weekday);
  if (hours < 8) return morning(0);
  return hours < 18 ? at : morning(weekday === 4 ? 3 : 1);
}
