import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import type { SimulatedStep } from '#modules/workflow/workflows/contract/release.ts';
import { attributeType, distributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { describe, type Wording } from '#modules/workflow/workflows/engine/condition.ts';
import {
  asksPeople,
  awaitedIn,
  exitsOf,
  stateOf,
  type Definition,
  type State,
  type Transition,
} from '#modules/workflow/workflows/engine/definition.ts';
import type { LogEntry, Trace } from '../engine/state.ts';
import { shownValue } from '../engine/fields.ts';
import { wordsFor } from '../read/sources.ts';

/** A step with ids instead of people. */
interface Draft {
  state: State;
  visit: number;
  people: number[];
  left_out: number[];
  reasons: string[];
  outcome: SimulatedStep['outcome'];
  decided_by: { person: number; transition_id: number }[];
  transition_id: number | null;
  to_state_id: number | null;
}

/** The path of a simulated ticket, one step for each entered state, from the engine's log rows. */
export async function toSteps(tx: Db, definition: Definition, log: readonly LogEntry[]): Promise<SimulatedStep[]> {
  const { wording, sources } = await wordsFor(tx, definition, {
    states: definition.states,
    conditions: definition.transitions.flatMap((one) => one.conditions.map((branch) => branch.expression)),
  });
  const path = new Path(definition, wording);
  for (const entry of log) path.onTicketEvent(entry);
  const known = await peopleById(
    tx,
    path.steps.flatMap((step) => [...step.people, ...step.left_out, ...step.decided_by.map((one) => one.person)]),
  );
  const person = (id: number) => {
    const { username = '', alias = '', dept_name = '' } = known.get(id) ?? {};
    return { id, username, alias, dept_name };
  };
  const transition = (id: number | null) => definition.transitions.find((one) => one.id === id);
  const steps: SimulatedStep[] = [];
  for (const { state, decided_by, transition_id, ...step } of path.steps) {
    const way = transition(transition_id);
    steps.push({
      ...step,
      state_id: state.id,
      state_key: state.key,
      state_name: state.name,
      kind: state.kind,
      people: step.people.map(person),
      left_out: step.left_out.map(person),
      reasons: [...sources(state), ...supposedOf(state), ...ruleOf(state, step.people.length), ...step.reasons],
      decided_by: decided_by.map((one) => ({
        person: person(one.person),
        transition_name: transition(one.transition_id)?.name ?? '',
      })),
      transition: way ? { id: way.id, key: way.key, name: way.name } : null,
    });
  }
  return steps;
}

class Path {
  readonly steps: Draft[] = [];
  /** The step each token is in. */
  readonly #at = new Map<number, Draft>();
  /** Tokens that are branches of a split. */
  readonly #branches = new Set<number>();
  readonly #definition: Definition;
  readonly #wording: Wording;
  constructor(definition: Definition, wording: Wording) {
    this.#definition = definition;
    this.#wording = wording;
  }

  onTicketEvent(entry: LogEntry): void {
    const conditions = entry.trace.filter((trace) => trace.about === 'condition');
    const { actor, transition_id } = entry;
    const decides = actor !== null && transition_id !== null ? { person: actor, transition_id } : null;
    if (decides && this.steps.length > 0) this.#last(entry.from_state_id)?.decided_by.push(decides);
    for (const event of entry.events) {
      if (event.type === 'token_entered') {
        this.#move(event.token, stateOf(this.#definition, event.state_id), entry, conditions);
        if (decides && this.steps.length === 1) this.steps[0]?.decided_by.push(decides);
      } else if (event.type === 'task_opened' && event.task.status !== 'skipped') {
        this.#last(event.task.state_id)?.people.push(event.task.assignee);
      } else if (event.type === 'copied') this.#last(event.state_id)?.people.push(...event.people);
    }
    for (const trace of entry.trace) if (trace.about === 'people') this.#asked(trace);
  }

  #last(stateId: number): Draft | undefined {
    return this.steps.findLast((step) => step.state.id === stateId);
  }

  #move(token: number, state: State, entry: LogEntry, conditions: Extract<Trace, { about: 'condition' }>[]): void {
    const from = this.#at.get(token);
    const split = state.kind === 'parallel_split' || state.kind === 'inclusive';
    const begun = split && !from ? this.#last(state.id) : undefined;
    if (begun) {
      this.#branches.add(token);
      this.#at.set(token, begun);
      return;
    }
    const way = from && this.#wayFrom(from.state, state, entry.transition_id);
    if (from && way) {
      Object.assign(from, { transition_id: way.id, to_state_id: state.id });
      if (from.outcome === 'undecided')
        from.outcome = entry.action === 'skip' && from.people.length === 0 ? 'skipped' : 'decided';
      for (const trace of conditions) if (trace.transition_id === way.id) from.reasons.push(this.#why(trace));
    }
    // A branch that waits for the others makes no step; the join is one when all have arrived.
    if (state.kind === 'join' && this.#branches.has(token)) return;
    const step = this.#begun(state);
    this.steps.push(step);
    this.#at.set(token, step);
  }

  #begun(state: State): Draft {
    const waits = state.kind === 'start' || asksPeople(state);
    return {
      state,
      visit: this.steps.filter((step) => step.state.id === state.id).length + 1,
      people: [],
      left_out: [],
      reasons: [],
      outcome: state.kind === 'end' ? 'ended' : waits ? 'undecided' : 'automatic',
      decided_by: [],
      transition_id: null,
      to_state_id: null,
    };
  }

  /** The transition between two states: the one the log row names, else the one that passes by itself. */
  #wayFrom(from: State, to: State, named: number | null): Transition | undefined {
    const ways = exitsOf(this.#definition, from.id).filter((exit) =>
      [exit.destination, ...exit.conditions.map((branch) => branch.target_state_id)].includes(to.id),
    );
    return (
      ways.find((exit) => exit.id === named) ?? ways.find((exit) => exit.attribute === attributeType.agree) ?? ways[0]
    );
  }

  #asked(trace: Extract<Trace, { about: 'people' }>): void {
    const step = this.#last(trace.state_id);
    if (!step) return;
    step.left_out.push(...trace.left_out);
    if (trace.why) step.reasons.push(trace.why);
  }

  #why({ transition_id, index, result, missing, values = {} }: Extract<Trace, { about: 'condition' }>): string {
    const branch = this.#definition.transitions.find((one) => one.id === transition_id)?.conditions[index];
    if (!branch) return '';
    const text = describe(branch.expression, this.#wording);
    const target = stateOf(this.#definition, branch.target_state_id).name;
    const held = Object.entries(values).flatMap(([key, value]) => {
      const field = this.#definition.fields.find((one) => one.key === key);
      return field ? [`${field.name}为 ${shownValue(field, value, new Map())}`] : [];
    });
    const said = held.length > 0 ? `（${held.join('，')}）` : '';
    if (result) return `条件“${text}”成立${said}，转到“${target}”`;
    const gaps = missing.map((key) => this.#wording.field(key)).join('、');
    return gaps ? `条件“${text}”不成立：${gaps}没有填写` : `条件“${text}”不成立${said}`;
  }
}

const rules: Record<number, string> = {
  [distributeType.claim]: '需要其中一人先接单',
  [distributeType.direct]: '其中一人处理即可',
  [distributeType.random]: '随机分给其中一人，这里取第一位',
  [distributeType.all]: '每个人都要处理',
  [distributeType.sequential]: '按顺序逐个处理',
  [distributeType.leastLoaded]: '分给其中待办最少的一人',
  [distributeType.inTurn]: '轮流分给其中一人',
};
/** The answer that a simulation assumes from another system. */
function supposedOf(state: State): string[] {
  const wanted = awaitedIn(state);
  if (wanted === 'result') return ['等外部系统回答，这里按已办成'];
  return wanted === 'people' ? ['等外部系统给出办理人，这里按没有给出'] : [];
}

export function ruleOf(state: State, people: number): string[] {
  const rule = rules[state.distribution.type];
  const asks = asksPeople(state);
  const one: readonly number[] = [distributeType.random, distributeType.leastLoaded, distributeType.inTurn];
  const alone = people < 2 && !one.includes(state.distribution.type);
  return asks && !alone && rule ? [rule] : [];
}
