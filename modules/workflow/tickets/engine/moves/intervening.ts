import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import { asksPeople, stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { isBarred, ownAmong } from '../four-eyes.ts';
import { ask } from '../people/people.ts';
import { askCandidatesAgain } from '../people/candidates.ts';
import { enter } from '../ways/routing.ts';
import { freeFor, type Beside } from './branches.ts';
import { mainStateId } from '../state.ts';
import { begin, collapse, emit, setActState, calledIn, type Work } from '../work.ts';

/** Ends a ticket by force. */
export function close(work: Work, actor: number, suggestion: string): void {
  begin(work, actor, 'close', mainStateId(work.state) ?? 0, { suggestion }, null);
  emit(work, { type: 'token_done', token: collapse(work, '工单已关闭').no });
  setActState(work, actState.closed);
}

/** Revokes the approval of a finished ticket. */
export function revoke(work: Work, actor: number, suggestion: string): void {
  begin(work, actor, 'revoke', mainStateId(work.state) ?? 0, { suggestion }, null);
  emit(work, { type: 'voided' });
  setActState(work, actState.closed);
}

/** Suspends a ticket, or resumes it where it was. */
export function suspend(work: Work, on: boolean, actor: number, suggestion: string): void {
  begin(work, actor, on ? 'suspend' : 'resume', mainStateId(work.state) ?? 0, { suggestion }, null);
  emit(work, { type: 'suspended', on });
  askCandidatesAgain(work);
}

interface Move {
  actor: number;
  state_id: number;
  /** User names; the state's own people if empty. */
  people: readonly string[];
  suggestion: string;
  /** Needed if it also runs in other branches than that state's. */
  beside?: Beside | undefined;
}

/** Moves a ticket into any state of its version, whatever it was doing. */
export function move(work: Work, { actor, state_id, people, suggestion, beside }: Move): void {
  const state = stateOf(work.definition, state_id);
  begin(work, actor, 'state', mainStateId(work.state) ?? 0, { suggestion }, null);
  const queries = people.map((of) => ({ kind: 'username', of }) as const);
  const ids = ask(work.facts.people, queries);
  const wrong = (msg: string) => invalid([{ field: 'target_username', label: '用户', msg }]);
  const unknown = queries.find((query) => ask(work.facts.people, [query]).length === 0);
  if (unknown) throw wrong(`用户“${calledIn(work, unknown.of)}”不存在或已停用`);
  const asked = asksPeople(state);
  if (ids.length > 0 && !asked) throw wrong(`环节“${state.name}”不需要办理人`);
  const own = ownAmong(work.state, state, ids);
  if (own) throw wrong(own);
  if (ids.some((person) => isBarred(work.definition, work.state, state, person)))
    throw wrong('办过前面环节的人按流程规定不能办理这一步，请选择他人');
  // Not a refusal, but those who agreed before are asked again there.
  const way = { refused: asked, ...(ids.length > 0 ? { people: ids } : {}) };
  enter(work, freeFor(work, state, beside), state, way, 0);
}
