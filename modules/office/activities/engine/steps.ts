import { attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { evaluate } from '#modules/workflow/workflows/engine/condition.ts';
import {
  asksPeople,
  exitsOf,
  isSave,
  startOf,
  stateOf,
  type Definition,
} from '#modules/workflow/workflows/engine/definition.ts';
import { reviewKeys, type Review } from '../contract/codes.ts';
import type { Verdict } from '../contract/shapes.ts';

type Needs = Pick<Verdict, `need_${Review}` | 'why'>;
/** The answers that the workflow gets: flags only, no numbers that it could compute with. */
export const needsOf = (verdict: Needs): Record<`need_${Review}`, boolean> =>
  Object.fromEntries(reviewKeys.map((key) => [`need_${key}`, verdict[`need_${key}`]])) as Record<
    `need_${Review}`,
    boolean
  >;

/** The steps that a ticket takes by the given definition, evaluated with the conditions of the workflow engine. */
export function stepsOf(definition: Definition, verdict: Needs): { key: string; name: string; why: string }[] {
  const context = { form: needsOf(verdict), dept_path: [], roles: [] };
  const steps = [];
  for (let at = startOf(definition), turn = 0; turn < definition.states.length; turn += 1) {
    const agrees = ({ attribute }: { attribute: number }) => attribute === attributeType.agree;
    const way = exitsOf(definition, at.id).find((exit) => !isSave(definition, exit) && agrees(exit));
    if (!way) break;
    const branch = way.conditions.find(({ expression }) => evaluate(expression, context).result);
    at = stateOf(definition, branch?.target_state_id ?? way.destination);
    if (!asksPeople(at)) break;
    const review = String(at.label['activity'] ?? '');
    steps.push({ key: at.key, name: at.name, why: verdict.why[review] ?? '' });
  }
  return steps;
}
