import { actState, attributeType, type ActState } from '#modules/workflow/workflows/engine/codes.ts';
import {
  awaitedIn,
  asksEverybody,
  completionOf,
  exitsOf,
  passesOf,
  stateOf,
  waysOpen,
  type State,
  type Transition,
} from '#modules/workflow/workflows/engine/definition.ts';
import { isSplit } from '#modules/workflow/workflows/engine/check/branches/branch-check.ts';
import { nestOf } from '#modules/workflow/workflows/engine/check/branches/nest.ts';
import { childItems } from '#modules/workflow/workflows/engine/fields/children.ts';
import { runsInCircles } from '../../contract/refusals.ts';
import { isHeard, openAll, peopleFor } from '../people/assigning.ts';
import { keptOf, openWith } from '../people/keeping.ts';
import { whoIsAsked } from '../people/people.ts';
import { stall, unstall } from '../stalling.ts';
import type { Task, Token } from '../state.ts';
import { blockBelow, blockOf, isUnheard, parentNoOf, ranOnFrom, unheardBranch } from './blocks.ts';
import { holds } from './holding.ts';
import { begin, cancel, collapse, emit, lastEntry, nextVisit, open, setActState, tokenOf, type Work } from '../work.ts';

/** The manner in which a token enters a state. */
export interface Way {
  /** By a refusal or a return: those who agreed before are asked again, and a new round begins. */
  refused: boolean;
  /** The task to return straight to from there. */
  back_to?: number | undefined;
  /** The people to handle it instead of the state's own. */
  people?: readonly number[];
}

/** Moves a token along a transition. `steps` counts automatic steps since a person acted. */
export function leave(work: Work, token: Token, transition: Transition, steps: number): void {
  const { definition, state } = work;
  let destination = transition.destination;
  for (const [index, branch] of transition.conditions.entries()) {
    if (!holds(work, transition, index)) continue;
    destination = branch.target_state_id;
    break;
  }
  const refused = transition.attribute === attributeType.refuse;
  const way: Way = { refused };
  const leaves = transition.leaves_branches && token.branch !== '';
  if (leaves && isUnheard(work.state, token, false)) return fallSilent(work, token, steps);
  if (leaves) return enter(work, outOf(work, token), stateOf(definition, destination), way, steps);
  const straight = refused && definition.settings.resubmit_mode === 2 && token.branch === '';
  if (straight && stateOf(definition, destination).kind === 'start') {
    const refusals = state.tasks.filter((task) => task.token === token.no && task.visit === token.visit);
    way.back_to = refusals.findLast((task) => task.status === 'refuse')?.no;
  }
  enter(work, token, stateOf(definition, destination), way, steps);
}

export function enter(work: Work, from: Token, state: State, way: Way, steps: number): void {
  if (steps > work.definition.states.length * 2) throw runsInCircles(state.name);
  const { refused, back_to } = way;
  const unheard = isUnheard(work.state, from);
  if (unheard && (state.kind === 'start' || (state.kind === 'end' && refused))) return fallSilent(work, from, steps);
  // All parallel branches end when one goes back to the creator.
  const alone = work.state.tokens.every((other) => other.no === from.no || other.status === 'done');
  const before = state.kind === 'start' && !alone ? collapse(work, '工单已退回') : from;
  const now = (to: ActState) => (unheard ? undefined : setActState(work, to));
  unstall(work, before, '工单已继续');
  emit(work, {
    type: 'token_entered',
    token: before.no,
    state_id: state.id,
    visit: nextVisit(work, before),
    branch: before.branch,
    returned: refused || state.kind === 'start',
    ...(back_to === undefined ? {} : { back_to }),
  });
  lastEntry(work).to_state_id = state.id;
  const token = tokenOf(work, before.no);
  switch (state.kind) {
    case 'start':
      open(work, token, work.state.creator, 'todo', 0, false);
      return setActState(work, actState.returned);
    case 'end':
      return stateOf(work.definition, from.state_id) === completionOf(work.definition)
        ? complete(work, token, refused)
        : end(work, token, refused);
    case 'hook':
      if (awaitedIn(state)) return now(actState.ongoing);
      return leave(work, token, passOf(work, state), steps + 1);
    case 'condition':
      return leave(work, token, passOf(work, state), steps + 1);
    case 'cc': {
      const known = new Set(Object.values(work.state.copied).flat());
      const people = whoIsAsked(work.definition, state, work.state, work.facts.people).filter(
        (person) => !known.has(person),
      );
      emit(work, { type: 'copied', state_id: state.id, people });
      return leave(work, token, passOf(work, state), steps + 1);
    }
    case 'parallel_split':
    case 'inclusive':
      return split(work, token, state, steps);
    case 'join':
      return join(work, token, state, steps);
    case 'delay':
      return now(actState.ongoing);
    case 'approve':
    case 'handle':
    case 'subticket':
      now(state === completionOf(work.definition) ? actState.finishAsked : actState.ongoing);
      if (refused && !unheard) emit(work, { type: 'round_started', round: work.state.round + 1 });
      if (way.people) return openAll(work, token, state, way.people, 'admin');
      if (childItems(work.definition, state, work.state.form)?.length === 0)
        return skip(work, token, state, [], '没有要发起的下级工单，自动继续', steps);
      return awaitedIn(state) ? undefined : assign(work, token, state, refused, steps);
  }
}

