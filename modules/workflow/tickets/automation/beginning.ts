import { attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { childItems, type ChildItem } from '#modules/workflow/workflows/engine/fields/children.ts';
import {
  exitsOf,
  isSave,
  startOf,
  stateOf,
  type Definition,
  type State,
  type Transition,
} from '#modules/workflow/workflows/engine/definition.ts';
import type { LogEntry, TicketState } from '../engine/state.ts';

/** A stay in a state that begins tickets below itself. */
interface Beginning {
  token: number;
  visit: number;
  place: State;
  items: ChildItem[];
}

/** The stays that a ticket has entered, and is still in, whose states begin tickets below themselves. */
export function begunBelow(definition: Definition, state: TicketState, log: readonly LogEntry[]): Beginning[] {
  if (!definition.states.some((one) => one.children)) return [];
  return log.flatMap(({ events }) =>
    events.flatMap((event) => {
      if (event.type !== 'token_entered') return [];
      const { token, visit } = event;
      const place = stateOf(definition, event.state_id);
      const there = state.tokens.some((one) => one.no === token && one.visit === visit && one.status === 'active');
      const items = there ? childItems(definition, place, state.form) : null;
      return items ? [{ token, visit, place, items }] : [];
    }),
  );
}

/** The button that submits a ticket, for tickets begun without a person. */
export function submitting(definition: Definition): Transition | undefined {
  const ways = exitsOf(definition, startOf(definition).id).filter((exit) => !isSave(definition, exit));
  return ways.find((exit) => exit.attribute === attributeType.agree) ?? ways[0];
}
