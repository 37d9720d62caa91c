import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Definition, type DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { differing, formsWhenDecided, lastDecision, seenBy } from './differing.ts';
import { isOver, newTicket, type LogEntry, type TicketState } from './state.ts';
import { numbered, press, waitingFor } from './testing/flow.ts';
import { passed, run } from './testing/run.ts';

const keys = ['a', 'b', 'c', 'd'] as const;
type Key = (typeof keys)[number];
const access = fc.record(Object.fromEntries(keys.map((key) => [key, fc.constantFrom(1, 3, 4, undefined)])));
const values = fc.record(
  Object.fromEntries(keys.map((key) => [key, fc.option(fc.constantFrom('一', '二', '三'), { nil: null })])),
) as fc.Arbitrary<Record<Key, string | null>>;
const shown = fc.subarray([...keys]);

/** People 2 and 3 agree one after the other, and 4 may give it back to the start; each state shows what it does. */
function flow(first: object, second: object, display_form: readonly string[], more: object = {}): Definition {
  const state = (id: number, person: number, seen: object) => ({
    id,
    key: `s${id}`,
    name: `环节${id}`,
    kind: 'approve' as const,
    order: id,
    participants: [{ type: 1 as const, user: person }],
    access: Object.fromEntries(Object.entries(seen).filter(([, right]) => right !== undefined)),
    keep_unchanged: true,
    ...more,
  });
  return Definition.parse({
    name: '流程',
    fields: keys.map((key, index) => ({ id: index + 1, key, name: key, type: 5 })),
    settings: { title_template: '{workflow}', display_form },
    states: [
      { id: 1, key: 's1', name: '填写', kind: 'start', order: 1, access: { a: 3, b: 3, c: 3, d: 3 } },
      state(2, 2, first),
      state(3, 3, second),
      { ...state(4, 4, {}), actions: ['return'], keep_unchanged: false },
      { id: 5, key: 's5', name: '结束', kind: 'end', order: 5 },
    ],
    transitions: [
      { id: 1, key: 't1', name: '提交', source: 1, destination: 2, attribute: 1 },
      { id: 2, key: 't2', name: '同意', source: 2, destination: 3, attribute: 1 },
      { id: 3, key: 't3', name: '同意', source: 3, destination: 4, attribute: 1 },
      { id: 4, key: 't4', name: '同意', source: 4, destination: 5, attribute: 1 },
    ],
  } as DefinitionInput);
}

function lived(definition: Definition) {
  let state = newTicket(1, 1);
  const log: LogEntry[] = [];
  const does = (command: Parameters<typeof run>[2]): TicketState => {
    const decision = run(definition, state, command, numbered, { forms: formsWhenDecided(log) });
    state = passed(decision);
    if (decision.kind === 'decided') log.push(...decision.log);
    return state;
  };
  const submit = (fields: Record<string, unknown>) => does({ ...press(state, 1, 1), fields } as never);
  const agree = (person: number) => does(press(state, person, person));
  const back = (state_id = 1) => does({ type: 'return', actor: 4, state_id, suggestion: '改' });
  return { does, submit, agree, back, log, state: () => state };
}

const visibleIn = (seen: Record<string, number | undefined>, display: readonly string[], key: Key) =>
  seen[key] === 4 ? false : seen[key] !== undefined || display.includes(key);

test('after a return a person is asked again only if something they see has changed, and is shown just that change', () => {
  fc.assert(
    fc.property(access, access, shown, values, values, (first, second, display, before, after) => {
      const definition = flow(first, second, display);
      const life = lived(definition);
      life.submit(before);
      life.agree(2);
      life.agree(3);
      life.back();
      const state = life.submit(after);
      const changedFor = (seen: typeof first) =>
        keys.filter((key) => visibleIn(seen, display, key) && before[key] !== after[key]);
      const asked = (
        [
          [2, first],
          [3, second],
        ] as const
      ).filter(([, seen]) => changedFor(seen).length > 0);
      expect(waitingFor(state)).toEqual([asked[0]?.[0] ?? 4]);
      for (const [person, seen] of asked) {
        const now = life.state();
        expect(waitingFor(now)).toEqual([person]);
        const form = formsWhenDecided(life.log).get(lastDecision(now, person)!.no)!;
        const told = differing(definition, seenBy(definition, now, person), form, now.form);
        expect(told.map(({ field, was, is }) => [field.key, was ?? null, is ?? null])).toEqual(
          changedFor(seen).map((key) => [key, before[key], after[key]]),
        );
        life.agree(person);
      }
      expect(waitingFor(life.state())).toEqual([4]);
      expect(isOver(life.agree(4))).toBe(true);
    }),
    { numRuns: 300 },
  );
});

test('a person to whom the ticket was returned decides again, and later comparisons start from their last decision', () => {
  const life = lived(flow({ a: 1 }, { b: 1 }, []));
  life.submit({ a: '一', b: '一' });
  life.agree(2);
  life.agree(3);
  expect(waitingFor(life.back(2))).toEqual([2]);
  expect(waitingFor(life.agree(2)), 'the other one is kept').toEqual([4]);
  life.back();
  expect(waitingFor(life.submit({ a: '二', b: '一' })), 'only who sees it').toEqual([2]);
  life.agree(2);
  life.back();
  expect(waitingFor(life.submit({ a: '一', b: '一' })), 'even what goes back to what it once was').toEqual([2]);
});

test('when all must decide, those who still agree keep their vote and only the others are asked again', () => {
  const all = { participants: [{ type: 2, users: [2, 3] }], distribution: { type: 4, reject_rule: 1 } };
  const definition = flow({ a: 1 }, { a: 1 }, [], all);
  const way = definition.transitions.map((one) => (one.id === 2 ? { ...one, destination: 4 } : one));
  const refuse = { ...way[1]!, id: 9, key: 't9', name: '拒绝', source: 2, destination: 1, attribute: 2 as const };
  const life = lived({ ...definition, transitions: [...way, refuse] });
  const says = (person: number, transition: number) => press(life.state(), person, transition);
  life.submit({ a: '一' });
  life.does(says(2, 2));
  life.does(says(3, 9));
  expect(waitingFor(life.submit({ a: '一' }))).toEqual([3]);
  expect(waitingFor(life.does(says(3, 2))), 'both, in the last state').toEqual([2, 3]);
  expect(life.state().tokens[0]?.state_id).toBe(4);
});
