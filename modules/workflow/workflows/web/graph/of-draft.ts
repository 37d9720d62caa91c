import type { Definition } from '../../engine/definition.ts';
import { conditionText, type Names } from '../names.ts';
import { nodeText } from '../node-text.ts';
import type { GraphState, GraphTransition } from './route/links.ts';

/** A definition as graph data. */
export function graphOfDefinition(
  definition: Definition,
  names: Names,
): { states: GraphState[]; transitions: GraphTransition[] } {
  return {
    states: definition.states.map((state) => ({
      id: state.id,
      name: state.name,
      kind: state.kind,
      people: nodeText(state, definition, names),
    })),
    transitions: definition.transitions.map(({ id, name, source, destination, attribute, conditions }) => ({
      id,
      name,
      source,
      destination,
      attribute,
      branches: conditions.map(({ expression, target_state_id }) => ({
        target: target_state_id,
        text: conditionText(expression, definition, names),
      })),
    })),
  };
}