function end(work: Work, token: Token, refused: boolean): void {
  if (refused || token.branch === '') collapse(work, '工单已结束');
  emit(work, { type: 'token_done', token: token.no });
  if (!refused && token.branch !== '') return arrive(work, token, 0);
  emit(work, { type: 'token_set', token: { ...tokenOf(work, 1), state_id: token.state_id, status: 'done' } });
  setActState(work, refused ? actState.closed : actState.finished);
}

/** The confirmation of a finished ticket is decided: closed for good, or finished as before. */
function complete(work: Work, token: Token, refused: boolean): void {
  emit(work, { type: 'token_done', token: token.no });
  setActState(work, refused ? actState.finished : actState.closed);
}

/** One token waits, one goes on for each branch. All exist before the first moves, because it might reach the join at once. */
function split(work: Work, token: Token, state: State, steps: number): void {
  if (!isUnheard(work.state, token)) setActState(work, actState.ongoing);
  // While unneeded branches of an earlier stay still run, it opens no new ones.
  if (ranOnFrom(work.state, token).length > 0)
    return emit(work, { type: 'token_set', token: { ...token, status: 'waiting_join' } });
  const exits = exitsOf(work.definition, state.id);
  const taken = state.kind === 'parallel_split' ? exits : waysOpen(exits, (exit, index) => holds(work, exit, index));
  if (taken.length === 0) return stall(work, token, `环节“${state.name}”没有一个条件满足`);
  emit(work, { type: 'token_set', token: { ...token, status: 'waiting_join' } });
  const opened = openBranches(work, token, taken.length);
  for (const [index, exit] of taken.entries()) {
    const child = tokenOf(work, opened[index]!);
    if (child.status === 'active') leave(work, child, exit, steps + 1);
  }
}

function join(work: Work, token: Token, state: State, steps: number): void {
  if (token.branch === '') return leave(work, token, passOf(work, state), steps + 1);
  emit(work, { type: 'token_set', token: { ...token, status: 'waiting_join' } });
  arrive(work, token, steps);
}

/** A branch is finished; if it was the last, the token that split goes on from the join, or ends if none was reached. */
function arrive(work: Work, token: Token, steps: number): void {
  if (isUnheard(work.state, token, false)) return fallSilent(work, token, steps);
  const block = blockOf(token);
  const beside = work.state.tokens.filter((other) => blockOf(other) === block);
  const joined = beside.filter(
    (other) => other.status === 'waiting_join' && stateOf(work.definition, other.state_id).kind === 'join',
  );
  const late = beside.filter((other) => other.status !== 'done' && !joined.includes(other));
  const here = stateOf(work.definition, token.state_id);
  const enough = here.kind === 'join' && joined.length >= (here.join_count ?? Infinity);
  if (late.length > 0 && !enough) return;
  const goesOn = here.join_rest === 'run';
  for (const other of goesOn ? [] : late) endBranch(work, other, '已有足够的分支到达汇合，不再需要办理');
  for (const other of joined) emit(work, { type: 'token_done', token: other.no });
  const parent = tokenOf(work, parentNoOf(block));
  const [at] = joined;
  if (!at) return end(work, { ...parent, state_id: token.state_id }, false);
  const state = stateOf(work.definition, at.state_id);
  const visit = nextVisit(work, parent);
  emit(work, {
    type: 'token_entered',
    token: parent.no,
    state_id: state.id,
    visit,
    branch: parent.branch,
    returned: false,
  });
  lastEntry(work).to_state_id = state.id;
  leave(work, tokenOf(work, parent.no), passOf(work, state), steps + 1);
}

/** A branch that nothing waits for has ended; a split that waited for the last of them opens anew. */
function fallSilent(work: Work, token: Token, steps: number): void {
  const branch = unheardBranch(work.state, token);
  endBranch(work, { no: token.no, branch }, '分支已办完');
  const parent = tokenOf(work, parentNoOf(branch.slice(0, branch.lastIndexOf('.'))));
  const place = stateOf(work.definition, parent.state_id);
  const waits = parent.status === 'waiting_join' && isSplit(place);
  if (waits && ranOnFrom(work.state, parent).length === 0) split(work, parent, place, steps + 1);
}

/** Reopens a block at some states of its branches only, in parallel; everything still running in it ends. */
export function reopen(work: Work, from: Token, place: State, states: readonly State[]): void {
  for (const other of ranOnFrom(work.state, from)) endBranch(work, other, '已退回');
  unstall(work, from, '工单已继续');
  const { no, branch } = from;
  const visit = nextVisit(work, from);
  emit(work, { type: 'token_entered', token: no, state_id: place.id, visit, branch, returned: true });
  emit(work, { type: 'token_set', token: { ...tokenOf(work, no), status: 'waiting_join' } });
  const children = openBranches(work, tokenOf(work, no), states.length);
  for (const [index, state] of states.entries()) {
    const child = tokenOf(work, children[index]!);
    const nest = nestOf(work.definition, state.id);
    const inner = nest[nest.indexOf(place.id) + 1];
    if (inner !== undefined) reopen(work, child, stateOf(work.definition, inner), [state]);
    else {
      // A block that is opened anew also asks the people who had agreed in this round.
      if (isSplit(state)) emit(work, { type: 'round_started', round: work.state.round + 1 });
      enter(work, child, state, { refused: true }, 0);
    }
  }
}

