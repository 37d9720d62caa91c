import { attributeType, fieldAccess, onEmpty, onSelf } from '../codes.ts';
import { evaluate, isEmpty } from '../condition.ts';
import {
  asksPeople,
  awaitedIn,
  exitsOf,
  isSave,
  startOf,
  timerOf,
  waysOpen,
  type Definition,
  type State,
  type Transition,
} from '../definition.ts';
import { at, type Problem } from './problem.ts';
import { axesOf, combined, sizeOf, type Axis, type Situation } from './samples.ts';

/** Pairs of a state and a situation that are looked at; beyond it only the plain paths are. */
const most = 60_000;

/** One state with what happens there in each situation, situations by their position. */
interface Place {
  state: State;
  /** Positions that differ only in what this state may write have the same class. */
  classes: readonly number[];
  /** Buttons somebody may press, with where each leads; null where a required field is empty. */
  ways: readonly (readonly (number | null)[])[];
  /** Where the ticket goes when nobody has to act, all of these at once; null where that cannot be. */
  by_itself: readonly (readonly number[])[] | null;
  /** Where its timer leads, with the form just as it is: nobody fills in or changes anything then. Null without one. */
  timed: readonly number[] | null;
  /** Whether somebody may have to act. */
  human: boolean;
}

/**
 * Proves that a ticket can be finished wherever it may stand and whatever its form holds: conditions on fields that nobody may change
 * any more, and states that may be passed without anybody, count against it. Where it cannot, says with which values.
 */
export function finishingProblems(definition: Definition): Problem[] {
  const axes = axesOf(definition, definition.transitions);
  if (sizeOf(axes) * definition.states.length > most) return [];
  const situations = combined(axes);
  const places = new Map(definition.states.map((state) => [state.id, placeOf(definition, state, axes, situations)]));
  const finishing = winning(places, situations.length);
  const reached = reachable(definition, places, axes, situations);
  return definition.states.flatMap((state) => {
    const stuck = situations.findIndex((_one, v) => reached.get(state.id)?.[v] && !finishing.get(state.id)?.[v]);
    if (stuck < 0) return [];
    const values = inWords(axes, situations[stuck]);
    const when = values === '' ? '' : `${values}时，`;
    return [at(state, `${when}工单到了环节「${state.name}」就可能走不到结束环节，请检查之后的条件与跳过设置`)];
  });
}

function placeOf(definition: Definition, state: State, axes: readonly Axis[], situations: readonly Situation[]): Place {
  const exits = exitsOf(definition, state.id).filter((exit) => !isSave(definition, exit));
  const passing = exits.find((exit) => exit.attribute === attributeType.agree) ?? exits[0];
  const timer = timerOf(definition, state.id);
  const splits = state.kind === 'parallel_split' || state.kind === 'inclusive';
  // Another system that answers takes either way, as a person would.
  const answered = awaitedIn(state) === 'result';
  const automatic = !answered && (splits || ['cc', 'condition', 'join', 'delay', 'hook'].includes(state.kind));
  const writing: unknown[] = [fieldAccess.required, fieldAccess.optional];
  const fixed = axes.map((axis) => axis.field === null || !writing.includes(state.access[axis.field.key]));
  const leads = (exit: Transition) => situations.map((situation) => targetOf(exit, situation));
  const lacking = axes.flatMap(({ field }) =>
    field && state.access[field.key] === fieldAccess.required ? field.key : [],
  );
  return {
    state,
    classes: situations.map((_one, v) => classOf(axes, fixed, v)),
    human: !automatic && state.kind !== 'end',
    ways: exits.map((exit) =>
      leads(exit).map((target, v) =>
        !answered && exit.field_require_check && lacking.some((key) => isEmpty(situations[v]?.form[key]))
          ? null
          : target,
      ),
    ),
    timed: timer ? leads(timer) : null,
    by_itself: splits
      ? situations.map((situation) => branchesOf(state, exits, situation).map((exit) => targetOf(exit, situation)))
      : passing && (automatic || mayBePassed(state))
        ? leads(passing).map((target) => [target])
        : null,
  };
}

