import { attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { asksEverybody, exitsOf, stateOf, type Transition } from '#modules/workflow/workflows/engine/definition.ts';
import { outcome } from '#modules/workflow/workflows/engine/votes/outcome.ts';
import { isBarred } from '../four-eyes.ts';
import { ask } from '../people/people.ts';
import { count } from './counting.ts';
import { enter, leave } from './routing.ts';
import { due, slotsOf, votesOf } from './slots.ts';
import type { Task, Token } from '../state.ts';
import { cancel, change, lastEntry, tokenOf, visitTasks, type Work } from '../work.ts';

/** After a vote or a removal in a visit: applies the rules of added signers, then counts the votes and moves on. */
export function settle(work: Work, task: Task): void {
  const { definition } = work;
  let slots = slotsOf(work.state, task.token, task.visit);
  for (let steps = slots.flatMap(due); steps.length > 0; steps = slots.flatMap(due)) {
    for (const step of steps) {
      const ended = work.state.tasks.filter((one) => one.no === step.no && step.status === 'cancelled');
      if (ended.length > 0) cancel(work, ended, step.reason);
      else change(work, step.no, step.status, null, step.reason);
    }
    slots = slotsOf(work.state, task.token, task.visit);
  }
  const exits = exitsOf(definition, task.state_id);
  const result = outcome(stateOf(definition, task.state_id).distribution, votesOf(slots), exits);
  if ('wait' in result) {
    if (result.wait !== null) change(work, result.wait, 'todo', null, '');
    return;
  }
  const here = [task.no, ...visitTasks(work, task).map(({ no }) => no)];
  count(
    work,
    stateOf(definition, task.state_id),
    work.state.tasks.filter(({ no }) => here.includes(no)),
  );
  cancel(work, visitTasks(work, task), '他人已处理');
  const way = exits.find((exit) => exit.id === result.go);
  if (!way) throw new Error(`outcome ${result.go} is no exit of state ${task.state_id}`);
  goOn(work, tokenOf(work, task.token), way);
}

/** Goes along the transition, or straight back to the person who returned it if no key field has changed. */
function goOn(work: Work, token: Token, way: Transition): void {
  const returner = work.state.tasks.find((task) => task.no === token.back_to);
  if (!returner || way.attribute === attributeType.refuse) return leave(work, token, way, 0);
  const state = stateOf(work.definition, returner.state_id);
  const held = asksEverybody(state)
    ? slotsOf(work.state, returner.token, returner.visit).map((slot) => slot.task.assignee)
    : [];
  const wanted = [...new Set([...held, returner.assignee])].map((of) => ({ kind: 'user', of }) as const);
  const people = ask(work.facts.people, wanted).filter(
    (person) => !isBarred(work.definition, work.state, state, person),
  );
  lastEntry(work).trace.push({ about: 'straight_back', state_id: state.id, kept: people.length > 0 });
  if (people.length === 0) return leave(work, token, way, 0);
  enter(work, token, state, { refused: false, people }, 0);
}
