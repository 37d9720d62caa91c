import { describe, expect, test } from 'vitest';
import { stateActions } from '#modules/workflow/workflows/engine/definition.ts';
import type { Command } from './decide.ts';
import { noRights, offered } from './ways/offers.ts';
import { mainStateId, newTicket, type TicketState } from './state.ts';
import { flowOf, numbered, press } from './testing/flow.ts';
import { passed, run } from './testing/run.ts';

const [creator, first, second, third, fourth] = [1, 2, 3, 4, 5];
const actions = [...stateActions];
const places = [first, second, third, fourth].map((user, index) => ({
  id: index + 2,
  key: `s${index + 2}`,
  name: `第${index + 1}审`,
  kind: 'approve' as const,
  order: index + 2,
  participants: [{ type: 1 as const, user }],
  actions,
}));
const refuseFourth = 9;
const definition = flowOf(places, 6, [
  ['提交', 1, 2, 1],
  ['同意', 2, 3, 1],
  ['同意', 3, 4, 1],
  ['同意', 4, 5, 1],
  ['同意', 5, 6, 1],
  ['拒绝', 2, 1, 2],
  ['拒绝', 3, 2, 2],
  ['拒绝', 4, 3, 2],
  ['拒绝', 5, 3, 2],
]);
const does = (state: TicketState, command: Command) => passed(run(definition, state, command, numbered));
/** Presses the first button of each state in turn, starting from the present one. */
const agreed = (state: TicketState, ...people: number[]): TicketState =>
  people.reduce((one, person) => does(one, press(one, person, one.seq === 0 ? 1 : (mainStateId(one) ?? 1))), state);
const back = (state: TicketState, actor: number, state_id: number, resubmit_mode?: 1 | 2) =>
  does(state, { type: 'return', actor, state_id, suggestion: '再看', resubmit_mode });
const targets = (state: TicketState, actor: number) =>
  offered(definition, state, actor, noRights).find((offer) => offer.action === 'return')?.choices;
const begun = () => agreed(newTicket(creator, null), creator);

describe('a return to an earlier state', () => {
  test('is possible to every state decided on the way, also after an earlier return', () => {
    const atThird = agreed(begun(), first, second);
    expect(targets(atThird, third)).toEqual([1, 2, 3]);
    const once = back(atThird, third, 3);
    expect(targets(once, second), 'what lies before it, not what lies ahead').toEqual([1, 2]);
    const twice = back(once, second, 2);
    expect(targets(twice, first)).toEqual([1]);
    expect(targets(agreed(twice, first, second), third)).toEqual([1, 2, 3]);
  });

  test('is possible to all earlier states after a refusal led back', () => {
    const atFourth = agreed(begun(), first, second, third);
    const refused = does(atFourth, press(atFourth, fourth, refuseFourth));
    expect(targets(refused, second)).toEqual([1, 2]);
    expect(targets(agreed(refused, second), third)).toEqual([1, 2, 3]);
  });

  test('is possible to every state still decided after the ticket came straight back to the person who returned it', () => {
    const straight = agreed(back(agreed(begun(), first, second), third, 1, 2), creator);
    expect([mainStateId(straight), targets(straight, third)]).toEqual([4, [1, 2, 3]]);
    expect(targets(agreed(straight, third), fourth)).toEqual([1, 2, 3, 4]);
    const between = agreed(back(agreed(begun(), first, second, third), fourth, 3, 2), second);
    expect([mainStateId(between), targets(between, fourth)]).toEqual([5, [1, 2, 3, 4]]);
  });

  test('is possible to every state still decided, however often the ticket came straight back', () => {
    const straight = (state: TicketState) => agreed(back(state, third, 1, 2), creator);
    const twice = straight(straight(agreed(begun(), first, second)));
    expect([mainStateId(twice), targets(twice, third)]).toEqual([4, [1, 2, 3]]);
    expect(targets(agreed(straight(twice), third), fourth)).toEqual([1, 2, 3, 4]);
  });

  test('is not possible to states that a resubmitted ticket has not passed again', () => {
    const again = agreed(back(agreed(begun(), first, second), third, 1), creator);
    expect(targets(again, first)).toEqual([1]);
  });

  test('is taken back by its author until somebody acts on it, and everything is as it was before', () => {
    const atThird = agreed(begun(), first, second);
    for (const [to, mode] of [
      [2, 1],
      [2, 2],
      [1, 1],
      [1, 2],
    ] as const) {
      const returned = back(atThird, third, to, mode);
      const undone = does(returned, { type: 'retreat', actor: third, suggestion: '' });
      const standing = ({ tokens, act_state, round }: TicketState) => [
        tokens.filter((token) => token.status === 'active').map(({ no, state_id }) => [no, state_id]),
        act_state,
        round,
      ];
      expect([mainStateId(undone), ...standing(undone)]).toEqual([4, ...standing(atThird)]);
      expect(undone.tasks.filter((task) => task.status === 'todo').map((task) => task.assignee)).toEqual([third]);
      expect(targets(undone, third)).toEqual([1, 2, 3]);
      expect(mainStateId(agreed(undone, third, fourth))).toBe(6);
    }
    const acted = agreed(back(atThird, third, 2), first);
    const late = run(definition, acted, { type: 'retreat', actor: third, suggestion: '' }, numbered);
    expect(late.kind).toBe('refused');
  });

  test('keeps its possible targets when a refusal in between is taken back', () => {
    const atSecond = agreed(begun(), first);
    const refused = does(atSecond, press(atSecond, second, 7));
    const undone = does(refused, { type: 'retreat', actor: second, suggestion: '' });
    expect(targets(agreed(undone, second), third)).toEqual([1, 2, 3]);
  });
});
