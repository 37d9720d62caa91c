import type { ReplyOf } from '#kernel/contract/call.ts';
import type { AttributeType, StateKind } from '../../engine/codes.ts';
import type { workflows } from '../../contract.ts';
import type { GraphState, GraphTransition } from './route/links.ts';

/** The reply of `simple_description` as graph data. */
export function graphOf(description: ReplyOf<typeof workflows.simpleDescription>): {
  states: GraphState[];
  transitions: GraphTransition[];
} {
  return {
    states: description.workflow_state_info.map(({ id, name, kind }) => ({ id, name, kind: kind as StateKind })),
    transitions: description.workflow_transition_info.map((one) => ({
      id: one.id,
      name: one.name,
      source: one.source_state_id,
      destination: one.destination_state_id,
      attribute: one.attribute_type_id as AttributeType,
      branches: one.condition_expression.map(({ target_state_id, text }) => ({ target: target_state_id, text })),
    })),
  };
}
