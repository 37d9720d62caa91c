import { awaitedIn, stateOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { isStall } from '../stalling.ts';
import type { TicketState, Token } from '../state.ts';

/** The answer that a token expects from another system: the result, or the people to ask. Null if nothing. */
export function awaits(definition: Definition, ticket: TicketState, token: Token): 'result' | 'people' | null {
  if (token.status !== 'active') return null;
  const wanted = awaitedIn(stateOf(definition, token.state_id));
  const asked = ticket.tasks.some((task) => task.token === token.no && task.visit === token.visit && !isStall(task));
  return wanted === 'people' && asked ? null : wanted;
}
