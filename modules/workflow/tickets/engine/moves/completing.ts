import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { completionOf, type Definition, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { enter } from '../ways/routing.ts';
import { mainStateId, type TicketState } from '../state.ts';
import { begin, tokenOf, type Work } from '../work.ts';

/** The state in which somebody confirms a finished ticket, if this person may ask for that now. */
export function mayApplyFinish(definition: Definition, ticket: TicketState, person: number): State | null {
  const confirm = completionOf(definition);
  if (!confirm || ticket.act_state !== actState.finished || ticket.deleted) return null;
  const asking = definition.states.flatMap(({ id, label }) => (label['finish'] === 'ask' ? id : []));
  const applied = ticket.tasks.some(
    (task) => task.assignee === person && task.status === 'agree' && asking.includes(task.state_id),
  );
  return applied || person === ticket.creator ? confirm : null;
}

/** Sends a finished ticket to those who confirm its end. */
export function applyFinish(work: Work, actor: number, suggestion: string): void {
  const confirm = completionOf(work.definition);
  if (!confirm) throw new Error('nobody confirms the end of this ticket');
  begin(work, actor, 'apply_finish', mainStateId(work.state) ?? 0, { suggestion }, null);
  enter(work, tokenOf(work, 1), confirm, { refused: false }, 0);
}
