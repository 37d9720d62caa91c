import { actState, attributeType } from '#modules/workflows/engine/codes.ts';
import {
  evaluate,
  fieldsOf,
  leavesOf,
  type Condition,
  type ConditionContext,
} from '#modules/workflows/engine/condition.ts';
import {
  awaitedIn,
  completionOf,
  exitsOf,
  stateOf,
  waysOpen,
  type State,
  type Transition,
} from '#modules/workflows/engine/definition.ts';
import { runsInCircles } from '../../contract/refusals.ts';
import { isHeard, openAll, peopleFor } from '../people/assigning.ts';
import { keptOf, openWith } from '../people/keeping.ts';
import { ask, whoIsAsked } from '../people/people.ts';
import { stall, unstall } from '../stalling.ts';
import type { Token } from '../state.ts';
import { begin, cancel, collapse, emit, lastEntry, nextVisit, open, setActState, tokenOf, type Work } from '../work.ts';

/** How a token comes into a state. */
export interface Way {
  /** By a refusal or a return: who agreed before is asked again, and a new round begins. */
  refused: boolean;
  /** The task to go straight back to from there. */
  back_to?: number | undefined;
  /** Who shall handle it instead of the state's own people. */
  people?: readonly number[];
}

/** A token takes a transition. `steps` counts what happened by itself since a person acted. */
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
  const straight = refused && definition.settings.resubmit_mode === 2 && token.branch === '';
  if (straight && stateOf(definition, destination).kind === 'start') {
    const refusals = state.tasks.filter((task) => task.token === token.no && task.visit === token.visit);
    way.back_to = refusals.findLast((task) => task.status === 'refuse')?.no;
  }
  enter(work, token, stateOf(definition, destination), way, steps);
}

/** Whether a branch of a transition's conditions holds; said in the trace. */
export function holds(work: Work, transition: Transition, index: number): boolean {
  const branch = transition.conditions[index];
  if (!branch) return false;
  const { result, missing } = evaluate(branch.expression, contextOf(work, branch.expression));
  lastEntry(work).trace.push({
    about: 'condition',
    transition_id: transition.id,
    index,
    result,
    missing,
    values: valuesSaid(work.state.form, branch.expression),
  });
  return result;
}

const longestSaid = 100;
/** What a condition was decided with: plain values of the fields it names, of long text the beginning, of a table that there is one. */
function valuesSaid(form: Readonly<Record<string, unknown>>, condition: Condition): Record<string, unknown> {
  const short = (value: unknown) => (typeof value === 'string' ? value.slice(0, longestSaid) : value);
  return Object.fromEntries(
    fieldsOf(condition).flatMap((key) => {
      const value = form[key];
      const plain = [value ?? []].flat().every((one) => typeof one !== 'object' || one === null);
      if (value === undefined || value === null || !plain) return [];
      return [[key, Array.isArray(value) ? value.slice(0, 20).map(short) : short(value)]];
    }),
  );
}

/** What a condition may ask about a ticket; of posts and groups only what it names. */
function contextOf({ state, facts }: Work, condition: Condition): ConditionContext {
  const leaves = leavesOf(condition);
  const among = <T extends string | number>(kind: 'post' | 'group', named: readonly T[]) =>
    named.filter((of) => ask(facts.people, [{ kind, of }]).includes(state.creator));
  return {
    form: state.form,
    ...facts.creator,
    posts: among(
      'post',
      leaves.flatMap((leaf) => (leaf.op === 'post_of' ? leaf.value : [])),
    ),
    groups: among(
      'group',
      leaves.flatMap((leaf) => (leaf.op === 'group_of' ? leaf.value : [])),
    ),
  };
}

export function enter(work: Work, from: Token, state: State, way: Way, steps: number): void {
  if (steps > work.definition.states.length * 2) throw runsInCircles(state.name);
  const { refused, back_to } = way;
  // Whatever runs beside it ends when one branch goes back to the creator.
  const before = state.kind === 'start' && from.branch !== '' ? collapse(work, '工单已退回') : from;
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
      if (awaitedIn(state)) return setActState(work, actState.ongoing);
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
      return setActState(work, actState.ongoing);
    case 'approve':
    case 'handle':
    case 'subticket':
      setActState(work, state === completionOf(work.definition) ? actState.finishAsked : actState.ongoing);
      if (refused) emit(work, { type: 'round_started', round: work.state.round + 1 });
      if (way.people) return openAll(work, token, state, way.people, 'admin');
      return awaitedIn(state) ? undefined : assign(work, token, state, refused, steps);
  }
}

function end(work: Work, token: Token, refused: boolean): void {
  if (refused) collapse(work, '工单已结束');
  emit(work, { type: 'token_done', token: token.no });
  if (!refused && token.branch !== '') return arrive(work, token, 0);
  emit(work, { type: 'token_set', token: { ...tokenOf(work, 1), state_id: token.state_id, status: 'done' } });
  setActState(work, refused ? actState.closed : actState.finished);
}

