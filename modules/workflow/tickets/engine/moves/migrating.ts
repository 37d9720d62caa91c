import { exitsOf, stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { enter, openFurther } from '../ways/routing.ts';
import { mainStateId, type Event } from '../state.ts';
import { begin, cancel, emit, tokenOf, type Work } from '../work.ts';

/** The move of a ticket to another version of its workflow. */
export interface Migration {
  actor: number;
  suggestion: string;
  /** Memories of the old version that it cannot go back to. */
  forgets: readonly Event[];
  /** Tokens that continue in another state. */
  moves: readonly { token: number; to: number }[];
  /** Splits it has passed, with the exits it has not opened. */
  opens: readonly { token: number; exits: readonly number[] }[];
}

/** Continues with another version: what stays in its state keeps its tasks and decisions, what is moved is asked anew. */
export function migrate(work: Work, { actor, suggestion, forgets, moves, opens }: Migration): void {
  begin(work, actor, 'migrate', mainStateId(work.state) ?? 0, { suggestion }, null);
  for (const event of forgets) emit(work, event);
  for (const { token, to } of moves) {
    const state = stateOf(work.definition, to);
    const tasks = work.state.tasks.filter((task) => task.token === token);
    cancel(work, tasks, `流程已换版，改在“${state.name}”办理`);
    enter(work, tokenOf(work, token), state, { refused: false }, 0);
  }
  for (const { token, exits } of opens) {
    const split = tokenOf(work, token);
    const further = exitsOf(work.definition, split.state_id).filter((exit) => exits.includes(exit.id));
    openFurther(work, split, further);
  }
}
