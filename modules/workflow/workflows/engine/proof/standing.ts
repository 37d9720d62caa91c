import { evaluate, isEmpty, leavesOf, type ConditionContext } from '../condition.ts';
import type { Definition } from '../definition.ts';
import { placesOf } from './finishing.ts';
import { winning } from './marks.ts';
import type { Axis } from './samples.ts';

/** Whether a ticket that stands in a state with a form can be finished; null where that is not proved. */
export type Standing = (state: number, about: ConditionContext) => boolean | null;

/**
 * The proof of publishing, asked of tickets as they are: one may have come where no ticket of this definition would. A form stands where
 * the sample does of which every condition says the same; where none does, nothing is proved.
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

/** Which value of an axis stands for what a ticket holds; -1 where none does. */
function alikeOn({ field, op, values }: Axis, leaves: readonly ReturnType<typeof leavesOf>[number][]) {
  const own = leaves.filter((leaf) => ('field' in leaf ? leaf.field === field?.key : leaf.op === op));
  const said = (about: ConditionContext) =>
    `${field ? isEmpty(about.form[field.key]) : ''}${own.map((leaf) => Number(evaluate(leaf, about).result))}`;
  const words = values.map((part) => said({ form: {}, dept_path: [], roles: [], ...part }));
  const asked = op && Object.hasOwn(askedFor, op) ? askedFor[op as keyof typeof askedFor] : null;
  return (about: ConditionContext) => (asked && !about[asked] ? -1 : words.indexOf(said(about)));
}
/** What is known of whoever began only where somebody asked the organisation. */
const askedFor = { post_of: 'posts', group_of: 'groups', superior_of: 'superiors' } as const;
