import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { startOf, stateOf, type Definition, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { blockOf as blockOfSplit, isSplit } from '#modules/workflow/workflows/engine/check/branches/branch-check.ts';
import { nestOf, sameNest } from '#modules/workflow/workflows/engine/check/branches/nest.ts';
import { askCandidatesAgain } from '../people/candidates.ts';
import { mention } from './talking.ts';
import { blockOf, branchesAround, waitingFor } from '../ways/blocks.ts';
import { enter, leaveBlock, reopen } from '../ways/routing.ts';
import { hasVoted, isOpen, type Task, type TicketState, type Token } from '../state.ts';
import {
  begin,
  cancel,
  change,
  collapse,
  emit,
  lastEntry,
  setActState,
  tokenOf,
  visitTasks,
  type Work,
} from '../work.ts';

/**
 * States a task may be returned to: those where people decided on the way here, and the start. Returning before the split that opened a branch ends
 * the whole block; a completed block may be reopened as a whole.
 */
export function returnable(definition: Definition, state: TicketState, task: Task): State[] {
  // After a move to another version a passed state may lie between branches, where it would be entered alone.
  const reached = (ids: readonly number[], at: number) =>
    ids.filter((id) => sameNest([definition, id], [definition, at]));
  const ids = new Set([
    startOf(definition).id,
    ...reached(wayTo(state, task), task.state_id),
    ...waitingAround(state, task).flatMap((one) => reached(wayTo(state, placeOf(one)), one.state_id)),
    besideReturnable(definition, state, task)?.split.id ?? startOf(definition).id,
  ]);
  ids.delete(task.state_id);
  return definition.states.filter((one) => ids.has(one.id)).toSorted((a, b) => a.order - b.order);
}

/** The tokens that wait for the branches around a task, innermost first. */
function waitingAround(state: TicketState, task: Task): Token[] {
  const token = state.tokens.find((one) => one.no === task.token);
  const around = token ? branchesAround(token).toReversed() : [];
  const waiting = around.map((branch) => waitingFor(state, branch));
  const end = waiting.indexOf(undefined);
  return (end < 0 ? waiting : waiting.slice(0, end)) as Token[];
}

const placeOf = ({ no, visit }: Token) => ({ token: no, visit });

/**
 * The states people decided in on the way to a task, in order, and the task's own. If the way came back to a state, what lay between no longer
 * counts, until the token goes straight back to the person who returned it: then the decisions between still hold.
 */
function wayTo(state: TicketState, task: Pick<Task, 'token' | 'visit'>): number[] {
  const passed = state.tasks.filter((other) => other.token === task.token && other.visit <= task.visit);
  let way: number[] = [];
  let between: number[] = [];
  for (const [visit, tasks] of Map.groupBy(passed, (other) => other.visit)) {
    const [here] = tasks.map((other) => other.state_id);
    if (here === undefined) continue;
    const before = way.indexOf(here);
    // The person it came straight back to may have returned it once more: what lies between holds all the same.
    if (before < 0 && tasks.some((other) => other.origin === 'admin')) {
      const known = between.indexOf(here);
      way.push(...(known < 0 ? between : between.slice(0, known)));
      between = [];
    }
    if (visit < task.visit && !tasks.some(wentOn)) continue;
    between = before < 0 ? [] : way.slice(before + 1);
    way = [...(before < 0 ? way : way.slice(0, before)), here];
  }
  return way;
}

const wentOn = (task: Task) => hasVoted(task) && task.status !== 'refuse';

/**
 * The last block of branches that a token has passed on the way to a task, with the states people decided in, branch by branch: it may be reopened at
 * one state of each of some of them. Null if it has gone back since, or the block has changed.
 */
export function besideReturnable(
  definition: Definition,
  state: TicketState,
  task: Task,
): { split: State; branches: number[][] } | null {
  const token = state.tokens.find((one) => one.no === task.token);
  if (!token) return null;
  const prefix = `${token.branch === '' ? '' : `${token.branch}/`}${token.no}-`;
  const opened = state.tokens.filter(
    (one) => blockOf(one).startsWith(prefix) && !blockOf(one).slice(prefix.length).includes('/'),
  );
  const last = Math.max(0, ...opened.map((one) => Number(blockOf(one).slice(prefix.length))));
  const since = state.tasks.filter(
    (other) => other.token === token.no && other.visit > last && other.visit < task.visit,
  );
  if (last === 0 || since.some((other) => !wentOn(other) && (hasVoted(other) || other.status === 'returned')))
    return null;
  const children = opened.filter((one) => blockOf(one) === `${prefix}${last}`);
  const passed = children.map(({ no, branch }) => {
    const within = state.tokens
      .filter((one) => one.no === no || one.branch.startsWith(`${branch}/`))
      .map((one) => one.no);
    return state.tasks.filter((other) => within.includes(other.token) && wentOn(other)).map((other) => other.state_id);
  });
  const decided = passed.flat();
  const split = definition.states.find((one) => {
    if (!isSplit(one) || !sameNest([definition, one.id], [definition, task.state_id])) return false;
    const { inside } = blockOfSplit(definition, one.id, new Set());
    return decided.length > 0 && decided.every((id) => inside.has(id));
  });
  if (!split) return null;
  // A branch may be named by a block within it as well, and by any state of that.
  const named = (id: number) => [...nestOf(definition, id).slice(nestOf(definition, id).indexOf(split.id) + 1), id];
  const branches = passed.map((ids) => [...new Set(ids.flatMap(named))]).filter((ids) => ids.length > 0);
  return { split, branches };
}

interface Return {
  actor: number;
  state_id?: number | undefined;
  /** Several states at once, each in another branch. */
  state_ids?: readonly number[] | undefined;
  suggestion: string;
  /** 1: every step again; 2: straight back to this task. */
  resubmit_mode?: 1 | 2 | undefined;
  /** User names of people named in the opinion. */
  mentions?: readonly string[] | undefined;
}

/** Sends a token back to a state it has passed. Everything else open in the visit ends. */
export function giveBack(work: Work, task: Task, asked: Return): void {
  const { definition, state: before } = work;
  begin(work, asked.actor, 'return', task.state_id, asked, null);
  mention(work, asked.mentions);
  if (!work.facts.by_itself) remember(work, asked.actor);
  lastEntry(work).task_nos.push(task.no);
  change(work, task.no, 'returned', null, asked.suggestion);
  cancel(work, visitTasks(work, task), '已退回');
  const token = tokenOf(work, task.token);
  const beside = besideReturnable(definition, before, task);
  const target = stateOf(definition, asked.state_id ?? startOf(definition).id);
  // A single state of a branch is handled like several: the decisions of the other branches stand.
  const among = asked.state_ids ?? (beside?.branches.some((ids) => ids.includes(target.id)) ? [target.id] : null);
  if (among && beside) {
    const states = among.map((id) => stateOf(definition, id));
    return reopen(work, token, beside.split, states);
  }
  if (beside?.split === target) {
    // The whole round is asked anew, including those who had agreed.
    emit(work, { type: 'round_started', round: work.state.round + 1 });
    return enter(work, token, target, { refused: true }, 0);
  }
  const outside =
    target.kind === 'start'
      ? undefined
      : waitingAround(before, task).find(({ no, visit, state_id }) => {
          return (
            wayTo(before, { token: no, visit }).includes(target.id) &&
            sameNest([definition, target.id], [definition, state_id])
          );
        });
  if (outside) return leaveBlock(work, outside, target);
  const mode = asked.resubmit_mode ?? definition.settings.resubmit_mode;
  // A branch that goes back to the start takes the others with it: there is no place to come straight back to.
  const straight = mode === 2 && !(target.kind === 'start' && token.branch !== '');
  enter(work, token, target, { refused: true, back_to: straight ? task.no : undefined }, 0);
}

/** True if somebody has decided something in the ticket's current round; handing on is not deciding. */
function isHandled(definition: Definition, { tasks, round }: TicketState): boolean {
  // Its older version may have had decisions in a state that no longer exists.
  const start = startOf(definition).id;
  return tasks.some(
    (task) =>
      task.round === round &&
      task.origin !== 'keep' &&
      (hasVoted(task) || task.status === 'returned') &&
      task.state_id !== start,
  );
}

/**
 * True if every active state lets the creator withdraw: while nobody has handled it in this round, and later too if the state is labelled `retreat:
 * always`.
 */
export function mayWithdraw(definition: Definition, state: TicketState, person: number): boolean {
  if (person !== state.creator || state.act_state !== actState.ongoing) return false;
  const active = state.tokens.filter((token) => token.status === 'active');
  const handled = isHandled(definition, state);
  return (
    active.length > 0 &&
    active
      .map((token) => stateOf(definition, token.state_id))
      .every(({ actions, label }) => actions.includes('retreat') && (!handled || label['retreat'] === 'always'))
  );
}

/** The creator takes the ticket back to its start, whatever its state. */
export function withdraw(work: Work, actor: number, suggestion: string): void {
  const [at] = work.state.tokens.filter((token) => token.status === 'active');
  const start = startOf(work.definition);
  begin(work, actor, 'retreat', at?.state_id ?? start.id, { suggestion }, null);
  enter(work, collapse(work, '发起人已撤回'), start, { refused: false }, 0);
  setActState(work, actState.withdrawn);
}

/** True if a person's own decision is the last action of all. */
export function mayTakeBack(state: TicketState, person: number): boolean {
  const open: readonly number[] = [actState.ongoing, actState.returned];
  return state.undo?.actor === person && open.includes(state.act_state);
}

/** Restores the ticket as it was before the actor's last decision. Changes to the form stay. */
export function takeBack(work: Work, actor: number, suggestion: string): void {
  const { undo, tokens } = work.state;
  if (!undo) throw new Error('there is nothing to take back');
  const before = undo.tokens.find((token) => token.status === 'active');
  begin(work, actor, 'retreat', tokens.find((token) => token.status === 'active')?.state_id ?? 0, { suggestion }, null);
  const since = work.state.tasks.filter((task) => task.no > undo.youngest);
  cancel(work, since, '已被撤回');
  for (const { no, origin, status } of since)
    if (origin === 'keep' && status === 'agree') change(work, no, 'cancelled', null, '已被撤回');
  for (const task of undo.tasks) change(work, task.no, task.status, task.transition_id, task.reason);
  for (const token of tokens) {
    if (!undo.tokens.some((one) => one.no === token.no) && token.status !== 'done')
      emit(work, { type: 'token_done', token: token.no });
  }
  for (const token of undo.tokens) emit(work, { type: 'token_set', token });
  if (undo.round !== work.state.round) emit(work, { type: 'round_started', round: undo.round });
  setActState(work, undo.act_state);
  lastEntry(work).to_state_id = before?.state_id ?? lastEntry(work).to_state_id;
  askCandidatesAgain(work);
}

/** Remembers the ticket's position before a decision of this person. */
export function remember(work: Work, actor: number): void {
  const { tokens, tasks, act_state, round } = work.state;
  const open = tasks
    .filter(isOpen)
    .map(({ no, status, transition_id, reason }) => ({ no, status, transition_id, reason }));
  emit(work, { type: 'undo_set', undo: { actor, tokens, tasks: open, youngest: tasks.length, act_state, round } });
}