/** Whether a finished ticket is done with has been decided: closed for good, or finished as before. */
function complete(work: Work, token: Token, refused: boolean): void {
  emit(work, { type: 'token_done', token: token.no });
  setActState(work, refused ? actState.finished : actState.closed);
}

/** One token waits, one for each branch goes on. All are there before the first moves: it might reach the join at once. */
function split(work: Work, token: Token, state: State, steps: number): void {
  setActState(work, actState.ongoing);
  const exits = exitsOf(work.definition, state.id);
  const taken = state.kind === 'parallel_split' ? exits : waysOpen(exits, (exit, index) => holds(work, exit, index));
  if (taken.length === 0) return stall(work, token, `环节“${state.name}”没有一个条件满足`);
  emit(work, { type: 'token_set', token: { ...token, status: 'waiting_join' } });
  const first = work.state.tokens.length + 1;
  const block = `${token.branch === '' ? '' : `${token.branch}/`}${token.no}-${token.visit}`;
  for (const index of taken.keys()) {
    const branch = `${block}.${index}`;
    emit(work, { type: 'token_entered', token: first + index, state_id: state.id, visit: 1, branch, returned: false });
  }
  for (const [index, exit] of taken.entries()) {
    const child = tokenOf(work, first + index);
    if (child.status === 'active') leave(work, child, exit, steps + 1);
  }
}

function join(work: Work, token: Token, state: State, steps: number): void {
  if (token.branch === '') return leave(work, token, passOf(work, state), steps + 1);
  emit(work, { type: 'token_set', token: { ...token, status: 'waiting_join' } });
  arrive(work, token, steps);
}

/** A branch is through; when it was the last, the token that split goes on from the join, or ends where none was reached. */
function arrive(work: Work, token: Token, steps: number): void {
  const blockOf = (one: Token) => one.branch.slice(0, Math.max(0, one.branch.lastIndexOf('.')));
  const block = blockOf(token);
  const beside = work.state.tokens.filter((other) => blockOf(other) === block);
  const joined = beside.filter(
    (other) => other.status === 'waiting_join' && stateOf(work.definition, other.state_id).kind === 'join',
  );
  const late = beside.filter((other) => other.status !== 'done' && !joined.includes(other));
  const here = stateOf(work.definition, token.state_id);
  const enough = here.kind === 'join' && joined.length >= (here.join_count ?? Infinity);
  if (late.length > 0 && !enough) return;
  for (const other of late) endBranch(work, other);
  for (const other of joined) emit(work, { type: 'token_done', token: other.no });
  const parent = tokenOf(work, Number(block.slice(block.lastIndexOf('/') + 1).split('-')[0]));
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

/** Ends a branch that is not needed any more, with all that runs inside it. */
function endBranch(work: Work, { no, branch }: Token): void {
  const inside = work.state.tokens.filter((one) => one.no === no || one.branch.startsWith(`${branch}/`));
  const open = inside.filter((one) => one.status !== 'done').map((one) => one.no);
  cancel(
    work,
    work.state.tasks.filter((task) => open.includes(task.token)),
    '已有足够的分支到达汇合，不再需要办理',
  );
  for (const one of open) emit(work, { type: 'token_done', token: one });
}

/** Opens the tasks of a state, or passes it by where its rules say so; where nobody is found, the workflow's administrators are asked for help. */
export function assign(work: Work, token: Token, state: State, refused: boolean, steps: number): void {
  const { skip: passes, lack, people, left_out, why } = peopleFor(work, state, refused);
  if (passes) return skip(work, token, state, people, why, steps);
  if (lack && isHeard(work, state, lack)) throw lack.refusal;
  if (lack) return stall(work, token, lack.why);
  const kept = refused ? [] : keptOf(work, state, people);
  if (kept.length > 0) {
    const way = openWith(work, token, state, people, kept);
    return way ? leave(work, token, way, steps + 1) : undefined;
  }
  lastEntry(work).trace.push({ about: 'people', state_id: state.id, people, left_out, why });
  openAll(work, token, state, people);
}

/** Passes a state nobody needs to act in, with a log row of its own. */
export function skip(
  work: Work,
  token: Token,
  state: State,
  people: readonly number[],
  why: string,
  steps: number,
): void {
  const way = passOf(work, state);
  begin(work, null, 'skip', state.id, { suggestion: why }, way);
  lastEntry(work).trace.push({ about: 'people', state_id: state.id, people: [], left_out: people, why });
  for (const [index, person] of people.entries()) {
    lastEntry(work).task_nos.push(open(work, token, person, 'skipped', index, false).no);
  }
  leave(work, token, way, steps + 1);
}

function passOf(work: Work, state: State): Transition {
  const exits = exitsOf(work.definition, state.id);
  const way = exits.find((exit) => exit.attribute === attributeType.agree) ?? exits[0];
  if (!way) throw new Error(`state ${state.id} has no exit`);
  return way;
}