/** Ends a block with all its branches: the token that split them goes back to an earlier state. */
export function leaveBlock(work: Work, from: Token, target: State): void {
  for (const other of ranOnFrom(work.state, from)) endBranch(work, other, '已退回');
  enter(work, tokenOf(work, from.no), target, { refused: true }, 0);
}

/** Opens further branches of a split that has opened some already. */
export function openFurther(work: Work, token: Token, exits: readonly Transition[]): void {
  const all = exitsOf(work.definition, token.state_id);
  const inclusive = stateOf(work.definition, token.state_id).kind === 'inclusive';
  const open = inclusive ? waysOpen(all, (exit, index) => holds(work, exit, index)) : all;
  const taken = exits.filter((exit) => open.includes(exit));
  const block = blockBelow(token);
  const opened = openBranches(
    work,
    token,
    taken.length,
    work.state.tokens.filter((one) => blockOf(one) === block).length,
  );
  for (const [index, exit] of taken.entries()) leave(work, tokenOf(work, opened[index]!), exit, 1);
}

/** A token for each branch, placed in the split itself; `beside`: how many it has already. */
function openBranches(work: Work, token: Token, count: number, beside = 0): number[] {
  const first = work.state.tokens.length + 1;
  const numbers = Array.from({ length: count }, (_none, index) => first + index);
  for (const [index, no] of numbers.entries()) {
    const branch = `${blockBelow(token)}.${beside + index}`;
    emit(work, { type: 'token_entered', token: no, state_id: token.state_id, visit: 1, branch, returned: false });
  }
  return numbers;
}

/** Ends all parallel branches of a token's block, its own too; returns the token that had split, which is free to go on. */
function outOf(work: Work, token: Token): Token {
  const block = blockOf(token);
  for (const other of work.state.tokens)
    if (other.status !== 'done' && other.branch.startsWith(`${block}.`))
      endBranch(work, other, '分支已由另一个分支结束');
  return tokenOf(work, parentNoOf(block));
}

/** Ends a branch with everything inside it. */
export function endBranch(work: Work, { no, branch }: Pick<Token, 'no' | 'branch'>, why: string): void {
  const inside = work.state.tokens.filter(
    (one) => one.no === no || one.branch === branch || one.branch.startsWith(`${branch}/`),
  );
  const open = inside.filter((one) => one.status !== 'done').map((one) => one.no);
  cancel(
    work,
    work.state.tasks.filter((task) => open.includes(task.token)),
    why,
  );
  for (const one of open) emit(work, { type: 'token_done', token: one });
}

/** Opens the tasks of a state, or skips it if its rules say so; if nobody is found, the workflow's administrators are called. */
export function assign(work: Work, token: Token, state: State, refused: boolean, steps: number): void {
  const { skip: passes, lack, people, left_out, why, spared } = peopleFor(work, state, refused);
  if (passes) return skip(work, token, state, people, why, steps, spared);
  if (lack && isHeard(work, state, lack)) throw lack.refusal;
  if (lack) return stall(work, token, lack.why);
  const asked = people.filter((person) => !spared.some(({ assignee }) => assignee === person));
  const before = refused ? [] : [...spared, ...keptOf(work, state, asked)];
  const kept = asksEverybody(state) ? before : before.slice(0, 1);
  if (kept.length > 0) {
    const way = openWith(work, token, state, people, kept);
    return way ? leave(work, token, way, steps + 1) : undefined;
  }
  lastEntry(work).trace.push({ about: 'people', state_id: state.id, people, left_out, why });
  openAll(work, token, state, people);
}

/** Skips a state in which nobody needs to act, with a log row of its own. */
export function skip(
  work: Work,
  token: Token,
  state: State,
  people: readonly number[],
  why: string,
  steps: number,
  spared: readonly Task[] = [],
): void {
  const way = passOf(work, state);
  begin(work, null, 'skip', state.id, { suggestion: why }, way);
  lastEntry(work).trace.push({ about: 'people', state_id: state.id, people: [], left_out: people, why });
  for (const [index, person] of people.entries()) {
    const rests = spared.find(({ assignee }) => assignee === person);
    const more = rests ? ({ origin: 'keep', origin_no: rests.no } as const) : {};
    lastEntry(work).task_nos.push(open(work, token, person, 'skipped', index, false, more).no);
  }
  leave(work, token, way, steps + 1);
}

function passOf(work: Work, state: State): Transition {
  const [way] = passesOf(work.definition, state.id);
  if (!way) throw new Error(`state ${state.id} has no exit`);
  return way;
}
