import {
  actState,
  attributeType,
  distributeType,
  onEmpty,
  onSelf,
  participantType,
} from '#modules/workflows/engine/codes.ts';
import { evaluate } from '#modules/workflows/engine/condition.ts';
import { exitsOf, stateOf, type State, type Transition } from '#modules/workflows/engine/definition.ts';
import { nobodyThere, pickSomebody, runsInCircles, tooManyPeople } from '../contract/refusals.ts';
import { ask, whoIsAsked } from './people.ts';
import type { TicketState, Token } from './state.ts';
import { begin, emit, lastEntry, open, setActState, tokenOf, type Work } from './work.ts';

/** Most people one state may ask at once. */
export const maxPeople = 500;

/** A token takes a transition. `steps` counts what happened by itself since a person acted. */
export function leave(work: Work, token: Token, transition: Transition, steps: number): void {
  const { definition, state } = work;
  let destination = transition.destination;
  for (const [index, branch] of transition.conditions.entries()) {
    const { result, missing } = evaluate(branch.expression, { form: state.form, ...work.facts.creator });
    lastEntry(work).trace.push({ about: 'condition', transition_id: transition.id, index, result, missing });
    if (!result) continue;
    destination = branch.target_state_id;
    break;
  }
  enter(work, token, stateOf(definition, destination), transition, steps);
}

function enter(work: Work, before: Token, state: State, via: Transition, steps: number): void {
  if (steps > work.definition.states.length * 2) throw runsInCircles(state.name);
  const refused = via.attribute === attributeType.refuse;
  emit(work, {
    type: 'token_entered',
    token: before.no,
    state_id: state.id,
    visit: before.visit + 1,
    branch: before.branch,
    returned: refused || state.kind === 'start',
  });
  lastEntry(work).to_state_id = state.id;
  const token = tokenOf(work, before.no);
  switch (state.kind) {
    case 'start':
      open(work, token, work.state.creator, 'todo', 0, false);
      return setActState(work, actState.returned);
    case 'end':
      return end(work, token, refused);
    case 'condition':
      return leave(work, token, passOf(work, state), steps + 1);
    case 'cc':
      emit(work, { type: 'copied', state_id: state.id, people: whoIsAsked(state, work.state, work.facts.people) });
      return leave(work, token, passOf(work, state), steps + 1);
    case 'approve':
    case 'handle':
      setActState(work, actState.ongoing);
      if (refused) emit(work, { type: 'round_started', round: work.state.round + 1 });
      return assign(work, token, state, refused, steps);
    default:
      throw new Error(`states of kind ${state.kind} cannot be entered yet`);
  }
}

function end(work: Work, token: Token, refused: boolean): void {
  emit(work, { type: 'token_done', token: token.no });
  if (work.state.tokens.some((other) => other.status !== 'done')) return;
  setActState(work, refused ? actState.closed : actState.finished);
}

/** Opens the tasks of a state, or passes it by where its rules say so. */
function assign(work: Work, token: Token, state: State, refused: boolean, steps: number): void {
  const { people: answers } = work.facts;
  const asked = whoIsAsked(state, work.state, answers);
  const { creator } = work.state;
  let people = asked;
  let why = '';
  if (asked.includes(creator) && state.on_self !== onSelf.asUsual) {
    const others = asked.filter((person) => person !== creator);
    const instead = state.on_self === onSelf.superior ? ask(answers, [{ kind: 'superior', of: creator }]) : [];
    people = [...new Set([...others, ...instead.filter((person) => person !== creator)])];
    why = state.on_self === onSelf.superior ? '处理人是发起人本人，转由上级处理' : '处理人是发起人本人，自动跳过';
    if (people.length === 0 && state.on_self === onSelf.skip) return skip(work, token, state, [creator], why, steps);
  }
  if (state.dedupe === 'round' && !refused && people.length > 0) {
    const agreed = new Set(agreedThisRound(work.state));
    const fresh = people.filter((person) => !agreed.has(person));
    if (fresh.length === 0) return skip(work, token, state, people, '处理人本轮已经同意过，自动跳过', steps);
    if (fresh.length < people.length) why ||= '本轮已经同意过的人不再处理';
    people = fresh;
  }
  if (people.length === 0) {
    if (state.on_empty === onEmpty.pass) return skip(work, token, state, [], '没有处理人，自动通过', steps);
    why ||= '没有处理人，由指定的人处理';
    people = stepIn(work, state);
  }
  if (people.length > maxPeople) throw tooManyPeople(state.name, people.length);
  if (state.remember_last) people = lastHandler(work.state, state.id, people);
  const left_out = asked.filter((person) => !people.includes(person));
  lastEntry(work).trace.push({ about: 'people', state_id: state.id, people, left_out, why });
  openAll(work, token, state, people);
}

function stepIn(work: Work, state: State): number[] {
  const { people } = work.facts;
  const found =
    state.on_empty === onEmpty.users
      ? ask(
          people,
          state.on_empty_users.map((of) => ({ kind: 'user', of })),
        )
      : state.on_empty === onEmpty.admins
        ? ask(people, [{ kind: 'workflow_admins', of: null }])
        : [];
  if (found.length > 0) return found;
  const picks = state.participants.some(
    (who) => who.type === participantType.variable && who.variable.endsWith('_select'),
  );
  throw picks ? pickSomebody(state.name) : nobodyThere(state.name);
}

function agreedThisRound(state: TicketState): number[] {
  return state.tasks
    .filter((task) => task.status === 'agree' && task.round === state.round && task.assignee !== state.creator)
    .map((task) => task.assignee);
}

function lastHandler(state: TicketState, stateId: number, people: number[]): number[] {
  const last = state.tasks.findLast(
    (task) =>
      task.state_id === stateId && ['agree', 'refuse', 'other'].includes(task.status) && people.includes(task.assignee),
  );
  return last ? [last.assignee] : people;
}

function openAll(work: Work, token: Token, state: State, people: readonly number[]): void {
  const { type } = state.distribution;
  const lot = people[Math.min(people.length - 1, Math.floor(work.facts.random * people.length))];
  const asked = type === distributeType.random && lot !== undefined ? [lot] : people;
  for (const [index, person] of asked.entries()) {
    const later = type === distributeType.sequential && index > 0;
    open(work, token, person, later ? 'waiting' : 'todo', index, type === distributeType.claim && asked.length > 1);
  }
}

/** Passes a state nobody needs to act in, with a log row of its own. */
function skip(work: Work, token: Token, state: State, people: readonly number[], why: string, steps: number): void {
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
