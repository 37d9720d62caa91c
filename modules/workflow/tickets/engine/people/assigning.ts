import type { Refusal } from '#kernel/contract/refusal.ts';
import {
  actState,
  distributeType,
  onEmpty,
  onSelf,
  participantType,
} from '#modules/workflow/workflows/engine/codes.ts';
import { asksEverybody, maxPeople, type State } from '#modules/workflow/workflows/engine/definition.ts';
import { nobodyThere, pickSomebody, tooManyPeople } from '../../contract/refusals.ts';
import { isBarred, isOwn, isWrittenByOthers, mayDecideOwn, wasNamed, whoWrote } from '../four-eyes.ts';
import { ask, hasDone, whoIsAsked } from './people.ts';
import { nearestHeads } from './superiors.ts';
import { stillAsSeen } from './seeing.ts';
import { hasVoted, type Task, type TicketState, type Token } from '../state.ts';
import { open, type Work } from '../work.ts';

/** Why a state's rules find nobody it may ask: for those who can correct it, and for those who have to. */
interface Lack {
  refusal: Refusal;
  why: string;
  /** True if they were to be chosen. */
  picks: boolean;
}
export interface Assignment {
  /** Nobody needs to act: the state is skipped for these people. */
  skip: boolean;
  lack: Lack | null;
  people: readonly number[];
  left_out: readonly number[];
  why: string;
  /** Decisions of this round that some of the people need not repeat. */
  spared: readonly Task[];
}

/** The people a state asks, after its rules about oneself, repetition and nobody. */
export function peopleFor(work: Work, state: State, refused: boolean): Assignment {
  const { people: answers } = work.facts;
  const asked = whoIsAsked(work.definition, state, work.state, answers);
  const { creator } = work.state;
  const skip = (people: readonly number[], why: string, spared: readonly Task[] = []): Assignment => ({
    skip: true,
    lack: null,
    people,
    left_out: people,
    why,
    spared,
  });
  let people = asked;
  let why = '';
  /** The ticket is the own of all who are asked. */
  let alone = false;
  const own = mayDecideOwn(state) ? [] : asked.filter((person) => isOwn(work.state, person));
  if (own.length > 0) {
    const whose = own.includes(creator) ? '发起人本人' : whoWrote(work.state);
    const above = own.map((of) => ({ kind: 'superior', of }) as const);
    // A creator in whose name others wrote it has agreed to nothing yet, so their state is not skipped.
    const unsaid = state.on_self === onSelf.skip && isWrittenByOthers(work.state);
    const instead = state.on_self === onSelf.superior || unsaid ? ask(answers, above) : [];
    people = [...new Set([...asked, ...instead])].filter((person) => !isOwn(work.state, person));
    alone = people.length === 0;
    const named = alone && own.includes(creator) && wasNamed(work.definition, state, work.state, answers);
    // A ticket written in another's name is not skipped: nobody would have agreed.
    const skips = own.every((person) => person === creator) && state.on_self === onSelf.skip && !unsaid;
    if (alone && !named && skips) return skip(own, `办理人是${whose}，自动跳过`);
    if (named) why = `办理人填的是${whose}，由流程管理员处理`;
    else if (alone) why = `办理人是${whose}，没有上级，由流程管理员处理`;
    else
      why =
        state.on_self === onSelf.superior || unsaid
          ? `办理人是${whose}，转由上级或流程管理员处理`
          : `${whose}不参加处理`;
  }
  const apart = people.filter((person) => !hasDone(work.definition, work.state, state.not_done_by ?? [], person));
  if (apart.length < people.length) why ||= '办过前面环节的人，按流程规定不参加处理';
  people = apart;
  let spared: readonly Task[] = [];
  if (state.dedupe === 'round' && !refused && people.length > 0) {
    spared = sparedIn(work, state, people);
    const rest = people.filter((person) => !spared.some(({ assignee }) => assignee === person));
    if (rest.length === 0) return skip(people, `${restingOn(work, spared)}，自动跳过`, spared);
    // If one of them is to do it, the others do; if they vote, those spared count as agreed.
    if (!votes(state)) {
      if (spared.length > 0) why ||= `${restingOn(work, spared)}，不再处理`;
      people = rest;
      spared = [];
    }
  }
  if (people.length === 0) {
    if (state.on_empty === onEmpty.pass && !alone) return skip([], '没有办理人，自动通过');
    const found = stepIn(work, state, alone);
    people = found.people;
    why ||= found.why;
  }
  const lack = lackOf(state, people.length, work.state.chosen[state.id]);
  if (lack) return { skip: false, lack, people: [], left_out: [], why: lack.why, spared: [] };
  if ((state.remember_last || refused) && !asksEverybody(state)) people = lastHandler(work.state, state.id, people);
  return { skip: false, lack: null, people, left_out: asked.filter((person) => !people.includes(person)), why, spared };
}

