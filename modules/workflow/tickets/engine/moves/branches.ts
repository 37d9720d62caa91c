import { invalid } from '#kernel/contract/refusal.ts';
import { blockOf, branchesOf, isSplit } from '#modules/workflow/workflows/engine/check/branches/branch-check.ts';
import { nestOf } from '#modules/workflow/workflows/engine/check/branches/nest.ts';
import { stateOf, type Definition, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { branchesAround, waitingFor } from '../ways/blocks.ts';
import { endBranch } from '../ways/routing.ts';
import { isOpen, type TicketState, type Token } from '../state.ts';
import { collapse, lastEntry, tokenOf, type Work } from '../work.ts';

/** The fate of the branches running beside the one a ticket is moved into. */
export type Beside = 'keep' | 'end';

/** The token of the innermost running branch that contains a state; none if that branch was not opened. */
function tokenFor(definition: Definition, state: TicketState, target: State): Token | undefined {
  for (const split of nestOf(definition, target.id).toReversed()) {
    const [join = 0] = blockOf(definition, split, new Set()).joins;
    const way = branchesOf(definition, stateOf(definition, split), join).find((branch) => branch.has(target.id));
    const found = state.tokens.find((token) => {
      if (waitingFor(state, token.branch)?.state_id !== split) return false;
      const been = state.tasks.filter((task) => task.token === token.no).map((task) => task.state_id);
      return [token.state_id, ...been].some((id) => id !== join && way?.has(id));
    });
    if (found) return found;
  }
  return undefined;
}

/**
 * The token that moves into a state by force. If the ticket runs in several branches and the state lies in one of them, the caller must say what
 * happens to the others; everything that ends is named in the log.
 */
export function freeFor(work: Work, target: State, beside: Beside | undefined): Token {
  const { definition, state } = work;
  const mine = tokenFor(definition, state, target);
  const running = state.tokens.filter(({ status }) => status === 'active');
  const others = running.filter((token) => !mine || !isWithin(token, mine));
  const isInside = nestOf(definition, target.id).length > 0 && !isSplit(target);
  const names = [...new Set(others.map((token) => `“${stateOf(definition, token.state_id).name}”`))].join('、');
  const wrong = (msg: string) => invalid([{ field: 'beside', label: '其他分支', msg }]);
  const asked = isInside && others.some((token) => token.branch !== '');
  if (asked && !beside) throw wrong(`${names}正在另外的分支里办理，请选择让它们继续，还是一并结束`);
  if (asked && beside === 'keep') {
    if (!mine) throw wrong(`“${target.name}”所在的分支没有开始，不能只调整它；要到这一步，请选择结束${names}`);
    endBranch(work, mine, '环节已被调整');
    return tokenOf(work, mine.no);
  }
  if (others.length > 0 && running.length > 1) tellEnded(work, others);
  return collapse(work, '环节已被调整');
}

const isWithin = (token: Token, branch: Token) =>
  token.no === branch.no || branchesAround(token).includes(branch.branch);

/** Records which states end for whom, to be shown in the ticket's log. */
function tellEnded(work: Work, ended: readonly Token[]): void {
  for (const { no, state_id } of ended) {
    const tasks = work.state.tasks.filter((task) => task.token === no && isOpen(task));
    const people = [...new Set(tasks.map((task) => task.assignee))];
    lastEntry(work).trace.push({ about: 'ended', state_id, people });
  }
}
