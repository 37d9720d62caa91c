import { attributeType, fieldAccess, onEmpty, onSelf } from '../codes.ts';
import { isEmpty } from '../condition.ts';
import {
  asksPeople,
  awaitedIn,
  exitsOf,
  isSave,
  timerOf,
  waysOpen,
  type Definition,
  type Field,
  type State,
  type Transition,
} from '../definition.ts';
import { isComputed, sourcesOf } from '../formula/formula.ts';
import { at, whole, type Findings } from '../check/problem.ts';
import { reachable, winning } from './marks.ts';
import { axesOf, hangsOnOthers, sizeOf, type Axis } from './samples.ts';
import { isBlank, spaceOf, type Space } from './space.ts';

/** The default limit of pairs of a combination and a state or exit that are examined; beyond it nothing is proved, and that is reported. */
export const usualEffort = 8_000_000;

/** One state with its transitions at each position of the space. */
export interface Place {
  state: State;
  /** Positions that differ only in what this state may write have the same class. */
  classes: Int32Array;
  /** Buttons somebody may press, with their targets; null if a required field is empty. */
  ways: readonly ((position: number) => number | null)[];
  /** Those of them that do not depend on other branches. */
  firm: readonly ((position: number) => number | null)[];
  /** The targets if nobody has to act, all at once; null if that cannot be. */
  by_itself: ((position: number) => readonly number[]) | null;
  /** The target of its timer with the form unchanged: nobody fills in anything then. Null without a timer. */
  timed: ((position: number) => number) | null;
  /** True if somebody may have to act. */
  human: boolean;
}

/**
 * Proves that a ticket can be finished from any state with any form: conditions on fields that nobody may change any more, and states that may be
 * skipped, count against it. If it cannot, reports the values; also reports what was not examined.
 */
export function finishingFindings(definition: Definition, most: number): Findings {
  const known = placesOf(definition, most);
  if (!known) {
    const axes = axesOf(definition, definition.transitions);
    return { problems: [], warnings: [unproved(axes, sizeOf(axes))] };
  }
  const { space, places } = known;
  const { axes, size } = space;
  const finishing = winning(places, size);
  const reached = reachable(definition, places, space);
  const problems = definition.states.flatMap((state) => {
    const [come, good] = [reached.get(state.id)!, finishing.get(state.id)!];
    const stuck = come.findIndex((mark, v) => mark === 1 && good[v] === 0);
    if (stuck < 0) return [];
    const values = inWords(space, stuck);
    const when = values === '' ? '' : `${values}时，`;
    return [at(state, `${when}工单到了环节“${state.name}”就可能走不到结束环节，请检查之后的条件与跳过设置`)];
  });
  const hanging = axes.filter(({ field }) => field && hangsOnOthers(field)).map(nameOf);
  const partial = axes.filter((axis) => axis.partial).map(nameOf);
  const warnings = partial.length === 0 ? [] : [whole(`${partial.join('、')}的取值组合太多，只检查了一部分，${rest}`)];
  if (hanging.length > 0)
    warnings.push(whole(`${hanging.join('、')}由公式算出，或按条件显示、必填，检查时把它当作可以是任何值，${rest}`));
  return { problems, warnings };
}

/** The transitions of each state at each position; null if there are too many. */
export function placesOf(
  definition: Definition,
  most: number,
): { space: Space; places: ReadonlyMap<number, Place> } | null {
  const axes = axesOf(definition, definition.transitions);
  if (sizeOf(axes) * (definition.states.length + definition.transitions.length) > most) return null;
  const space = spaceOf(axes);
  const patterns = new Map<string, Int32Array>();
  return {
    space,
    places: new Map(definition.states.map((state) => [state.id, placeOf(definition, state, space, patterns)])),
  };
}

const rest = '其余没有证明工单都能走到结束环节；走不下去的，会交给流程管理员处理';

function unproved(axes: readonly Axis[], size: number) {
  const names = axes.toSorted((a, b) => b.values.length - a.values.length).map(nameOf);
  const some = names.slice(0, 5).join('、') + (names.length > 5 ? `等 ${names.length} 项` : '');
  const count = size > 1e8 ? '超过 1 亿' : `${size}`;
  return whole(`条件用到的${some}共有 ${count} 种组合，没有逐一检查，${rest}`);
}

const nameOf = ({ field, op }: Axis) => (field ? `字段“${field.name}”` : applicantNames[op ?? 'dept_in']);
const applicantNames = {
  dept_in: '发起人部门',
  role_of: '发起人角色',
  post_of: '发起人职务',
  group_of: '发起人用户组',
  superior_of: '发起人的上级',
};

