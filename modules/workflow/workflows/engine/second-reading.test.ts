import fc from 'fast-check';
import { expect, test } from 'vitest';
import { admin, blueprint, build, type Blueprint } from '#modules/workflow/tickets/engine/testing/definitions.ts';
import { findingsIn } from './check/publish-check.ts';
import { voteProblems } from './check/votes.ts';
import { Definition, type State, type Transition } from './definition.ts';
import { explored } from './testing/exploring.ts';
import { outcome } from './votes/outcome.ts';

// The proof of publishing examines states and values, one state at a time; this test runs every possible life of a ticket through the engine.
// Wherever some life cannot be ended, the proof must have said so, or that it had not looked there. NIGHTLY=1 reads 2,000 definitions.

type Draft = { states: State[]; transitions: Transition[] };
type Part = Blueprint['parts'][number];
type Node = Exclude<Part, { branches: unknown }>;

/** Few people, so that every run can be examined. */
const few = (node: Node): Node => ({ ...node, role: [node.role[0] ?? 2], outside: false });
const small = blueprint.map(({ parts, resubmit_mode }): Blueprint => {
  const blocks = parts.filter((part) => 'branches' in part);
  const chosen = blocks.length > 0 ? [...blocks.slice(0, 1), ...parts.filter((part) => !('branches' in part))] : parts;
  const less = (part: Part): Part =>
    'branches' in part
      ? { ...part, branches: part.branches.slice(0, 2).map((some) => some.slice(0, 1).map(few)) }
      : few(part);
  return { parts: chosen.slice(0, 2).map(less), resubmit_mode, confirm: null };
});

/** Defects of a definition: a button is missing or leads elsewhere, an exit depends on a value that nobody writes any more. */
const harm = fc.record({
  what: fc.constantFrom('none', 'none', 'drop', 'lead', 'hang', 'hang', 'ask'),
  at: fc.nat(40),
  to: fc.nat(40),
  value: fc.nat(9),
  /** States that may write the amount, by their positions. */
  writes: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
  /** Conditions use entered fields, not computed ones, which the proof does not examine. */
  plain: fc.nat(4).map((n) => n > 0),
  returns: fc.array(fc.boolean(), { minLength: 12, maxLength: 12 }),
});

type Harm = typeof harm extends fc.Arbitrary<infer H> ? H : never;
function harmed(plan: Blueprint, { what, at, to, value, writes, returns, plain }: Harm): Definition {
  const { definition } = build(plan);
  const text = JSON.stringify(definition);
  const draft = JSON.parse(plain ? text.replaceAll('"field":"twice"', '"field":"amount"') : text) as Draft;
  const exits = draft.transitions.filter((one) => one.source !== one.destination);
  const one = exits[at % exits.length]!;
  const target = draft.states[to % draft.states.length]!.id;
  const put = (more: Partial<Transition>) =>
    (draft.transitions = draft.transitions.map((each) => (each.id === one.id ? { ...each, ...more } : each)));
  if (what === 'drop') draft.transitions = draft.transitions.filter((each) => each.id !== one.id);
  if (what === 'lead') put({ destination: target, conditions: [] });
  const expression = { op: 'gt', field: 'amount', value } as const;
  if (what === 'hang') put({ conditions: [{ expression, target_state_id: target }] });
  const begins = draft.states.some((state) => state.children);
  return Definition.parse({
    ...definition,
    fields: definition.fields.map((field) => (field.key === 'amount' ? { ...field, min: 0, max: 9 } : field)),
    settings: { ...definition.settings, title_template: '申请', display_form: [] },
    transitions: draft.transitions,
    states: draft.states.map((state, place) => ({
      ...state,
      columns: undefined,
      access: {
        ...(begins ? { rows: state.kind === 'start' ? 3 : 1 } : {}),
        amount: state.kind === 'start' || writes[place % 12] ? (what === 'ask' && place === at % 12 ? 2 : 3) : 1,
      },
      actions: returns[place % 12] && place > 1 ? ['return'] : [],
    })),
  });
}

const constructs: Record<string, (definition: Definition) => boolean> = {
  'branches in turn': ({ states }) => states.some((one) => one.turns),
  'a rest that runs on': ({ states }) => states.some((one) => one.join_rest === 'run'),
  'a join of a few': ({ states }) => states.some((one) => one.join_count),
  'a way out of branches': ({ transitions }) => transitions.some((one) => one.leaves_branches),
  'a button that hangs on another branch': ({ transitions }) => transitions.some((one) => one.only_at?.length),
  'tickets below': ({ states }) => states.some((one) => one.kind === 'subticket'),
  'tickets begun below': ({ states }) => states.some((one) => one.children),
  'another system': ({ states }) => states.some((one) => one.kind === 'hook'),
  'returns within branches': ({ states }) =>
    states.some((one) => one.actions.includes('return')) && states.some((one) => one.kind === 'join'),
  'an inclusive split': ({ states }) => states.some((one) => one.kind === 'inclusive'),
  'a state that decides by itself': ({ states }) => states.some((one) => one.kind === 'condition'),
  'a condition on superiors': ({ transitions }) =>
    transitions.some((one) => one.conditions.some(({ expression }) => expression.op === 'superior_of')),
  'decisions that still hold': ({ states }) => states.some((one) => one.keep_unchanged),
};

/** A definition with more positions is not judged. */
const mostPlaces = 500;
const wanted = process.env['NIGHTLY'] ? 2000 : 40;

test('an exhaustive search finds no stuck ticket in random definitions that publishing accepted', () => {
  const met = new Map<string, number>();
  let [read, refusedTogether] = [0, 0];
  fc.assert(
    fc.property(small, harm, (plan, how) => {
      if (read >= wanted) return;
      const definition = harmed(plan, how);
      const { organisation } = build(plan);
      const { problems, warnings } = findingsIn(definition);
      const unproved = warnings.some((one) => one.msg.includes('没有证明'));
      const refused = problems.length + voteProblems(definition, outcome).length > 0;
      // A few of the refused definitions are enough.
      if (refused && how.at % 3 > 0) return;
      let seen;
      try {
        seen = explored(definition, organisation, [1, 2, 3, 4, 5, admin], mostPlaces);
      } catch (stop) {
        // A definition that is inconsistent is not run.
        if (refused) return;
        throw stop;
      }
      if (!seen.whole) return;
      // If nobody is found for a draft, its author reads so, and nothing has begun.
      const stuck = seen.stuck.filter((place) => !place.startsWith('[0,'));
      if (stuck.length > 0) expect(refused || unproved, stuck[0]).toBe(true);
      if (refused) {
        if (stuck.length > 0) refusedTogether++;
        return;
      }
      read++;
      for (const [name, has] of Object.entries(constructs))
        if (has(definition)) met.set(name, (met.get(name) ?? 0) + 1);
    }),
    { numRuns: wanted * 40 },
  );
  expect(read).toBe(wanted);
  if (!process.env['NIGHTLY']) return;
  process.stdout.write(`${JSON.stringify({ read, refusedTogether, ...Object.fromEntries(met) })}\n`);
  expect(refusedTogether).toBeGreaterThan(0);
  expect(Object.keys(constructs).filter((name) => !met.has(name))).toEqual([]);
}, 1_800_000);
