import { fieldAccess } from '#modules/workflows/engine/codes.ts';
import { isEmpty } from '#modules/workflows/engine/condition.ts';
import { isSplit } from '#modules/workflows/engine/check/branch-check.ts';
import { awaitedIn, exitsOf, stateOf, type Definition, type State } from '#modules/workflows/engine/definition.ts';
import { sameNest } from '#modules/workflows/engine/check/nest.ts';
import { readValue } from '../engine/form/values.ts';
import type { TicketState, Token } from '../engine/state.ts';

export interface Fit {
  /** Why a ticket cannot go on in the other version. */
  faults: string[];
  /** What would be different for it. */
  changes: string[];
}

/** Whether a ticket can go on where it stands in another version of its workflow. */
export function fit(from: Definition, to: Definition, ticket: TicketState): Fit {
  const faults: string[] = [];
  const changes: string[] = [];
  for (const token of ticket.tokens) {
    if (token.status === 'done') continue;
    const before = from.states.find((state) => state.id === token.state_id);
    const after = to.states.find((state) => state.id === token.state_id);
    if (before) place(before, after, { faults, changes });
    if (before && after) faults.push(...branchesAmiss(from, to, token));
    for (const task of ticket.tasks) {
      if (task.token !== token.no || task.visit !== token.visit || task.transition_id === null) continue;
      const still = to.transitions.some((one) => one.id === task.transition_id && one.source === token.state_id);
      const name = from.transitions.find((one) => one.id === task.transition_id)?.name ?? '';
      if (!still) faults.push(`已有人选择了流转“${name}”，新版本里没有它`);
    }
  }
  content(from, to, ticket, { faults, changes });
  return { faults: [...new Set(faults)], changes: [...new Set(changes)] };
}

function place(before: State, after: State | undefined, { faults, changes }: Fit): void {
  if (!after) {
    faults.push(`当前环节“${before.name}”在新版本里没有了，请先办完这个环节`);
    return;
  }
  if (after.kind !== before.kind || awaitedIn(after) !== awaitedIn(before))
    faults.push(`当前环节“${before.name}”在新版本里换了类型，请先办完这个环节`);
  if (after.name !== before.name) changes.push(`当前环节“${before.name}”改名为“${after.name}”`);
  if (JSON.stringify(after.participants) !== JSON.stringify(before.participants))
    changes.push(`环节“${after.name}”的办理人改了，已经分到的待办不变`);
  if (JSON.stringify(after.distribution) !== JSON.stringify(before.distribution))
    changes.push(`环节“${after.name}”的处理方式改了，已有的意见按新方式计算`);
  const required = (state: State) =>
    Object.keys(state.access).filter((key) => state.access[key] === fieldAccess.required);
  const more = required(after).filter((key) => before.access[key] !== fieldAccess.required);
  if (more.length > 0) changes.push(`当前环节多了 ${more.length} 个必填字段`);
}

/** What would leave branches out, or a join waiting for one that nobody opened: a ticket that runs has its branches. */
function branchesAmiss(from: Definition, to: Definition, { state_id }: Token): string[] {
  const { name, kind } = stateOf(from, state_id);
  if (!sameNest([from, state_id], [to, state_id]))
    return [`当前环节“${name}”在新版本里属于另外的分支，迁移会漏掉与它并行的环节，请先办完这个环节`];
  if (!isSplit({ kind })) return [];
  const known = new Set(exitsOf(from, state_id).map((exit) => exit.id));
  return exitsOf(to, state_id)
    .filter((exit) => !known.has(exit.id))
    .map(
      (exit) =>
        `工单已在“${name}”分开办理，新版本在那里多了到“${stateOf(to, exit.destination).name}”的分支，请等各分支汇合后再迁移`,
    );
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
    const read = readValue(after, value);
    if ('msg' in read) faults.push(`字段“${after.name}”已填的内容在新版本里不合适：${read.msg}`);
  }
}
