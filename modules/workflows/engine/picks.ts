import { participantType } from './codes.ts';
import { exitsOf, type Definition, type State } from './definition.ts';

/** States people act in; a ticket goes through all others by itself. */
const peopled: readonly State['kind'][] = ['start', 'approve', 'handle', 'subticket', 'end'];

/**
 * States whose people are picked by whoever writes here: those the creator picks, at the start; those the handler before them
 * picks, as far as they can be next.
 */
export function statesToPick(definition: Definition, here: State): { state_id: number; state_name: string }[] {
  const next = nextOf(definition, here);
  const picks = (state: State, variable: string) =>
    state.participants.some((who) => who.type === participantType.variable && who.variable === variable);
  return definition.states
    .filter(
      (state) =>
        (here.kind === 'start' && picks(state, 'creator_select')) ||
        (next.has(state.id) && picks(state, 'handler_select')),
    )
    .map((state) => ({ state_id: state.id, state_name: state.name }));
}

function nextOf(definition: Definition, here: State): Set<number> {
  const found = new Set<number>();
  const open = [here.id];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    const targets = exitsOf(definition, id).flatMap((exit) => [
      exit.destination,
      ...exit.conditions.map((branch) => branch.target_state_id),
    ]);
    for (const target of targets) {
      if (found.has(target)) continue;
      found.add(target);
      const state = definition.states.find((one) => one.id === target);
      if (state && !peopled.includes(state.kind)) open.push(target);
    }
  }
  found.delete(here.id);
  return found;
}
