import { fieldAccess } from '#modules/workflow/workflows/engine/codes.ts';
import { isEmpty } from '#modules/workflow/workflows/engine/condition.ts';
import { isSplit } from '#modules/workflow/workflows/engine/check/branches/branch-check.ts';
import {
  asksPeople,
  awaitedIn,
  completionOf,
  exitsOf,
  stateOf,
  type Definition,
  type State,
} from '#modules/workflow/workflows/engine/definition.ts';
import { sameNest } from '#modules/workflow/workflows/engine/check/branches/nest.ts';
import { readValue } from '../engine/form/values.ts';
import type { TicketState, Token } from '../engine/state.ts';

/** An administrator's settings for moving tickets. */
export interface Wanted {
  /** State of the old version → the state of the new one in which its tickets continue. */
  states: ReadonlyMap<number, number>;
  /** Opens branches that only the new version has. */
  open_branches: boolean;
}

export interface Fit {
  /** Why a ticket cannot continue in the other version. */
  faults: string[];
  /** Differences it would notice. */
  changes: string[];
  /** Its present states for which one of the new version must be named. */
  needs: number[];
  moves: { token: number; to: number }[];
  opens: { token: number; exits: number[] }[];
}

/** Determines whether a ticket can continue in another version of its workflow, in its state or the named one. */
export function fit(from: Definition, to: Definition, ticket: TicketState, wanted: Wanted): Fit {
  const found: Fit = { faults: [], changes: [], needs: [], moves: [], opens: [] };
  const { faults, changes, needs } = found;
  for (const token of ticket.tokens) {
    if (token.status === 'done') continue;
    const before = from.states.find((state) => state.id === token.state_id);
    const target = token.status === 'active' ? wanted.states.get(token.state_id) : undefined;
    if (before && target !== undefined) {
      moved(from, to, ticket, { token, before, target }, found);
      continue;
    }
    const after = to.states.find((state) => state.id === token.state_id);
    const amiss = before ? [...place(before, after, changes), ...nestAmiss(from, to, token, after)] : [];
    faults.push(...amiss);
    if (amiss.length > 0 && before && token.status === 'active') needs.push(before.id);
    if (before && after && isSplit(before)) split(from, to, token, wanted, found);
    for (const task of ticket.tasks) {
      if (task.token !== token.no || task.visit !== token.visit || task.transition_id === null) continue;
      const still = to.transitions.some((one) => one.id === task.transition_id && one.source === token.state_id);
      const name = from.transitions.find((one) => one.id === task.transition_id)?.name ?? '';
      if (!still) faults.push(`已有人选择了流转“${name}”，新版本里没有它`);
    }
  }
  content(from, to, ticket, found);
  return { ...found, faults: [...new Set(faults)], changes: [...new Set(changes)], needs: [...new Set(needs)] };
}

/** Checks the move to another state: it must wait for somebody or something, in the same branches. */
function moved(
  from: Definition,
  to: Definition,
  ticket: TicketState,
  { token, before, target }: { token: Token; before: State; target: number },
  { faults, changes, moves }: Fit,
): void {
  const after = to.states.find((state) => state.id === target);
  const waits = after && (asksPeople(after) || after.kind === 'delay' || awaitedIn(after) !== null);
  if (!after || !waits || after === completionOf(to))
    faults.push(`“${after?.name ?? target}”不能作为对应的新环节，请改选由人办理的环节`);
  else if (before.kind === 'start' || before === completionOf(from))
    faults.push(`工单在“${before.name}”，不能改到别的环节`);
  else if (ticket.suspended) faults.push('工单已挂起，请恢复后再迁移到别的环节');
  else if (!sameNest([from, before.id], [to, after.id]))
    faults.push(`“${before.name}”和“${after.name}”不在同样的分支里，改过去会漏掉并行的环节，请另选环节`);
  else {
    changes.push(`从“${before.name}”改到“${after.name}”，由“${after.name}”的办理人重新办理`);
    moves.push({ token: token.no, to: after.id });
  }
}

function place(before: State, after: State | undefined, changes: string[]): string[] {
  if (!after) return [`当前环节“${before.name}”在新版本里没有了，请选择对应的新环节，或先办完这个环节`];
  if (after.name !== before.name) changes.push(`当前环节“${before.name}”改名为“${after.name}”`);
  if (JSON.stringify(after.participants) !== JSON.stringify(before.participants))
    changes.push(`环节“${after.name}”的办理人改了，已经分到的待办不变`);
  if (JSON.stringify(after.distribution) !== JSON.stringify(before.distribution))
    changes.push(`环节“${after.name}”的处理方式改了，已有的意见按新方式计算`);
  const required = (state: State) =>
    Object.keys(state.access).filter((key) => state.access[key] === fieldAccess.required);
  const more = required(after).filter((key) => before.access[key] !== fieldAccess.required);
  if (more.length > 0) changes.push(`当前环节多了 ${more.length} 个必填字段`);
  return after.kind !== before.kind || awaitedIn(after) !== awaitedIn(before)
    ? [`当前环节“${before.name}”在新版本里换了类型，请选择对应的新环节，或先办完这个环节`]
    : [];
}

/** Faults of a move that would leave branches out: a running ticket has its branches already. */
function nestAmiss(from: Definition, to: Definition, { state_id }: Token, after: State | undefined): string[] {
  if (!after || sameNest([from, state_id], [to, state_id])) return [];
  const { name } = stateOf(from, state_id);
  return [`当前环节“${name}”在新版本里属于另外的分支，迁移会漏掉与它并行的环节，请选择对应的新环节，或先办完这个环节`];
}

/** Branches that a join would wait for and nobody has opened. */
function split(from: Definition, to: Definition, token: Token, wanted: Wanted, { faults, changes, opens }: Fit): void {
  const { name } = stateOf(from, token.state_id);
  const known = new Set(exitsOf(from, token.state_id).map((exit) => exit.id));
  const further = exitsOf(to, token.state_id).filter((exit) => !known.has(exit.id));
  for (const exit of further) {
    const branch = `到“${stateOf(to, exit.destination).name}”的分支`;
    if (wanted.open_branches) changes.push(`在“${name}”新开${branch}`);
    else
      faults.push(`工单已在“${name}”分开办理，新版本在那里多了${branch}，请选择开出新增的分支，或等各分支汇合后再迁移`);
  }
  if (wanted.open_branches && further.length > 0)
    opens.push({ token: token.no, exits: further.map((exit) => exit.id) });
}

function content(from: Definition, to: Definition, ticket: TicketState, { faults, changes }: Fit): void {
  for (const field of from.fields) {
    const value = ticket.form[field.key];
    if (isEmpty(value)) continue;
    const after = to.fields.find((candidate) => candidate.key === field.key);
    if (!after) {
      changes.push(`字段“${field.name}”在新版本里没有了，已填的内容不再显示`);
      continue;
    }
    // Rows that are rewritten later must then be completed.
    const columns = new Map(after.columns.map((column) => [column.key, fieldAccess.optional] as const));
    const read = readValue(after, value, { columns, before: [] });
    if ('msg' in read) faults.push(`字段“${after.name}”已填的内容在新版本里不合适：${read.msg}`);
  }
}
