import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { decide, proceed, reassignCandidates, type Command, type Decision } from '../decide.ts';
import type { SystemEvent } from '../moves/system-event.ts';
import { noRights, type Rights } from '../ways/offers.ts';
import { queryKey, type Answers, type PeopleQuery } from '../people/people.ts';
import type { TicketState } from '../state.ts';
import type { FormsDecided } from '../differing.ts';
import type { Facts } from '../work.ts';

/** Answers a query of the core. */
export type Organisation = (query: PeopleQuery) => readonly number[];
export type Decided = Exclude<Decision, { kind: 'asks' }>;

interface Known extends Pick<Facts, 'by_itself' | 'of_record'> {
  random?: number;
  rights?: Rights;
  forms?: FormsDecided;
}

/** Decides as the caller does: answers questions until it is decided. */
export function run(
  definition: Definition,
  state: TicketState,
  command: Command | SystemEvent | 'regroup' | { type: 'regroup'; person: number },
  organisation: Organisation,
  { random = 0, rights = noRights, forms, ...how }: Known = {},
): Decided {
  let people: Answers = {};
  const creator: Facts['creator'] = { alias: '张三', dept_path: [2, 1], roles: ['staff'] };
  for (let round = 0; round < 100; round++) {
    // By default everything was decided with the present form.
    const known = forms ?? new Map(state.tasks.map((task) => [task.no, state.form]));
    const facts = { creator, people, random, rights, forms: known, ...how };
    const decision =
      command === 'regroup' || command.type === 'regroup'
        ? reassignCandidates(definition, state, command === 'regroup' ? 0 : command.person, facts)
        : happens(command)
          ? proceed(definition, state, command, facts)
          : decide(definition, state, command, facts);
    if (decision.kind !== 'asks') return decision;
    people = {
      ...people,
      ...Object.fromEntries(decision.queries.map((query) => [queryKey(query), organisation(query)])),
    };
  }
  throw new Error('asks without end');
}

export function passed(decision: Decided): TicketState {
  if (decision.kind !== 'decided') throw decision.refusal;
  return decision.state;
}
export function refused(decision: Decided): string {
  if (decision.kind !== 'refused') throw new Error('it was accepted');
  return decision.refusal.message;
}

/** The types of all system events, so that a new one cannot be left out. */
const systemEvents: Readonly<Record<SystemEvent['type'], true>> = {
  timer: true,
  children: true,
  childless: true,
  answer: true,
  stall: true,
  remind: true,
};

function happens(command: Command | SystemEvent): command is SystemEvent {
  return command.type in systemEvents;
}
