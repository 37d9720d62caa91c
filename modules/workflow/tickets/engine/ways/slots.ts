import type { Vote } from '#modules/workflow/workflows/engine/votes/outcome.ts';
import { isStall } from '../stalling.ts';
import { isOpen, type GroupMode, type Task, type TaskOrigin, type TaskStatus, type TicketState } from '../state.ts';

/** A seat in a visit: its present holder, and the signers added to it. */
export interface Slot {
  task: Task;
  groups: readonly Group[];
}
interface Group {
  mode: GroupMode;
  /** `answer`: they give opinions before the holder decides. */
  kind: 'answer' | 'parallel' | 'after';
  members: readonly Slot[];
}
export interface Step {
  no: number;
  status: TaskStatus;
  reason: string;
}
/** The vote of a slot. Undefined: it was removed and does not count; null: none yet. */
type Said = Pick<Vote, 'no' | 'transition_id'> & { status: 'agree' | 'refuse' | 'other' };

const kinds: Partial<Record<TaskOrigin, Group['kind']>> = { add_parallel: 'parallel', add_after: 'after' };

/** The slots of one visit, in the order of asking. */
export function slotsOf(state: TicketState, token: number, visit: number): Slot[] {
  const tasks = state.tasks.filter((task) => task.token === token && task.visit === visit);
  const from = Map.groupBy(tasks, (task) => task.origin_no);
  const slotOf = (first: Task): Slot => {
    const chain = [first];
    for (let last: Task | undefined = first; last;) {
      last = from.get(last.no)?.find((task) => task.origin === 'deliver');
      if (last) chain.push(last);
    }
    const added = chain.flatMap((held) => from.get(held.no) ?? []).filter((task) => task.origin !== 'deliver');
    const groups = [...Map.groupBy(added, (task) => task.group_no).values()].map((members): Group => ({
      mode: members[0]?.mode ?? 'all',
      kind: kinds[members[0]?.origin ?? 'assign'] ?? 'answer',
      members: members.toSorted((a, b) => a.group_seq - b.group_seq || a.no - b.no).map(slotOf),
    }));
    return { task: chain.at(-1) ?? first, groups };
  };
  return tasks.filter((task) => task.group_no === 0 && task.origin !== 'deliver' && !isStall(task)).map(slotOf);
}

/** Every task of a slot and of all signers added to it. */
export function tasksIn(slot: Slot): Task[] {
  return [slot.task, ...slot.groups.flatMap((group) => group.members.flatMap(tasksIn))];
}
const opens = (slots: readonly Slot[]) => slots.flatMap(tasksIn).filter(isOpen);
/** True if somebody in it can act now. */
const acts = (slot: Slot): boolean => tasksIn(slot).some((task) => task.status === 'todo');

/** The votes of a visit for `outcome`. */
export function votesOf(slots: readonly Slot[]): Vote[] {
  return slots.flatMap((slot): Vote[] => {
    const { no, group_seq } = slot.task;
    const words = saidBy(slot);
    if (words === undefined) return [];
    if (words) return [{ no, group_seq, status: words.status, transition_id: words.transition_id }];
    return [{ no, group_seq, status: acts(slot) ? 'todo' : 'waiting', transition_id: null }];
  });
}

function saidBy({ task, groups }: Slot): Said | null | undefined {
  const beside = besideOf({ task, groups });
  if (!beside || beside.status === 'refuse') return beside;
  for (const group of groups) {
    if (group.kind !== 'after') continue;
    const words = together(group.mode, group.members.map(saidBy));
    if (words === null || words?.status === 'refuse') return words;
  }
  return beside;
}

/** The votes of the holder and the parallel signers, without those who come after. */
function besideOf({ task, groups }: Slot): Said | null | undefined {
  const { no, status, transition_id } = task;
  let words: Said | null | undefined = isOpen(task) ? null : undefined;
  if (status === 'agree' || status === 'refuse' || status === 'other') words = { no, status, transition_id };
  for (const group of groups) {
    if (group.kind === 'parallel') words = together(group.mode, [words, ...group.members.map(saidBy)]);
  }
  return words;
}

function together(mode: GroupMode, all: readonly (Said | null | undefined)[]): Said | null | undefined {
  const counted = all.filter((words) => words !== undefined);
  const said = counted.filter((words) => words !== null);
  const [first] = said;
  if (counted.length === 0) return undefined;
  if (mode === 'any') return first ?? null;
  const refused = said.find((words) => words.status === 'refuse');
  if (refused) return refused;
  return said.length < counted.length ? null : first;
}

/** The next steps in a slot by the rules of added signers; empty if there are none. */
export function due(slot: Slot): Step[] {
  for (const group of slot.groups) {
    for (const member of group.members) {
      const inner = due(member);
      if (inner.length > 0) return inner;
    }
  }
  return dueBefore(slot) ?? dueBeside(slot) ?? dueAfter(slot) ?? [];
}

const drop = (slots: readonly Slot[]): Step[] | undefined => {
  const steps = opens(slots).map(({ no }): Step => ({ no, status: 'cancelled', reason: '他人已处理' }));
  return steps.length > 0 ? steps : undefined;
};
const wake = ({ task }: Slot): Step => ({ no: task.no, status: 'todo', reason: '' });
/** The members to ask next in a group in which nobody can act now. */
function turn({ mode, members }: Group): Step[] | undefined {
  const later = members.filter((member) => isOpen(member.task) && !acts(member));
  const now = mode === 'sequential' ? (members.some(acts) ? [] : later.slice(0, 1)) : later;
  return now.length > 0 ? now.map(wake) : undefined;
}

function dueBefore({ task, groups }: Slot): Step[] | undefined {
  if (task.status !== 'waiting') return undefined;
  const asked = groups.filter((group) => group.kind === 'answer');
  for (const group of asked) {
    const answered = group.members.some((member) => Boolean(saidBy(member)));
    if (group.mode === 'any' && answered) {
      const rest = drop(group.members);
      if (rest) return rest;
    }
    const next = turn(group);
    if (next) return next;
  }
  // Without a group of its own it waits for its turn in the group it belongs to.
  const freed = asked.length > 0 && opens(asked.flatMap((group) => group.members)).length === 0;
  return freed ? [wake({ task, groups })] : undefined;
}

function dueBeside(slot: Slot): Step[] | undefined {
  const parallel = slot.groups.filter((group) => group.kind === 'parallel');
  if (parallel.length === 0) return undefined;
  const words = besideOf(slot);
  if (words) {
    const own: Slot = { task: slot.task, groups: [] };
    return drop([own, ...parallel.flatMap((group) => group.members)]);
  }
  return parallel.map(turn).find((steps) => steps !== undefined);
}

function dueAfter(slot: Slot): Step[] | undefined {
  const after = slot.groups.filter((group) => group.kind === 'after');
  const words = besideOf(slot);
  if (after.length === 0 || words === null) return undefined;
  if (words === undefined || words.status === 'refuse') return drop(after.flatMap((group) => group.members));
  for (const [index, group] of after.entries()) {
    const said = together(group.mode, group.members.map(saidBy));
    if (said === undefined) continue;
    if (said === null) return turn(group);
    const rest = said.status === 'refuse' ? after.slice(index) : [group];
    const steps = drop(rest.flatMap((one) => one.members));
    if (steps || said.status === 'refuse') return steps;
  }
  return undefined;
}
