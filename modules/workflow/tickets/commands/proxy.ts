import type { Origin } from '#kernel/server/http/implement.ts';
import type { InterveneType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';

/** The person who really acts, or null for the system. */
export interface Proxy {
  by: number | null;
  /** The name shown to people. */
  name: string;
  intervene?: InterveneType;
  origin: Origin;
  now: Date;
}

/** Returns the definition with a state whose tasks may be handed over, to several people too, whatever it normally allows. */
export function handingOver(definition: Definition, stateId: number): Definition {
  const states = definition.states.map((state) =>
    state.id === stateId
      ? { ...state, actions: [...new Set([...state.actions, 'deliver' as const, 'add_node' as const])] }
      : state,
  );
  return { ...definition, states };
}