function placeOf(definition: Definition, state: State, space: Space, patterns: Map<string, Int32Array>): Place {
  const { axes } = space;
  const exits = exitsOf(definition, state.id).filter((exit) => !isSave(definition, exit));
  const passing = exits.find((exit) => exit.attribute === attributeType.agree) ?? exits[0];
  const timer = timerOf(definition, state.id);
  const splits = state.kind === 'parallel_split' || state.kind === 'inclusive';
  // Another system's answer may take either exit, like a person.
  const answered = awaitedIn(state) === 'result';
  const automatic = !answered && (splits || ['cc', 'condition', 'join', 'delay', 'hook'].includes(state.kind));
  const writing: unknown[] = [fieldAccess.required, fieldAccess.optional];
  const writes = (key: string) => writing.includes(state.access[key]);
  const fixed = axes.map(
    ({ field }) => field === null || !(isComputed(field) ? inputsOf(definition, field) : [field.key]).some(writes),
  );
  const pattern = fixed.join();
  const classes = patterns.get(pattern) ?? classesOf(space, fixed);
  patterns.set(pattern, classes);
  const targets = new Map(exits.map((exit) => [exit, space.targets(exit)]));
  const leads = (exit: Transition) => targets.get(exit)!;
  const lacking = axes.flatMap(({ field }, axis) =>
    field && !hangsOnOthers(field) && state.access[field.key] === fieldAccess.required ? axis : [],
  );
  const lacks = (v: number) => lacking.some((axis) => isBlank(space, axis, v));
  const passes = passing && (automatic || mayBePassed(state)) ? leads(passing) : null;
  // A kept agreement may take any of the agreeing buttons.
  const kept = state.keep_unchanged ? exits.filter((exit) => exit.attribute === attributeType.agree).map(leads) : [];
  const wayOf = (exit: Transition) => {
    const checked = !answered && exit.field_require_check && lacking.length > 0;
    return checked ? (v: number) => (lacks(v) ? null : leads(exit)(v)) : leads(exit);
  };
  return {
    state,
    classes,
    human: !automatic && state.kind !== 'end',
    ways: exits.map(wayOf),
    firm: exits.filter((exit) => !exit.only_at?.length).map(wayOf),
    timed: timer ? leads(timer) : null,
    by_itself: splits ? branchesOf(state, exits, leads, space) : passedBy([...(passes ? [passes] : []), ...kept]),
  };
}

const passedBy = (ways: readonly ((position: number) => number)[]) =>
  ways.length === 0 ? null : (position: number) => ways.map((way) => way(position));

/** Keys of all fields that a computed field depends on. */
function inputsOf({ fields }: Definition, field: Field): string[] {
  const found = new Set(sourcesOf(field));
  for (const key of found) {
    const source = fields.find((one) => one.key === key);
    for (const more of source ? sourcesOf(source) : []) found.add(more);
  }
  return [...found];
}

/** The targets of the branches that a split opens. */
function branchesOf(
  { kind }: State,
  exits: readonly Transition[],
  leads: (exit: Transition) => (position: number) => number,
  space: Space,
): (position: number) => number[] {
  if (kind === 'parallel_split') return (v) => exits.map((exit) => leads(exit)(v));
  const holds = new Map(exits.map((exit) => [exit, exit.conditions.map((one) => space.holds(one.expression))]));
  return (v) => waysOpen(exits, (exit, index) => holds.get(exit)?.[index]?.(v) ?? false).map((exit) => leads(exit)(v));
}

export function mayBePassed(state: State): boolean {
  if (!asksPeople(state)) return false;
  // With an empty table there is nothing to wait for.
  if (state.children) return true;
  return state.on_self === onSelf.skip || state.on_empty === onEmpty.pass || state.dedupe === 'round';
}

/** For each position the one with every writable axis set to its first value. */
function classesOf({ axes, size, digit }: Space, fixed: readonly boolean[]): Int32Array {
  const classes = new Int32Array(size);
  for (let v = 0; v < size; v++) {
    let kept = 0;
    for (let axis = 0; axis < axes.length; axis++)
      kept = kept * (axes[axis]?.values.length ?? 1) + (fixed[axis] ? digit(axis, v) : 0);
    classes[v] = kept;
  }
  return classes;
}

function inWords(space: Space, position: number): string {
  const { form } = space.situation(position);
  return space.axes
    .flatMap(({ field }) => {
      if (!field) return [];
      const value = form[field.key];
      if (isEmpty(value)) return [`${field.name}没有填写`];
      const labels = [value]
        .flat()
        .map((one) => field.choices.find((choice) => choice.value === one)?.label ?? String(one));
      return [`${field.name}为${labels.join('、')}`];
    })
    .join('、');
}
