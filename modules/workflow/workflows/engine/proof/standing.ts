import { evaluate, isEmpty, leavesOf, type ConditionContext } from '../condition.ts';
import type { Definition } from '../definition.ts';
import { placesOf } from './finishing.ts';
import { winning } from './marks.ts';
import type { Axis } from './samples.ts';

/** Returns whether a ticket in a state with a form can be finished; null if that is not proved. */
export type Standing = (state: number, about: ConditionContext) => boolean | null;

/**
 * The proof of publishing, applied to tickets as they are: one may have reached a position that no ticket of this definition would. A form is
 * represented by the sample for which every condition has the same result; without one, nothing is proved.
 */
export function standingIn(definition: Definition, most: number): Standing {
  const known = placesOf(definition, most);
  if (!known) return () => null;
  const { space, places } = known;
  const marks = winning(places, space.size);
  const leaves = definition.transitions.flatMap((one) =>
    one.conditions.flatMap((branch) => leavesOf(branch.expression)),
  );
  const alike = space.axes.map((axis) => alikeOn(axis, leaves));
  return (state, about) => {
    let position = 0;
    for (const [index, axis] of space.axes.entries()) {
      const digit = alike[index]!(about);
      if (digit < 0) return null;
      position = position * axis.values.length + digit;
    }
    return marks.get(state)?.[position] === 1;
  };
}

/** The index of an axis value that represents a ticket's value; -1 if none does. */
function alikeOn({ field, op, values }: Axis, leaves: readonly ReturnType<typeof leavesOf>[number][]) {
  const own = leaves.filter((leaf) => ('field' in leaf ? leaf.field === field?.key : leaf.op === op));
  const said = (about: ConditionContext) =>
    `${field ? isEmpty(about.form[field.key]) : ''}${own.map((leaf) => Number(evaluate(leaf, about).result))}`;
  const words = values.map((part) => said({ form: {}, dept_path: [], roles: [], ...part }));
  const asked = op && Object.hasOwn(askedFor, op) ? askedFor[op as keyof typeof askedFor] : null;
  return (about: ConditionContext) => (asked && !about[asked] ? -1 : words.indexOf(said(about)));
}
/** Facts about the creator that are known only if somebody asked the organisation. */
const askedFor = { post_of: 'posts', group_of: 'groups', superior_of: 'superiors' } as const;