/** The branches a split opens. */
function branchesOf(state: State, exits: readonly Transition[], situation: Situation): readonly Transition[] {
  if (state.kind === 'parallel_split') return exits;
  return waysOpen(exits, ({ conditions }, index) => {
    const branch = conditions[index];
    return branch !== undefined && evaluate(branch.expression, situation).result;
  });
}

export function mayBePassed(state: State): boolean {
  if (!asksPeople(state)) return false;
  return state.on_self === onSelf.skip || state.on_empty === onEmpty.pass || state.dedupe === 'round';
}

function targetOf(exit: Transition, situation: Situation): number {
  const branch = exit.conditions.find((one) => evaluate(one.expression, situation).result);
  return branch?.target_state_id ?? exit.destination;
}

/** The position with every axis that may be written set to its first value. */
function classOf(axes: readonly Axis[], fixed: readonly boolean[], position: number): number {
  let rest = position;
  let weight = 1;
  let kept = 0;
  for (let index = axes.length - 1; index >= 0; index--) {
    const size = axes[index]?.values.length ?? 1;
    if (fixed[index]) kept += (rest % size) * weight;
    rest = Math.floor(rest / size);
    weight *= size;
  }
  return kept;
}

type Marks = Map<number, boolean[]>;

/** Where an end can be reached: some button leads there, and where nobody may have to act, that does too. Grows until nothing is added. */
function winning(places: ReadonlyMap<number, Place>, size: number): Marks {
  const marks: Marks = new Map(
    [...places].map(([id, { state }]) => [id, Array.from({ length: size }, () => state.kind === 'end')]),
  );
  const good = (target: number | null | undefined, v: number) => target != null && (marks.get(target)?.[v] ?? false);
  for (let grew = true; grew;) {
    grew = false;
    for (const [id, place] of places) {
      const mine = marks.get(id);
      if (!mine) continue;
      const classes = new Set(place.classes.filter((_class, v) => place.ways.some((way) => good(way[v], v))));
      for (const [v, known] of mine.entries()) {
        const chosen = !place.human || classes.has(place.classes[v] ?? -1) || good(place.timed?.[v], v);
        const passed = place.by_itself?.[v]?.every((target) => good(target, v)) ?? place.human;
        if (known || !chosen || !passed) continue;
        mine[v] = true;
        grew = true;
      }
    }
  }
  return marks;
}

/** Where a ticket may come, beginning with a form in which only what the start may write holds anything. */
function reachable(
  definition: Definition,
  places: ReadonlyMap<number, Place>,
  axes: readonly Axis[],
  situations: readonly Situation[],
): Marks {
  const marks: Marks = new Map([...places.keys()].map((id) => [id, situations.map(() => false)]));
  const open: [number, number][] = [];
  const visit = (id: number, v: number) => {
    const mine = marks.get(id);
    if (!mine || mine[v]) return;
    mine[v] = true;
    open.push([id, v]);
  };
  const blank = (situation: Situation) => axes.every(({ field }) => !field || isEmpty(situation.form[field.key]));
  for (const [v, situation] of situations.entries()) if (blank(situation)) visit(startOf(definition).id, v);
  const expanded = new Set<string>();
  for (let next = open.pop(); next; next = open.pop()) {
    const [id, v] = next;
    const place = places.get(id);
    if (!place) continue;
    for (const target of place.by_itself?.[v] ?? []) visit(target, v);
    if (place.timed?.[v] !== undefined) visit(place.timed[v], v);
    const own = place.classes[v];
    if (!place.human || expanded.has(`${id}/${own}`)) continue;
    expanded.add(`${id}/${own}`);
    for (const [other, its] of place.classes.entries()) {
      if (its !== own) continue;
      visit(id, other);
      for (const way of place.ways) if (way[other] != null) visit(way[other], other);
    }
  }
  return marks;
}

function inWords(axes: readonly Axis[], situation: Situation | undefined): string {
  return axes
    .flatMap(({ field }) => {
      if (!field || !situation) return [];
      const value = situation.form[field.key];
      if (isEmpty(value)) return [`${field.name}没有填写`];
      const labels = [value]
        .flat()
        .map((one) => field.choices.find((choice) => choice.value === one)?.label ?? String(one));
      return [`${field.name}为${labels.join('、')}`];
    })
    .join('、');
}
