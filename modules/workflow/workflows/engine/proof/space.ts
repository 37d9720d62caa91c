import { evaluate, isEmpty, leavesOf, type Condition } from '../condition.ts';
import type { Transition } from '../definition.ts';
import { sizeOf, situationOf, type Axis, type Situation } from './samples.ts';

/** All combinations of the values in conditions, each known by its position: never stored, so that many cost little. */
export interface Space {
  axes: readonly Axis[];
  size: number;
  /** The index of a position's value on an axis. */
  digit(axis: number, position: number): number;
  situation(position: number): Situation;
  /** The target of an exit at each position. */
  targets(exit: Transition): (position: number) => number;
  /** True at the positions where a condition holds. */
  holds(condition: Condition): (position: number) => boolean;
}

export function spaceOf(axes: readonly Axis[]): Space {
  const sizes = axes.map((axis) => axis.values.length);
  const strides = sizes.map((_size, index) => sizes.slice(index + 1).reduce((product, size) => product * size, 1));
  const digit = (axis: number, position: number) => Math.floor(position / (strides[axis] ?? 1)) % (sizes[axis] ?? 1);
  const situation = (position: number) =>
    situationOf(axes.map(({ values }, axis) => values[digit(axis, position)] ?? {}));
  /** Evaluated once for each combination of the axes some conditions name; the others make no difference. */
  const asked = <T>(conditions: readonly Condition[], answer: (here: Situation) => T) => {
    const leaves = conditions.flatMap(leavesOf);
    const named = axes.flatMap(({ field, op }, axis) =>
      leaves.some((leaf) => ('field' in leaf ? leaf.field === field?.key : leaf.op === op)) ? [axis] : [],
    );
    const known = new Map<number, T>();
    return (position: number): T => {
      let place = 0;
      for (const axis of named) place = place * (sizes[axis] ?? 1) + digit(axis, position);
      if (!known.has(place)) known.set(place, answer(situation(position)));
      return known.get(place) as T;
    };
  };
  return {
    axes,
    size: sizeOf(axes),
    digit,
    situation,
    holds: (condition) => asked([condition], (here) => evaluate(condition, here).result),
    targets: ({ conditions, destination }) =>
      conditions.length === 0
        ? () => destination
        : asked(
            conditions.map((branch) => branch.expression),
            (here) => conditions.find((one) => evaluate(one.expression, here).result)?.target_state_id ?? destination,
          ),
  };
}

/** True if a position has no value on an axis. */
export function isBlank({ axes, digit }: Space, axis: number, position: number): boolean {
  const { field = null, values = [] } = axes[axis] ?? {};
  return field !== null && isEmpty(values[digit(axis, position)]?.form?.[field.key]);
}
