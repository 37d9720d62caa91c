import { expect, test } from 'vitest';
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

test('an agreement that was not made by the person’s own hand spares nobody: a time-out, a stand-in, an intervener', () => {
  const begun = passed(
    run(
      definition,
      newTicket(creator, null),
      { type: 'create', actor: creator, transition_id: 1, ...words },
      organisation,
    ),
  );
  const agreed = press(begun, one, 2);
  expect(press(agreed, two, 3).act_state, 'by their own hand').toBe(4);
  // What somebody else or the system decided has no form of its person's own.
  expect(press(agreed, two, 3, new Map()).act_state).toBe(1);
});
