import { expect, test } from 'vitest';
import { distributeType, participantType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition, DefinitionInput } from '#modules/workflow/workflows/engine/definition.ts';
import { lentTo, offersTo, type Reader } from '../visibility/delegation.ts';
import type { Command } from './decide.ts';
import { codesOf, noRights, type Rights } from './ways/offers.ts';
import { newTicket, type TicketState } from './state.ts';
import { flowOf, numbered, words } from './testing/flow.ts';
import { passed, run } from './testing/run.ts';

/*
 * The table of permissions.test.ts for places a service ticket never reaches: joint decisions, tickets running below, the confirmation of the end,
 * and delegates.
 */

const people = { creator: 1, first: 2, second: 3, third: 4, admin: 6, isDelegate: 8, stranger: 9 };
type Role = keyof typeof people;
type State = DefinitionInput['states'][number];
type Ways = Parameters<typeof flowOf>[2];
const flow = (sign: Partial<State>, more: State[] = []) =>
  flowOf(
    [
      {
        id: 2,
        key: 'sign',
        name: '会签',
        kind: 'approve',
        order: 2,
        actions: ['deliver', 'add_node', 'return'],
        ...sign,
      },
      ...more,
    ],
    3,
    [
      ['提交', 1, 2, 1],
      ['同意', 2, 3, 1],
      ['拒绝', 2, 1, 2],
      ...more.flatMap(({ id }): Ways => [
        ['确认办结', id, 3, 1],
        ['重新办理', id, 2, 2],
      ]),
    ],
  );
const users = [people.first, people.second, people.third];
type Asked = Pick<State, 'participants'>;
const three: Asked = { participants: [{ type: participantType.users, users }] };
const alone: Asked = { participants: [{ type: participantType.user, user: people.first }] };
const all = flow({ ...three, distribution: { type: distributeType.all, reject_rule: 1, pass_ratio: 100 } });
const inTurn = flow({ ...three, distribution: { type: distributeType.sequential } });
const below = flow({ ...alone, kind: 'subticket' });
const single = flow(alone);
const confirm = {
  id: 4,
  key: 'confirm',
  name: '确认',
  kind: 'approve' as const,
  order: 4,
  label: { finish: 'confirm' },
};
const confirmed = flow({ ...alone, label: { finish: 'ask' } }, [
  { ...confirm, participants: [{ type: participantType.user, user: people.second }] },
]);

const rightsOf = (person: number): Rights => ({ ...noRights, intervene: person === people.admin });
const say = { ...words, people: [] };
const after = (definition: Definition, ...actions: [Role, Partial<Command> & Pick<Command, 'type'>][]): TicketState =>
  actions.reduce(
    (state, [who, action]) => {
      const command = { ...say, actor: people[who], ...action } as Command;
      return passed(run(definition, state, command, numbered, { rights: rightsOf(people[who]) }));
    },
    newTicket(people.creator, 2),
  );
const submit = ['creator', { type: 'create', transition_id: 1 }] as const;
const agree = (who: Role) => [who, { type: 'handle', transition_id: 2 }] as const;
const applied = [[...submit], [...agree('first')], ['first', { type: 'apply_finish' }]] as Parameters<
  typeof after
>[1][];

const talk = ['comment'];
const vote = ['approve', 'refuse', 'deliver', 'add_node', 'return', 'comment'];
const holds = [...vote, 'suspend'];
const force = ['urge', 'suspend', 'state', 'close', 'comment'];
const asks = ['urge', 'comment'];
const back = ['retreat', 'comment'];

interface Place {
  name: string;
  definition: Definition;
  state: TicketState;
  may: Partial<Record<Role, readonly string[]>>;
  /** States below which tickets run. */
  below?: number[];
  delegations?: Reader['delegations'];
}
const places: Place[] = [
  {
    name: 'that three sign, of whom none has',
    definition: all,
    state: after(all, [...submit]),
    may: { creator: asks, first: holds, second: holds, third: holds, admin: force },
  },
  {
    name: 'that three sign, of whom one has',
    definition: all,
    state: after(all, [...submit], [...agree('first')]),
    may: { creator: asks, first: back, second: holds, third: holds, admin: force },
  },
  {
    name: 'that three sign one after the other',
    definition: inTurn,
    state: after(inTurn, [...submit], [...agree('first')]),
    may: { creator: asks, first: back, second: holds, third: talk, admin: force },
  },
  {
    name: 'below which others still run',
    definition: below,
    state: after(below, [...submit]),
    below: [2],
    may: { creator: asks, first: holds.filter((code) => code !== 'approve' && code !== 'refuse'), admin: force },
  },
  {
    name: 'below which none runs any more',
    definition: below,
    state: after(below, [...submit]),
    may: { creator: asks, first: holds, admin: force },
  },
  {
    name: 'that is finished, and whose end may be applied for',
    definition: confirmed,
    state: after(confirmed, [...submit], [...agree('first')]),
    may: {
      creator: ['apply_finish', 'comment'],
      first: ['apply_finish', 'comment'],
      admin: ['revoke', 'state', 'comment'],
    },
  },
  {
    name: 'whose end is to be confirmed',
    definition: confirmed,
    state: after(confirmed, ...applied),
    may: {
      creator: asks,
      second: ['approve', 'refuse', 'comment'],
      admin: ['urge', 'state', 'close', 'comment'],
    },
  },
  {
    name: 'with somebody for whom another stands in',
    definition: single,
    state: after(single, [...submit]),
    delegations: [{ principal: people.first, through: [], workflows: null }],
    may: { creator: asks, first: holds, isDelegate: holds, admin: force },
  },
  {
    name: 'whose creator the stand-in got it from',
    definition: single,
    state: after(single, [...submit]),
    delegations: [{ principal: people.first, through: [people.creator], workflows: null }],
    may: { creator: asks, first: holds, admin: force },
  },
  {
    name: 'of another workflow than the stand-in has',
    definition: single,
    state: after(single, [...submit]),
    delegations: [{ principal: people.first, through: [], workflows: [99] }],
    may: { creator: asks, first: holds, admin: force },
  },
];

test.each(places)(
  'of a ticket $name each person may take exactly the actions of the table (I17)',
  ({ definition, state, may, below: under = [], delegations = [] }) => {
    const found = Object.entries(people).map(([role, person]) => {
      const reader = { id: person, delegations: person === people.isDelegate ? delegations : [] };
      const ticket = {
        state,
        version: { workflow_id: 1, definition },
        rights: { ...rightsOf(person), below: under },
        delegates: new Map<number, number>(),
        guarded: () => null,
      };
      return [role, codesOf(offersTo(ticket, reader)).toSorted()];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.keys(people).map((role) => [role, [...new Set(may[role as Role] ?? talk)].toSorted()])),
    );
  },
);

test('a delegate is offered the absent person’s task, under the absent person’s name', () => {
  const state = after(single, [...submit]);
  const reader = { id: people.isDelegate, delegations: [{ principal: people.first, through: [], workflows: null }] };
  expect([...lentTo(state, 1, reader).owners.values()]).toEqual([people.first]);
});
