import { invalid } from '#kernel/contract/refusal.ts';
import { attributeType, interveneType } from '#modules/workflow/workflows/engine/codes.ts';
import {
  exitsOf,
  stateOf,
  timerOf,
  type Definition,
  type Transition,
} from '#modules/workflow/workflows/engine/definition.ts';
import { noLonger, notOffered } from '../../contract/refusals.ts';
import { awaits } from '../people/awaiting.ts';
import { offeredByTasks } from '../ways/offers.ts';
import { ask } from '../people/people.ts';
import { assign, leave } from '../ways/routing.ts';
import { isStall, stall, unstall } from '../stalling.ts';
import { busyIn, isOver, type Token } from '../state.ts';
import { begin, cancel, emit, calledIn, lastEntry, type Work } from '../work.ts';
import { writeFields } from './writing.ts';

/** Another system's answer: whether it did what was asked, with fields to fill in, or the people to ask. */
export interface Answer {
  type: 'answer';
  ok: boolean;
  msg: string;
  /** User names. */
  people: readonly string[];
  fields: Readonly<Record<string, unknown>>;
}
/**
 * Something that happens by itself: a time is over or nearly so, all tickets below a state have ended, the last of them was deleted, another system has
 * answered, or nothing can happen and `why`. It belongs to one visit of one token.
 */
export type SystemEvent = { token: number; visit: number } & (
  | { type: 'timer' | 'childless' }
  /** `fields`: values from the tickets below for its form. */
  | { type: 'children'; fields?: Readonly<Record<string, unknown>> | undefined }
  | { type: 'stall'; why: string }
  /** A deadline is near, or has passed: the people with tasks are reminded. The caller sends the messages. */
  | { type: 'remind'; suggestion: string }
  | Answer
);

const words = {
  timer: { suggestion: '到时间自动流转' },
  children: { suggestion: '下级工单已全部办结' },
};

/** Lets a token go on by itself; refused if it has left the visit, so that a repeated or late event does nothing. */
export function applySystemEvent(work: Work, event: SystemEvent): void {
  const { definition, state } = work;
  const { type, token: no, visit } = event;
  const token = state.tokens.find((one) => one.no === no && one.visit === visit && one.status === 'active');
  const wanted = token ? awaits(definition, state, token) : null;
  if (!token || isOver(state) || state.suspended) throw noLonger(state.act_state);
  if (type === 'stall') return callForHelp(work, token, event.why);
  if (type === 'remind') return remind(work, token, event.suggestion);
  if (type === 'childless') {
    if (wanted || goesOn(work, token)) throw noLonger(state.act_state);
    const { name } = stateOf(definition, token.state_id);
    return callForHelp(work, token, `下级工单已删除，环节“${name}”没有人可以继续`);
  }
  if (type === 'answer') {
    if (!wanted) throw noLonger(state.act_state);
    return wanted === 'result' ? report(work, token, event) : name(work, token, event);
  }
  if (type === 'timer' && wanted === 'people')
    return arrive(work, token, 'timer', { suggestion: '外部系统没有按时给出办理人' }, []);
  const way = wayOf(definition, token, type);
  if (!way) throw noLonger(state.act_state);
  begin(work, null, type, token.state_id, words[type], way);
  if (event.type === 'children' && event.fields) writeFields(work, stateOf(definition, token.state_id), event.fields);
  cancel(
    work,
    state.tasks.filter((task) => task.token === no && task.visit === visit),
    words[type].suggestion,
  );
  leave(work, token, way, 0);
}

function callForHelp(work: Work, token: Token, why: string): void {
  begin(work, null, 'stall', token.state_id, { suggestion: why }, null);
  stall(work, token, why);
}

/** Unlike somebody's urging, this also reaches the creator, and needs nobody who may urge. */
function remind(work: Work, token: Token, suggestion: string): void {
  const { state } = work;
  if (busyIn(state).size === 0) throw notOffered('没有可以提醒的办理人', state.act_state, []);
  begin(work, null, 'urge', token.state_id, { suggestion }, null);
  lastEntry(work).intervene_type = interveneType.timeout;
}

const steps: readonly string[] = ['handle', 'accept', 'add_node_end'];

/** True if a current member of staff has a button that moves a token on, or was called to help. */
function goesOn({ definition, state, facts }: Work, { no, visit }: Token): boolean {
  const there = state.tasks.filter((task) => task.token === no && task.visit === visit && task.status === 'todo');
  const working = ask(
    facts.people,
    there.map((task) => ({ kind: 'user', of: task.assignee })),
  );
  return there
    .filter((task) => working.includes(task.assignee))
    .some(
      (task) =>
        isStall(task) ||
        offeredByTasks(definition, state, task.assignee, facts.rights).some(
          (offer) => offer.task_no === task.no && steps.includes(offer.action),
        ),
    );
}

function wayOf(definition: Definition, { state_id }: Token, type: 'timer' | 'children'): Transition | undefined {
  if (type === 'timer') return timerOf(definition, state_id);
  return stateOf(definition, state_id).kind === 'subticket' ? exitsOf(definition, state_id)[0] : undefined;
}

/** The outcome, success or failure: the ticket takes the one exit or the other. */
function report(work: Work, token: Token, { ok, msg, fields }: Answer): void {
  const exits = exitsOf(work.definition, token.state_id);
  const way = exits.find((exit) => (exit.attribute === attributeType.refuse) !== ok);
  if (!way) throw new Error(`state ${token.state_id} has no way for this answer`);
  begin(work, null, 'answer', token.state_id, { suggestion: msg || (ok ? '外部系统已办成' : '外部系统未成功') }, way);
  writeFields(work, stateOf(work.definition, token.state_id), fields);
  leave(work, token, way, 0);
}

/** The people to ask; nobody if the other system could not tell. */
function name(work: Work, token: Token, { ok, msg, people }: Answer): void {
  const named = ok ? people : [];
  const queries = named.map((of) => ({ kind: 'username', of }) as const);
  ask(work.facts.people, queries);
  const unknown = queries.find((query) => ask(work.facts.people, [query]).length === 0);
  if (unknown)
    throw invalid([{ field: 'people', label: '办理人', msg: `用户“${calledIn(work, unknown.of)}”不存在或已停用` }]);
  const said = msg || (named.length > 0 ? '外部系统给出了办理人' : '外部系统没有给出办理人');
  arrive(work, token, 'answer', { suggestion: said }, named);
}

/** The state's people are known now, or never will be: its own rules decide what follows. */
function arrive(
  work: Work,
  token: Token,
  action: 'answer' | 'timer',
  said: { suggestion: string },
  usernames: readonly string[],
) {
  const state = stateOf(work.definition, token.state_id);
  begin(work, null, action, state.id, said, null);
  emit(work, { type: 'people_chosen', state_id: state.id, usernames });
  unstall(work, token, said.suggestion);
  assign(work, token, state, token.returned, 0);
}
