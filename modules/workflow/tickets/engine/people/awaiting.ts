import { awaitedIn, stateOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { isStall } from '../stalling.ts';
import type { TicketState, Token } from '../state.ts';

/** What a token waits for from another system: whether it is done, or whom to ask. Null where it waits for none. */
export function awaits(definition: Definition, ticket: TicketState, token: Token): 'result' | 'people' | null {
  if (token.status !== 'active') return null;
  const wanted = awaitedIn(stateOf(definition, token.state_id));
  const asked = ticket.tasks.some((task) => task.token === token.no && task.visit === token.visit && !isStall(task));
  return wanted === 'people' && asked ? null : wanted;
}
