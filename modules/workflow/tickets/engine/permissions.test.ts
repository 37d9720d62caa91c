import { expect, test } from 'vitest';
import { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { itService } from '#modules/workflow/workflows/engine/gallery/it-service.ts';
import { codesOf, noRights, offered, type Offer } from './ways/offers.ts';
import { newTicket, type TicketState } from './state.ts';
import type { Command } from './decide.ts';
import { passed, run, type Organisation } from './testing/run.ts';

/*
 * Permissions written out: every kind of person in every position of a ticket. What is not in the table is refused, whatever is sent (I15 in
 * walk.test.ts). A new action changes this table, so that somebody reviews it.
 */

const people = { creator: 1, head: 2, leader: 3, worker: 4, other: 5, admin: 6, added: 7, copied: 8, stranger: 9 };
type Role = keyof typeof people;
const definition = Definition.parse({
  ...itService.definition,
  settings: { ...itService.definition.settings, revoke: 'creator' },
});
const app: Organisation = ({ kind, of }) => {
  if (kind === 'username') return [Number(String(of).slice(1))];
  if (kind === 'user') return [Number(of)];
  if (kind === 'role') return [people.worker, people.other];
  return kind === 'dept_fzr' ? [people.head] : kind === 'dept_ld' ? [people.leader] : [];
};
const rightsOf = (person: number) => ({ ...noRights, intervene: person === people.admin });
const say = { suggestion: '好', fields: {}, choose: {}, people: [] };
const title = { title: '漏水', category: 'network', place: '301', urgency: 'urgent', description: '漏水' };

/** The ticket after some actions, each by somebody. */
const after = (...actions: [Role, Partial<Command> & Pick<Command, 'type'>][]): TicketState =>
  actions.reduce(
    (state, [who, action]) =>
      passed(
        run(definition, state, { ...say, actor: people[who], ...action } as Command, app, {
          rights: rightsOf(people[who]),
        }),
      ),
    newTicket(people.creator, 2),
  );
type Action = Parameters<typeof after>[number];
const create = (transition_id: number, amount = 300): Action => [
  'creator',
  { type: 'create', transition_id, fields: { ...title, amount } },
];
const handle = (who: Role, transition_id: number, fields: object = {}): Action => [
  who,
  { type: 'handle', transition_id, fields: fields as Record<string, unknown> },
];
const submitted = [create(2), ['head', { type: 'cc', people: ['u8'] }] as Action];
const pooled = [...submitted, handle('head', 3)];
const claimed: Action[] = [...pooled, ['worker', { type: 'accept' }]];
const done = [...claimed, handle('worker', 7, { result: '好了' })];

const talk = ['comment'];
const onHead = ['approve', 'refuse', 'deliver', 'delegate', 'add_node', 'return'];
const force = ['state', 'close'];

const places: { name: string; state: TicketState; may: Partial<Record<Role, readonly string[]>>; looks?: string[] }[] =
  [
    { name: 'a draft', state: after(create(1)), may: { creator: ['save', 'submit', 'delete', 'close'] }, looks: [] },
    {
      name: 'with the head',
      state: after(...submitted),
      may: {
        creator: ['retreat', 'urge', 'cc', 'comment'],
        head: [...onHead, 'suspend', 'cc', 'comment'],
        copied: ['urge', 'comment'],
        admin: ['urge', 'suspend', 'comment', ...force],
      },
    },
    {
      name: 'with a signer added before the head',
      state: after(...submitted, ['head', { type: 'add_node', how: 'before', mode: 'all', people: ['u7'] }]),
      may: {
        creator: ['retreat', 'urge', 'cc', 'comment'],
        head: ['remove_node', 'comment'],
        added: ['add_node_end', 'deliver', 'delegate', 'add_node', 'cc', 'comment'],
        copied: ['urge', 'comment'],
        admin: ['urge', 'suspend', 'comment', ...force],
      },
    },
    {
      name: 'put aside',
      state: after(...submitted, ['head', { type: 'suspend' }]),
      may: {
        creator: ['retreat', 'cc', 'comment'],
        head: ['resume', 'cc', 'comment'],
        admin: ['resume', 'comment', ...force],
      },
    },
    {
      name: 'with whoever claims it',
      state: after(...pooled),
      may: {
        creator: ['urge', 'cc', 'comment'],
        head: ['retreat', 'comment'],
        worker: ['accept', 'comment'],
        other: ['accept', 'comment'],
        copied: ['urge', 'comment'],
        admin: ['urge', 'suspend', 'comment', ...force],
      },
    },
    {
      name: 'claimed',
      state: after(...claimed),
      may: {
        creator: ['urge', 'cc', 'comment'],
        worker: ['approve', 'refuse', 'deliver', 'add_node', 'release', 'return', 'suspend', 'cc', 'comment'],
        copied: ['urge', 'comment'],
        admin: ['urge', 'suspend', 'comment', ...force],
      },
    },
    {
      name: 'returned',
      state: after(...submitted, handle('head', 4)),
      may: {
        creator: ['save', 'submit', 'close', 'cc', 'comment'],
        head: ['retreat', 'comment'],
        copied: ['urge', 'comment'],
        admin: ['urge', 'comment', ...force],
      },
    },
    {
      name: 'withdrawn',
      state: after(...submitted, ['creator', { type: 'retreat' }]),
      may: {
        creator: ['save', 'submit', 'close', 'cc', 'comment'],
        copied: ['urge', 'comment'],
        admin: ['urge', 'comment', ...force],
      },
    },
    {
      name: 'finished',
      state: after(...done),
      may: { creator: ['revoke', 'cc', 'comment'], admin: ['revoke', 'comment', 'state'] },
    },
    { name: 'closed', state: after(...submitted, ['admin', { type: 'close' }]), may: { creator: ['cc', 'comment'] } },
    { name: 'revoked', state: after(...done, ['creator', { type: 'revoke' }]), may: { creator: ['cc', 'comment'] } },
    { name: 'deleted', state: after(create(1), ['creator', { type: 'delete' }]), may: {}, looks: [] },
  ];

test.each(places)(
  'of a ticket $name each person may take exactly the actions of the table (I17)',
  ({ state, may, looks = talk }) => {
    const found = Object.entries(people).map(([role, person]) => {
      const offers: Offer[] = offered(definition, state, person, rightsOf(person));
      return [role, codesOf(offers).toSorted()];
    });
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.keys(people).map((role) => [role, [...(may[role as Role] ?? looks)].toSorted()])),
    );
  },
);