/** The people who act if there is nobody else. `bound`: only the creator is asked, which neither skips a state nor refuses it. */
function stepIn(work: Work, state: State, bound: boolean): { people: number[]; why: string } {
  const { people } = work.facts;
  const { creator } = work.state;
  if (state.on_empty === onEmpty.up) {
    const mayAct = (person: number) => !isBarred(work.definition, work.state, state, person);
    const above = nearestHeads(state, work.state, (queries) => ask(people, queries), mayAct);
    if (above.length > 0) return { people: above, why: '没有办理人，逐级上溯到有负责人的部门' };
  }
  const admins = { kind: 'workflow_admins', of: null } as const;
  const toAdmins = state.on_empty === onEmpty.admins || (bound && state.on_empty !== onEmpty.users);
  const found =
    state.on_empty === onEmpty.users
      ? ask(
          people,
          state.on_empty_users.map((of) => ({ kind: 'user', of })),
        )
      : toAdmins
        ? ask(people, [admins])
        : [];
  const others = found.filter((person) => !isBarred(work.definition, work.state, state, person));
  if (others.length > 0) return { people: others, why: '没有办理人，由指定的人处理' };
  if (found.length > 0) {
    // If all who would step in are barred, the administrators and the creator's superior are tried instead.
    const above = { kind: 'superior', of: creator } as const;
    for (const query of state.on_self === onSelf.superior ? [above, admins] : [admins, above]) {
      const instead = ask(people, [query]).filter(
        (person) => person !== creator && !isBarred(work.definition, work.state, state, person),
      );
      if (instead.length > 0)
        return { people: instead, why: '没有其他办理人，指定的人不能办理，由流程管理员或上级处理' };
    }
  }
  return { people: [], why: '' };
}

function lackOf(state: State, count: number, chosen: readonly string[] = []): Lack | null {
  const { name, participants } = state;
  if (count > maxPeople) {
    const why = `环节“${name}”的办理人有 ${count} 人，超过了上限 ${maxPeople} 人`;
    return { refusal: tooManyPeople(name, count), why, picks: false };
  }
  if (count > 0) return null;
  const picks = participants.some((who) => who.type === participantType.variable && who.variable.endsWith('_select'));
  return picks
    ? {
        refusal: pickSomebody(name),
        why: `环节“${name}”的办理人应由他人选择，${chosen.length > 0 ? '选定的人已经离开' : '但没有选择'}`,
        picks,
      }
    : { refusal: nobodyThere(name), why: `环节“${name}”找不到办理人`, picks };
}

/**
 * True if the actor can be told that nobody is found, and do something about it: when they submit for the first time, may choose the people, move a
 * ticket by force or apply for its end. Anybody else would only be kept from their own decision.
 */
export function isHeard({ log, facts }: Work, state: State, { picks }: Lack): boolean {
  const [done] = log;
  if (!done || facts.by_itself || done.actor === null) return false;
  const { action, events } = done;
  const first = events.some((event) => event.type === 'act_state_changed' && event.from === actState.draft);
  if (action === 'state' || action === 'apply_finish' || first) return true;
  const variables =
    action === 'submit' ? ['creator_select', 'handler_select'] : action === 'handle' ? ['handler_select'] : [];
  return (
    picks && state.participants.some((who) => who.type === participantType.variable && variables.includes(who.variable))
  );
}

/** True if each of those asked votes, and one or a given number of votes decide. */
const votes = (state: State) =>
  asksEverybody(state) || (state.kind === 'approve' && state.distribution.type === distributeType.direct);

/**
 * The decisions of this round for which some people are not asked again: agreements they made themselves, not a delegate, the system or an
 * administrator, about what they still see unchanged.
 */
function sparedIn(work: Work, state: State, people: readonly number[]): Task[] {
  const { tasks, round, creator } = work.state;
  const agreed = tasks.filter(
    ({ status, answers, assignee, ...task }) =>
      status === 'agree' && !answers && task.round === round && assignee !== creator && people.includes(assignee),
  );
  const own = agreed.map((task) => (task.origin === 'keep' ? tasks.find(({ no }) => no === task.origin_no)! : task));
  const holding = stillAsSeen(work, state, own);
  return people.flatMap((person) => holding.findLast(({ assignee }) => assignee === person) ?? []);
}

/** Describes some decisions that need not be repeated. */
export function restingOn({ definition }: Work, decisions: readonly Task[]): string {
  const names = new Set(decisions.map((task) => definition.states.find(({ id }) => id === task.state_id)?.name ?? ''));
  return `办理人本轮已在${[...names].map((name) => `“${name}”`).join('、')}同意过，看到的内容没有变化`;
}

/** The last holder of the state's own task; added signers only helped. */
function lastHandler(state: TicketState, stateId: number, people: number[]): number[] {
  const last = state.tasks.findLast(
    (task) => task.state_id === stateId && task.group_no === 0 && hasVoted(task) && people.includes(task.assignee),
  );
  return last ? [last.assignee] : people;
}

/** Opens the tasks of a visit as the state distributes them. `origin`: `admin` for people named instead of the state's own. */
export function openAll(
  work: Work,
  token: Token,
  state: State,
  people: readonly number[],
  origin: 'assign' | 'admin' = 'assign',
): void {
  const { distribution } = state;
  const { type } = distribution;
  const asked = oneOf(work, state, people) ?? people;
  const offered = type === distributeType.claim && (asked.length > 1 || distribution.always === true);
  for (const [index, person] of asked.entries()) {
    const later = type === distributeType.sequential && index > 0;
    open(work, token, person, later ? 'waiting' : 'todo', index, offered, { origin });
  }
}

/** The one person to ask if one is enough and the state determines which; undefined if it asks them all. */
export function oneOf(
  { facts }: Work,
  { id, distribution: { type } }: State,
  people: readonly number[],
): number[] | undefined {
  const all = people.join(',');
  if (people.length < 2) return undefined;
  if (type === distributeType.random) return [people[Math.floor(facts.random * people.length)]!];
  if (type === distributeType.leastLoaded) return ask(facts.people, [{ kind: 'least_loaded', of: all }]);
  return type === distributeType.inTurn ? ask(facts.people, [{ kind: 'in_turn', of: `${id}:${all}` }]) : undefined;
}
