import { stateOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { isStall } from '../stalling.ts';
import { hasVoted, type Task, type TicketState } from '../state.ts';
import { blockOf, branchesAround, waitingFor } from './blocks.ts';

/**
 * True if a task waits for another branch: in a block of turns, one has been begun and is not finished. This is computed, not stored, so nothing
 * needs correction when tickets go back; of several that were assigned, the oldest comes first.
 */
export function waitsForTurn(definition: Definition, ticket: TicketState, task: Task): boolean {
  const token = ticket.tokens.find((one) => one.no === task.token);
  if (!token || token.branch === '' || isStall(task)) return false;
  return branchesAround(token).some((branch) => {
    const parent = waitingFor(ticket, branch);
    const turns = parent && stateOf(definition, parent.state_id).turns;
    if (!turns) return false;
    const holder = holderOf(ticket, blockOf({ branch }), turns);
    return holder !== null && holder !== branch;
  });
}

/** The branch of a block that has its turn; null while any may take it. */
function holderOf({ tokens, tasks }: TicketState, block: string, turns: 'branch' | 'state'): string | null {
  const branches = tokens.filter((one) => blockOf(one) === block && one.status === 'active');
  const taken = branches.flatMap(({ no, branch }) => {
    const first = tasks.find(
      (task) =>
        task.token === no &&
        !isStall(task) &&
        ((task.status === 'todo' && !task.pooled) || (turns === 'branch' && hasVoted(task))),
    );
    return first ? [{ branch, no: first.no }] : [];
  });
  return taken.toSorted((a, b) => a.no - b.no)[0]?.branch ?? null;
}
