import { attributeType, onEmpty, participantType } from './codes.ts';
import { exitsOf, isSave, startOf, type Definition, type State, type Transition } from './definition.ts';

/** States in which people act; a ticket passes all others by itself. */
const peopled: readonly State['kind'][] = ['start', 'approve', 'handle', 'subticket', 'end'];

/** States whose people are chosen here: at the start those the creator chooses; later those the previous handler chooses, if they can be next. */
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
    const targets = exitsOf(definition, id).flatMap(leadsTo);
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

const leadsTo = ({ destination, conditions }: Transition) => [
  destination,
  ...conditions.map((branch) => branch.target_state_id),
];

/** States whose people only the creator can name, and that every ticket reaches unless refused. */
export function statesToPickFirst(definition: Definition): State[] {
  return definition.states.filter(
    (state) =>
      state.on_empty === onEmpty.refuse &&
      state.participants.length > 0 &&
      state.participants.every((who) => who.type === participantType.variable && who.variable === 'creator_select') &&
      !mayBeLeftOut(definition, state.id),
  );
}

/** True if a ticket may get from its start to an end without this state; of parallel branches it passes all. */
function mayBeLeftOut(definition: Definition, without: number): boolean {
  const ending = new Set(definition.states.flatMap((state) => (state.kind === 'end' ? [state.id] : [])));
  let known = -1;
  while (known < ending.size) {
    known = ending.size;
    for (const { id, kind } of definition.states) {
      if (id === without) continue;
      const exits = exitsOf(definition, id).filter(
        (exit) => exit.attribute !== attributeType.refuse && !isSave(definition, exit),
      );
      const targets = exits.flatMap(leadsTo);
      const reaches = (target: number) => ending.has(target);
      if (kind === 'parallel_split' ? targets.length > 0 && targets.every(reaches) : targets.some(reaches))
        ending.add(id);
    }
  }
  return ending.has(startOf(definition).id);
}
