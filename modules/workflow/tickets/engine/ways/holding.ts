import { participantType } from '#modules/workflow/workflows/engine/codes.ts';
import {
  evaluate,
  fieldsOf,
  leavesOf,
  superiorKey,
  type Condition,
  type ConditionContext,
} from '#modules/workflow/workflows/engine/condition.ts';
import type { Transition } from '#modules/workflow/workflows/engine/definition.ts';
import { ask } from '../people/people.ts';
import { superiorsOf } from '../people/superiors.ts';
import { lastEntry, type Work } from '../work.ts';

/** True if a branch of a transition's conditions holds; recorded in the trace. */
export function holds(work: Work, transition: Transition, index: number): boolean {
  const branch = transition.conditions[index];
  if (!branch) return false;
  const { result, missing } = evaluate(branch.expression, contextOf(work, branch.expression));
  lastEntry(work).trace.push({
    about: 'condition',
    transition_id: transition.id,
    index,
    result,
    missing,
    values: valuesSaid(work.state.form, branch.expression),
  });
  return result;
}

const longestSaid = 100;
/** Values a condition was decided with: the fields it names; long texts shortened, tables only by their presence. */
function valuesSaid(form: Readonly<Record<string, unknown>>, condition: Condition): Record<string, unknown> {
  const short = (value: unknown) => (typeof value === 'string' ? value.slice(0, longestSaid) : value);
  return Object.fromEntries(
    fieldsOf(condition).flatMap((key) => {
      const value = form[key];
      const plain = [value ?? []].flat().every((one) => typeof one !== 'object' || one === null);
      if (value === undefined || value === null || !plain) return [];
      return [[key, Array.isArray(value) ? value.slice(0, 20).map(short) : short(value)]];
    }),
  );
}

/** The facts about a ticket that a condition may use; posts, groups and superiors only as far as it names them. */
function contextOf({ state, facts }: Work, condition: Condition): ConditionContext {
  const leaves = leavesOf(condition);
  const among = <T extends string | number>(kind: 'post' | 'group', named: readonly T[]) =>
    named.filter((of) => ask(facts.people, [{ kind, of }]).includes(state.creator));
  const superiors = leaves.flatMap((leaf) => {
    if (leaf.op !== 'superior_of') return [];
    const above = superiorsOf({ type: participantType.superior, level: leaf.level, gaps: 'skip' }, state, (queries) =>
      ask(facts.people, queries),
    );
    const held = leaf.value.filter((of) =>
      ask(facts.people, [{ kind: 'role', of }]).some((one) => above.includes(one)),
    );
    return held.map((role) => superiorKey(leaf.level, role));
  });
  return {
    form: state.form,
    superiors,
    ...facts.creator,
    posts: among(
      'post',
      leaves.flatMap((leaf) => (leaf.op === 'post_of' ? leaf.value : [])),
    ),
    groups: among(
      'group',
      leaves.flatMap((leaf) => (leaf.op === 'group_of' ? leaf.value : [])),
    ),
  };
}
