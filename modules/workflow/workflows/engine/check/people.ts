import { fieldAccess, participantType, refusesInTheEnd, type StateKind } from '../codes.ts';
import {
  asksPeople,
  awaitedIn,
  exitsOf,
  isSave,
  startOf,
  type Definition,
  type State,
  type Transition,
} from '../definition.ts';
import { statesToPickFirst } from '../picks.ts';
import { hangsOnOthers } from '../proof/samples.ts';
import { mayBePassed } from '../proof/finishing.ts';
import { at, whole, type Problem } from './problem.ts';

const passing: readonly StateKind[] = ['cc', 'condition', 'parallel_split', 'inclusive'];
const toAdmins = '没有人时，工单会交给流程管理员处理；要由别人接手，请设置没有办理人时由谁处理';

/**
 * Warnings where a running ticket may find nobody: its administrators are then called, so the publisher is told before. A state reached only by the
 * first submission refuses that instead, with a reason to the applicant.
 */
export function peopleWarnings(definition: Definition): Problem[] {
  const running = enteredWhileRunning(definition);
  const asked = definition.states.filter(
    (state) => asksPeople(state) && refusesInTheEnd(state.on_empty) && running.has(state.id),
  );
  const found = asked.flatMap((state) => {
    const why = whyEmpty(definition, state);
    return why === null ? [] : [at(state, `环节“${state.name}”${why}，${toAdmins}`)];
  });
  const named = new Set(found.map((problem) => problem.key));
  const others = asked.filter((state) => !named.has(state.key)).map((state) => `“${state.name}”`);
  if (others.length === 0) return found;
  const names = others.slice(0, 5).join('') + (others.length > 5 ? `等 ${others.length} 个环节` : '');
  return [...found, whole(`环节${names}的人以后可能离开、角色可能清空，${toAdmins}`)];
}

/** Why a state may have nobody although everybody the definition names is available; null if it cannot. */
function whyEmpty(definition: Definition, state: State): string | null {
  const apart = state.not_done_by ?? [];
  if (apart.length > 0) return '不让办过前面环节的人办理，可能没有别的人';
  const whys = state.participants.map((participant) => {
    if (participant.type === participantType.none) return '没有设置办理人';
    if (participant.type === participantType.parentField) return '由上级工单的字段决定办理人，那里可能没有填写';
    if (participant.type === participantType.fieldHeads) return '由表单里的部门决定办理人，部门可能没有负责人';
    if (participant.type === participantType.deptHeads) return '由部门的负责人处理，部门可能没有负责人';
    if (participant.type === participantType.superior || participant.type === participantType.superiors)
      return '由发起人的上级处理，发起人可能没有部门，上面可能没有这一级';
    if (participant.type === participantType.doneBy) {
      const before = definition.states.find((one) => one.key === participant.state);
      return before?.kind === 'start' ? null : `由办过“${before?.name ?? ''}”的人处理，那里可能没有人办理过`;
    }
    if (participant.type === participantType.field) {
      const field = definition.fields.find((one) => one.key === participant.field);
      return field && mayBeEmpty(definition, state, field.key)
        ? `由字段“${field.name}”决定办理人，它可能没有填写`
        : null;
    }
    if (participant.type !== participantType.variable) return null;
    switch (participant.variable) {
      case 'creator_select':
        return statesToPickFirst(definition).includes(state)
          ? '的办理人由发起人选择，自动发起或在业务页面发起时没有人选'
          : '的办理人由发起人选择，提交时可以不选';
      case 'handler_select':
        return '的办理人由上一环节的人选择，自动流转到这里时没有人选';
      case 'creator_head':
      case 'dept_fzr':
      case 'dept_ld':
      case 'secretary':
        return '的办理人由发起人的部门决定，发起人可能没有部门，部门可能没有设置这个人';
      default:
        return null;
    }
  });
  // One source that always finds somebody is enough.
  return whys.length === 0 || whys.includes(null) ? null : (whys[0] ?? null);
}

/** States a ticket may enter other than by its first submission. */
function enteredWhileRunning(definition: Definition): Set<number> {
  const start = startOf(definition).id;
  const fromStart = new Set([start]);
  for (const id of fromStart)
    for (const target of targetsOf(definition, id)) if (passes(definition, target)) fromStart.add(target);
  const running = new Set<number>();
  for (const state of definition.states) {
    if (fromStart.has(state.id)) continue;
    for (const target of targetsOf(definition, state.id)) running.add(target);
    // A state may be returned to from a later one, and asks anew then.
    if (asksPeople(state) && state.actions.includes('return')) for (const one of definition.states) running.add(one.id);
  }
  // States passed without people lead on at once, but may also be entered by a running ticket.
  for (const id of running)
    if (passes(definition, id)) for (const target of targetsOf(definition, id)) running.add(target);
  // A ticket that came back to its start is submitted again, and is then running.
  if (running.has(start) || definition.states.some((state) => state.actions.includes('retreat')))
    for (const id of fromStart) for (const target of targetsOf(definition, id)) running.add(target);
  return running;
}

const passes = ({ states }: Definition, id: number) =>
  states.some((one) => one.id === id && passing.includes(one.kind));

function targetsOf(definition: Definition, id: number): number[] {
  return exitsOf(definition, id).flatMap(leadsTo);
}

const leadsTo = ({ destination, conditions }: Transition) => [
  destination,
  ...conditions.map((branch) => branch.target_state_id),
];

/** True if a field may be empty when a ticket enters a state: some way does not require it, or somebody may have emptied it. */
export function mayBeEmpty(definition: Definition, target: State, key: string): boolean {
  const { states, fields } = definition;
  const hangs = fields.some((field) => field.key === key && hangsOnOthers(field));
  const empties = states.filter((state) => state.access[key] === fieldAccess.optional);
  const seen = new Set([startOf(definition).id, ...empties.map((state) => state.id)]);
  for (const id of seen) {
    if (id === target.id && target.kind !== 'start') return true;
    const state = states.find((one) => one.id === id);
    if (!state) continue;
    for (const exit of exitsOf(definition, id)) {
      if (isSave(definition, exit) || (!hangs && fills(state, exit, key))) continue;
      for (const next of leadsTo(exit)) seen.add(next);
    }
  }
  return false;
}

/** True if an exit can only be taken after filling in the field. */
function fills(state: State, exit: Transition, key: string): boolean {
  const pressed = state.kind === 'start' || asksPeople(state);
  return (
    pressed &&
    state.access[key] === fieldAccess.required &&
    exit.field_require_check &&
    exit.timer === 0 &&
    !mayBePassed(state) &&
    awaitedIn(state) !== 'result'
  );
}