test('leave under way is ended early by its own person, once, within its days; a new decision clears the early return', () => {
  const leave = { kind: '请假', from: '2026-11-24 12:00:00', until: '2026-11-28 00:00:00', now: '2026-11-26 10:00:00' };
  const rights = { ...noRights, leave };
  const state = after(...done);
  const codes = (person: number) => codesOf(offered(definition, state, person, rights));
  expect([codes(people.creator).includes('end_leave'), codes(people.head).includes('end_leave')]).toEqual([
    true,
    false,
  ]);
  const end = (day: string, half: 'am' | 'pm', actor = people.creator) =>
    run(definition, state, { type: 'end_leave', actor, day, half, suggestion: '办完了' }, app, { rights });
  for (const [day, half] of [
    ['2026-11-24', 'am'],
    ['2026-11-26', 'pm'],
    ['2026-11-27', 'am'],
    ['2026-11-28', 'am'],
  ] as const)
    expect(end(day, half).kind, `${day} ${half}`).toBe('refused');
  expect(end('2026-11-25', 'am', people.head).kind).toBe('refused');
  const back = passed(end('2026-11-24', 'pm'));
  expect(back.back_at).toBe('2026-11-24 12:00:00');
  const again = run(
    definition,
    back,
    { type: 'end_leave', actor: people.creator, day: '2026-11-25', half: 'am', suggestion: '' },
    app,
    { rights: noRights },
  );
  expect(again).toMatchObject({ kind: 'refused', refusal: { message: expect.stringContaining('已经销假') as string } });
  const move = { type: 'state', actor: people.admin, state_id: 2, people: [], suggestion: '重办' } as const;
  expect(passed(run(definition, back, move, app, { rights: rightsOf(people.admin) })).back_at).toBeNull();
});
