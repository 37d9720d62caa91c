import { exitsOf, stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { enter, openFurther } from '../ways/routing.ts';
import { mainStateId, type Event } from '../state.ts';
import { begin, cancel, emit, tokenOf, type Work } from '../work.ts';

/** What becomes of a ticket that goes on by another version of its workflow. */
export interface Migration {
  actor: number;
  suggestion: string;
  /** What it remembers of the old version and cannot go back to. */
  forgets: readonly Event[];
  /** Tokens that go on in another state. */
  moves: readonly { token: number; to: number }[];
  /** Splits it stands behind, with ways that it has not opened. */
  opens: readonly { token: number; exits: readonly number[] }[];
}

/** Goes on by another version: what stands where it was keeps its tasks and what was decided there, what is moved is asked anew. */
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
