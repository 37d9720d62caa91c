import fc from 'fast-check';
import { expect, test } from 'vitest';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { newTicket, type TicketState } from './state.ts';
import { passed, run, type Organisation } from './testing/run.ts';

const [creator, one, two] = [1, 2, 3];
const organisation: Organisation = ({ kind, of }) => (kind === 'user' ? [Number(of)] : []);
const asks = (id: number, user: number, more: object = {}) => ({
  id,
  key: `s${id}`,
  name: `第${id}步`,
  kind: 'approve' as const,
  order: id,
  participants: [{ type: 1 as const, user }],
  ...more,
});
const way = (id: number, destination: number) => ({
  id,
  key: `t${id}`,
  name: '同意',
  source: id,
  destination,
  attribute: 1 as const,
});
const definition = Definition.parse({
  name: '再问',
  fields: [],
  settings: { title_template: '再问' },
  states: [
    { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
    asks(2, one),
    asks(3, two),
    asks(4, one, { dedupe: 'round' }),
    { id: 5, key: 'end', name: '结束', kind: 'end', order: 5 },
  ],
  transitions: [way(1, 2), way(2, 3), way(3, 4), way(4, 5)],
});
const words = { suggestion: '好', fields: {}, choose: {} };
const press = (state: TicketState, actor: number, transition_id: number, forms?: ReadonlyMap<number, object>) =>
  passed(
    run(definition, state, { type: 'handle', actor, transition_id, ...words }, organisation, { forms: forms as never }),
  );

const begin = (of: Definition) =>
  passed(
    run(of, newTicket(creator, null), { type: 'create', actor: creator, transition_id: 1, ...words }, organisation),
  );

test('an approval by a timeout, a delegate or an intervener does not spare its person a later step', () => {
  const begun = begin(definition);
  const agreed = press(begun, one, 2);
  expect(press(agreed, two, 3).act_state, 'by their own hand').toBe(4);
  // A decision by somebody else or the system has no form of its person's own.
  expect(press(agreed, two, 3, new Map()).act_state).toBe(1);
});

/** Some people agree first, each alone; then all vote, and those are not asked again. */
const ballot = (voters: readonly number[], early: readonly number[], pass_ratio: number) =>
  Definition.parse({
    name: '表决',
    fields: [],
    settings: { title_template: '表决' },
    states: [
      { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
      asks(2, 0, { participants: [{ type: 2, users: early }], distribution: { type: 4, reject_rule: 1 } }),
      asks(3, 0, {
        participants: [{ type: 2, users: voters }],
        distribution: { type: 4, reject_rule: 2, pass_ratio },
        dedupe: 'round',
      }),
      { id: 5, key: 'end', name: '结束', kind: 'end', order: 5 },
    ],
    transitions: [
      way(1, 2),
      way(2, 3),
      way(3, 5),
      { id: 9, key: 'no', name: '拒绝', source: 3, destination: 1, attribute: 2 },
    ],
  });

test('a vote in which some are spared has the outcome of a plain count in which each of them agrees', () => {
  const votes = fc.record({
    said: fc.array(fc.record({ early: fc.boolean(), yes: fc.boolean() }), { minLength: 2, maxLength: 7 }),
    ratio: fc.integer({ min: 1, max: 100 }),
  });
  fc.assert(
    fc.property(votes, ({ said, ratio }) => {
      const voters = said.map((_one, at) => at + 2);
      // The first step needs somebody: a person without a vote counts nowhere.
      const early = [...voters.filter((_one, at) => said[at]!.early), 99];
      const of = ballot(voters, early, ratio);
      const votesBy = (state: TicketState, actor: number, transition_id: number) =>
        passed(run(of, state, { type: 'handle', actor, transition_id, ...words }, organisation));
      let state = early.reduce((now, person) => votesBy(now, person, 2), begin(of));
      const count = { yes: early.length - 1, no: 0 };
      const outcome = () => {
        if (count.yes * 100 >= ratio * voters.length) return 4;
        return (voters.length - count.no) * 100 < ratio * voters.length ? 2 : 1;
      };
      expect(state.act_state).toBe(outcome());
      for (const [at, person] of voters.entries()) {
        if (said[at]!.early || outcome() !== 1) continue;
        count[said[at]!.yes ? 'yes' : 'no'] += 1;
        state = votesBy(state, person, said[at]!.yes ? 3 : 9);
        expect(state.act_state).toBe(outcome());
      }
      expect(outcome(), 'everybody has spoken').not.toBe(1);
    }),
  );
});

const hidden = {
  field: [{}, { amount: 1 }],
  'column of a table': [{ rows: 1 }, { rows: 1 }, { rows: { price: 4 } }],
  opinion: [{}, { said: 1 }],
  file: [{}, { paper: 1 }],
  'field that everybody may look at and the earlier step hides': [{ open: 4 }, {}],
} as const;

test.each(Object.entries(hidden))(
  'an earlier approval is asked for again if the later step shows a %s that the earlier one hid',
  (_what, [early, late, columns]: readonly [object, object, object?]) => {
    const flow = (between: boolean, sees: object, hides: object | undefined) =>
      Definition.parse({
        name: '再问',
        fields: [
          { id: 1, key: 'use', name: '用途', type: 5 },
          { id: 2, key: 'amount', name: '金额', type: 16 },
          {
            id: 3,
            key: 'rows',
            name: '明细',
            type: fieldType.table,
            columns: [
              { key: 'what', name: '品名', type: 5 },
              { key: 'price', name: '单价', type: 16 },
            ],
          },
          { id: 4, key: 'said', name: '意见', type: fieldType.opinions },
          { id: 5, key: 'paper', name: '附件', type: fieldType.file },
          { id: 6, key: 'open', name: '公开', type: 5 },
        ],
        settings: { title_template: '再问', display_form: ['open'] },
        states: [
          { id: 1, key: 'start', name: '填写', kind: 'start', order: 1 },
          asks(2, one, { access: { use: 1, ...sees }, ...(hides && { columns: hides }) }),
          asks(3, two, { access: { use: 1 } }),
          asks(4, one, { access: { use: 1, ...late }, dedupe: 'round' }),
          { id: 5, key: 'end', name: '结束', kind: 'end', order: 5 },
        ],
        transitions: [way(1, 2), way(2, between ? 3 : 4), way(3, 4), way(4, 5)],
      });
    for (const between of [false, true]) {
      const comesTo = (of: Definition) => {
        const begun = passed(
          run(
            of,
            newTicket(creator, null),
            { type: 'create', actor: creator, transition_id: 1, ...words },
            organisation,
          ),
        );
        const handle = (state: TicketState, actor: number, transition_id: number) =>
          passed(run(of, state, { type: 'handle', actor, transition_id, ...words }, organisation));
        const agreed = handle(begun, one, 2);
        return (between ? handle(agreed, two, 3) : agreed).act_state;
      };
      expect(comesTo(flow(between, early, columns)), 'asked again').toBe(1);
      expect(comesTo(flow(between, late, undefined)), 'spared where both show the same').toBe(4);
    }
  },
);
