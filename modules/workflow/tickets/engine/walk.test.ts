import fc from 'fast-check';
import { expect, test } from 'vitest';
import { actionCodes } from '#modules/workflow/workflows/contract/shapes.ts';
import { onEmpty } from '#modules/workflow/workflows/engine/codes.ts';
import { stateOf, timerOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { publishProblems } from '#modules/workflow/workflows/engine/check/publish-check.ts';
import { rowsIn } from '#modules/workflow/workflows/engine/fields/table-rows.ts';
import { awaits } from './people/awaiting.ts';
import type { Command } from './decide.ts';
import { formsWhenDecided } from './differing.ts';
import type { SystemEvent } from './moves/system-event.ts';
import { offered, type Offer, type Rights } from './ways/offers.ts';
import { isOpen, isOver, newTicket, type LogEntry, type Task, type TicketState } from './state.ts';
import { isStall } from './stalling.ts';
import { waitsForTurn } from './ways/turns.ts';
import { check } from './testing/invariants.ts';
import { admin, blueprint, build, hidesCosts, type Blueprint } from './testing/definitions.ts';
import { passed, run, type Organisation } from './testing/run.ts';

const everybody = [1, 2, 3, 4, 5, 6];
const rightsOf = (person: number): Rights => ({
  intervene: person === admin,
  administers: person === admin,
  urge_wait: 0,
});
const actions = ['create', 'handle', ...actionCodes] as const;

const rare: readonly Offer['action'][] = ['close', 'delete', 'state', 'comment', 'urge', 'cc', 'suspend', 'revoke'];

const step = fc.record({
  actor: fc.constantFrom(...everybody),
  pick: fc.nat(60),
  honest: fc.nat(5).map((n) => n > 0),
  /** Takes dead ends only now and then: otherwise no walk gets far. */
  harsh: fc.nat(4).map((n) => n === 0),
  type: fc.constantFrom(...actions),
  number: fc.integer({ min: 1, max: 20 }),
  random: fc.double({ min: 0, max: 0.999, noNaN: true }),
  amount: fc.nat(9),
  /** Otherwise a decision leaves the form unchanged, so that earlier agreements may still hold. */
  writes: fc.boolean(),
  /** Presses a button if anybody has one: otherwise the creator takes back what they send, and no walk gets far enough to loop. */
  presses: fc.nat(2).map((n) => n > 0),
  field: fc.nat(25).map((n) => ['secret', 'fixed', 'nothing'][n] ?? ''),
  people: fc.subarray(['u1', 'u2', 'u3', 'u4', 'u5', 'u6', 'u7'], { minLength: 1, maxLength: 3 }),
  how: fc.constantFrom('before', 'parallel', 'after'),
  mode: fc.constantFrom('any', 'all', 'sequential'),
  resubmit_mode: fc.constantFrom(1, 2, undefined),
  /**
   * Something happens by itself instead: 0 a timer, 1 the end of the tickets below, 2 and 3 an answer, 4 a timer of a past visit, 5 people of roles
   * change, 7 somebody leaves the organisation.
   */
  by_itself: fc.nat(20),
});
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

function commandOf(step: Step, actor: number, type: Offer['action'], offer: Offer | undefined): Command {
  const { number, how, mode, resubmit_mode, amount, field, writes } = step;
  // For an offered action, names people who may be asked; otherwise anybody.
  const askable = step.people.filter((name) => name !== 'u7' && name !== 'u1' && name !== `u${actor}`);
  const people = !offer ? step.people : askable.length > 0 ? askable : [`u${(actor % 4) + 2}`];
  const chosen = offer?.choices[number % Math.max(1, offer.choices.length)] ?? number;
  const task = offer?.from_admin
    ? { task_no: chosen, from_admin: true }
    : offer?.task_no
      ? { task_no: offer.task_no }
      : {};
  const said = { actor, suggestion: '好', people };
  switch (type) {
    case 'create':
    case 'handle': {
      const fields = {
        note: '好',
        ...(writes ? { amount, rows: rowsOf(step, offer?.state_id ?? 2) } : {}),
        ...(field ? { [field]: 'x' } : {}),
      };
      const words = { suggestion: '好', fields, choose: {} };
      return { type, actor, transition_id: offer?.transition?.id ?? number, ...task, ...words };
    }
    case 'accept':
      return { type, actor, ...task };
    case 'delete':
      return { type, actor };
    case 'add_node':
      return { type, how, mode, ...task, ...said };
    case 'remove_node':
      return { type, added: chosen, ...said };
    case 'return': {
      const beside = offer?.beside ?? [];
      const several = beside.flatMap((ids, nth) => (nth === 0 || number % 2 ? (ids[number % ids.length] ?? []) : []));
      if (several.length > 0 && amount % 3 === 0) return { type, state_ids: several, ...task, ...said };
      return { type, state_id: chosen, resubmit_mode, ...task, ...said };
    }
    case 'state':
      return { type, state_id: chosen, ...said, people: number % 2 ? people : [], beside: amount % 3 ? 'end' : 'keep' };
    case 'end_leave':
      return { type, day: '2026-11-26', half: number % 2 ? 'am' : 'pm', ...said };
    default:
      return { type, ...task, ...said };
  }
}

/** As many rows as allowed, with their cost if it is writable. */
const rowsOf = ({ amount, number }: Step, state: number) =>
  Array.from({ length: amount % 3 }, (_none, at) => ({
    what: `${number + at}`,
    ...(hidesCosts(state) ? {} : { cost: number }),
  }));
const costsIn = ({ form }: TicketState) => rowsIn(form['rows']).map((row) => row['cost']);

const leadsOn = ({ action, code }: Offer) => action === 'accept' || (action === 'handle' && code !== 'save');

function isOffered(offers: readonly Offer[], command: Command): boolean {
  const { type } = command;
  return offers.some(
    (offer) =>
      offer.action === type &&
      (!('state_ids' in command) || offer.beside !== undefined) &&
      offer.from_admin === ('from_admin' in command && command.from_admin === true) &&
      ((type !== 'handle' && type !== 'create') || offer.transition?.id === command.transition_id) &&
      ((type !== 'return' && type !== 'state') ||
        command.state_id === undefined ||
        offer.choices.includes(command.state_id)) &&
      (type !== 'remove_node' || offer.choices.includes(command.added)),
  );
}

const notAnswered = /找不到办理人|用户“u[2-57]”不存在|当前环节没有这个字段|不能修改/;
const forPeople =
  /用户“u[2-57]”不存在|不能选择自己|是工单的发起人|已经(在处理|处理过)这个环节|不需要办理人|发起人不能审批|办过前面|所在的分支没有开始/;

const quiet = { role: [], refuseTo: 0, jumpTo: 0, amount: 0, other: false, outside: false, timed: false } as const;
const passing = {
  on_self: 1,
  on_empty: 1,
  dedupe: 'none',
  remember_last: false,
  ...quiet,
  role: [] as number[],
  source: 'role',
  apart: 0,
  keeps: false,
  begins: null,
  above: 0,
} as const;
const outsider = { ...passing, kind: 'approve' as const, distribution: { type: 1 as const }, outside: true };
const plainBlock = { enough: 0, runs_on: false, turns: 'none', leaves: false, milestones: false } as const;
const together = { type: 4 as const, reject_rule: 1 as const, pass_ratio: 1 };
const press: Step = {
  actor: 1,
  pick: 0,
  honest: true,
  harsh: false,
  type: 'create',
  number: 1,
  random: 0,
  amount: 0,
  writes: true,
  presses: false,
  field: '',
  people: ['u6'],
  how: 'before',
  mode: 'any',
  resubmit_mode: 1,
  by_itself: 6,
};
const running = { ...plainBlock, enough: 1, runs_on: true } as const;
const kept = { ...passing, keeps: true } as const;
/** Cases that earlier runs have found, shrunk; each made one invariant fail. */
const found: [Blueprint, Step[]][] = [
  // A state that all must sign remembered one of them, and asked nobody else.
  [
    {
      parts: [
        {
          split: 'parallel_split',
          ...plainBlock,
          branches: [
            [{ kind: 'approve', distribution: { type: 1 }, ...passing }],
            [{ kind: 'approve', distribution: together, ...passing }],
          ],
        },
      ],
      resubmit_mode: 1,
      confirm: { ...passing, kind: 'handle', distribution: together, remember_last: true, role: [4, 5] },
    },
    [
      { ...press, pick: 3, harsh: true, by_itself: 0 },
      { ...press, field: 'secret' },
      { ...press, pick: 7 },
    ],
  ],
  // Somebody who had added a signer left while the ticket was suspended: their task stayed theirs.
  [
    {
      parts: [
        {
          split: 'parallel_split',
          ...plainBlock,
          branches: [
            [{ kind: 'subticket', distribution: { type: 2, reject_rule: 1 }, ...passing, role: [2, 5], outside: true }],
            [{ kind: 'approve', distribution: { type: 2, reject_rule: 1 }, ...passing, outside: true }],
            [{ kind: 'approve', distribution: together, ...passing, outside: true }],
          ],
        },
        { kind: 'approve', distribution: together, ...passing, outside: true },
      ],
      resubmit_mode: 1,
      confirm: null,
    },
    [
      { ...press, pick: 21, harsh: true, by_itself: 0 },
      { ...press, pick: 53, how: 'after' },
      { ...press, pick: 28, harsh: true },
      { ...press, harsh: true, by_itself: 7 },
      ...Array.from({ length: 6 }, () => ({ ...press, honest: false, harsh: true, by_itself: 6 })),
    ],
  ],
  // Nobody left may decide the second state: only the person called for help ends it.
  [
    {
      parts: [
        { ...outsider, on_empty: onEmpty.admins },
        { ...outsider, on_self: 2, on_empty: onEmpty.users, apart: 1 },
        outsider,
      ],
      resubmit_mode: 1,
      confirm: null,
    },
    [
      { ...press, honest: false, harsh: true, by_itself: 0 },
      { ...press, pick: 11, harsh: true, by_itself: 7 },
      ...Array.from({ length: 8 }, () => ({ ...press, honest: false, harsh: true, by_itself: 0 })),
    ],
  ],
  // The last of the remaining branches arrived, and a split that waited for it opened; that was taken back, and it never opened again.
  [
    {
      parts: [
        {
          split: 'parallel_split',
          ...running,
          branches: [
            [{ ...kept, kind: 'approve', distribution: { type: 1 }, outside: true }],
            [{ ...kept, kind: 'approve', timed: true, distribution: { type: 2, reject_rule: 1 }, role: [3] }],
          ],
        },
        {
          split: 'parallel_split',
          ...plainBlock,
          branches: [[{ ...outsider }], [{ ...outsider }]],
        },
      ],
      resubmit_mode: 1,
      confirm: null,
    },
    [
      { ...press, pick: 21, harsh: true, by_itself: 0 },
      { ...press, pick: 10, field: 'secret', people: ['u4'] },
      { ...press, honest: false, harsh: true, field: 'secret', people: ['u3'], by_itself: 0 },
      { ...press, pick: 3, field: 'secret' },
      { ...press, pick: 1, people: ['u7'] },
      { ...press, honest: false, harsh: true, by_itself: 1 },
      { ...press, honest: false, harsh: true, by_itself: 1 },
      { ...press, people: ['u7'] },
      { ...press, people: ['u5'] },
      ...Array.from({ length: 4 }, () => ({ ...press, honest: false, harsh: true, by_itself: 0 })),
    ],
  ],
  // Nobody was named in time, and of those who step in one has left and one is kept apart: a late answer still counts.
  [
    {
      parts: [{ ...outsider, on_empty: onEmpty.admins }],
      resubmit_mode: 1,
      confirm: { ...outsider, kind: 'handle', distribution: together, on_empty: onEmpty.admins, apart: 2 },
    },
    [
      { ...press, pick: 21, harsh: true, by_itself: 0 },
      { ...press, honest: false, harsh: true, by_itself: 0 },
      { ...press, pick: 27, harsh: true, by_itself: 7 },
      { ...press, harsh: true, by_itself: 8 },
      { ...press, by_itself: 6 },
      ...Array.from({ length: 6 }, () => ({ ...press, honest: false, harsh: true, by_itself: 0 })),
    ],
  ],
  // One of two had refused, which is decisive: the other took back an agreement that had no effect.
  [
    {
      parts: [{ ...passing, kind: 'approve', distribution: together, role: [2, 3], refuseTo: 3 }, outsider],
      resubmit_mode: 1,
      confirm: null,
    },
    [
      { ...press, writes: false, honest: false, harsh: true, by_itself: 0 },
      { ...press, writes: false, presses: true },
      { ...press, writes: false, presses: true },
      { ...press, writes: false, presses: true, pick: 45, harsh: true, by_itself: 8 },
      { ...press, writes: false, pick: 40 },
      ...Array.from({ length: 5 }, () => ({ ...press, honest: false, harsh: true, by_itself: 0 })),
    ],
  ],
];

test('random tickets of random definitions keep every invariant, accept exactly what they offer, and can always end', () => {
  const done = new Map<string, number>();
  const count = (type: string, log: readonly LogEntry[]) => {
    const kept = log.flatMap(({ action }) => (action === 'keep' ? action : []));
    for (const one of [type, ...kept]) done.set(one, (done.get(one) ?? 0) + 1);
  };
  fc.assert(
    fc.property(blueprint, fc.array(step, { minLength: 10, maxLength: 40 }), (plan, steps) => {
      const { definition, organisation: everybodys } = build(plan);
      expect(publishProblems(definition)).toEqual([]);
      const without =
        (asked: Organisation): Organisation =>
        (query) =>
          asked(query).filter((person) => !gone.has(person));
      const organisation = without(everybodys);
      const blank = newTicket(1, 2);
      let state = blank;
      const sound = () => {
        check({ definition, organisation }, blank, state, log);
        // A task that nobody may take over waits while its ticket is suspended.
        const rests = (task: Task) => state.suspended && !state.tasks.some((one) => besides(one, task));
        const theirs = isOver(state)
          ? []
          : state.tasks.filter((task) => isOpen(task) && gone.has(task.assignee) && !rests(task));
        expect(theirs, 'I11: nothing is or comes to somebody who has left').toEqual([]);
      };
      const log: LogEntry[] = [];
      const told = ({ random }: Step) => ({ random, forms: formsWhenDecided(log) });
      const gone = new Set<number>();
      for (const one of steps) {
        const leaver = one.by_itself === 7 && one.harsh ? (one.pick % 4) + 2 : 0;
        if ((one.by_itself === 5 || leaver > 0) && state.seq > 0) {
          if (leaver > 0) gone.add(leaver);
          const asked = leaver > 0 ? organisation : without(changedRoles(everybodys));
          const after = run(definition, state, { type: 'regroup', person: leaver }, asked, told(one));
          if (after.kind === 'refused') continue;
          log.push(...after.log);
          state = after.state;
          for (const { action } of after.log) done.set(action, (done.get(action) ?? 0) + 1);
          sound();
          continue;
        }
        const what = state.seq > 0 ? happeningOf(one, state) : null;
        if (what) {
          const after = run(definition, state, what, organisation, told(one));
          if (after.kind === 'refused' && notAnswered.test(after.refusal.message)) continue;
          expect(after.kind === 'decided', 'I18: only what still belongs to the visit happens').toBe(
            one.by_itself < 4 && mayHappen(definition, state, what),
          );
          if (after.kind === 'refused') continue;
          log.push(...after.log);
          state = after.state;
          count(what.type, after.log);
          sound();
          continue;
        }
        const gentleOf = (person: number) =>
          offered(definition, state, person, rightsOf(person)).filter(
            (offer) => one.harsh || !rare.includes(offer.action),
          );
        const forwardOf = (person: number) => (one.presses ? gentleOf(person).filter(leadsOn) : []);
        const there = everybody.filter((person) => !gone.has(person));
        const pressing = there.filter((person) => forwardOf(person).length > 0);
        const busy = pressing.length > 0 ? pressing : there.filter((person) => gentleOf(person).length > 0);
        const turn = one.honest && busy.length > 0 ? busy[one.pick % busy.length]! : one.actor;
        const actor = state.seq === 0 ? 1 : one.harsh && one.pick % 4 === 0 ? admin : turn;
        // Somebody who has left cannot sign in.
        if (gone.has(actor)) continue;
        const rights = rightsOf(actor);
        const offers = offered(definition, state, actor, rights);
        const forward = forwardOf(actor);
        const gentle = forward.length > 0 ? forward : gentleOf(actor);
        const shown = gentle[one.pick % Math.max(1, gentle.length)];
        const type = one.honest && shown ? shown.action : one.type;
        const command = commandOf(one, actor, type, one.honest ? shown : undefined);
        const before = JSON.stringify(state);
        const decision = run(definition, state, command, organisation, { ...told(one), rights });
        expect(JSON.stringify(state)).toBe(before);
        const was = isOffered(offers, command);
        if (decision.kind === 'refused') {
          const { message } = decision.refusal;
          if (/有几项待办/.test(message)) {
            expect('task_no' in command && command.task_no !== undefined, message).toBe(false);
            continue;
          }
          const excused =
            'fields' in command && one.field !== '' ? /当前环节没有这个字段|不能修改|找不到办理人/ : forPeople;
          if (was) expect(/找不到办理人/.test(message) || excused.test(message), `I15: ${type} ${message}`).toBe(true);
          continue;
        }
        expect(was && !('fields' in command && one.field !== ''), `I15: ${type} was not offered`).toBe(true);
        const handled = decision.log.find(({ action }) => action === 'handle');
        if (handled && hidesCosts(handled.from_state_id)) {
          const [costs, after] = [costsIn(state), costsIn(decision.state)];
          expect(after, 'what its writer does not see stays with its row').toEqual(after.map((_one, at) => costs[at]));
        }
        log.push(...decision.log);
        state = decision.state;
        count(type, decision.log);
        sound();
        if (type === 'retreat' && state.act_state === 3) {
          expect(state.tasks.filter(isOpen).map((task) => task.assignee)).toEqual([1]);
          expect(state.tokens.filter((token) => token.status !== 'done').map((token) => token.no)).toEqual([1]);
        }
      }
      if (
        !definition.states.some(
          (place) => place.on_empty === onEmpty.refuse && place.kind !== 'start' && place.kind !== 'end',
        )
      )
        expect(isOver(finish(definition, state, organisation)), 'I19').toBe(true);
    }),
    { numRuns: process.env['NIGHTLY'] ? 10_000 : 300, examples: found },
  );
  if (!process.env['NIGHTLY']) return;
  process.stdout.write(`${JSON.stringify(Object.fromEntries(done))}\n`);
  expect(
    [...actions, 'timer', 'children', 'answer', 'regroup', 'left', 'keep'].filter(
      (action) => (done.get(action) ?? 0) === 0,
    ),
  ).toEqual([]);
}, 1_800_000);

/** True if another task of the same visit is open. */
const besides = (one: Task, task: Task) =>
  one.no !== task.no && one.token === task.token && one.visit === task.visit && one.status === 'todo';

/** The organisation after every role has passed to the next person. */
function changedRoles(organisation: Organisation): Organisation {
  return (query) =>
    query.kind === 'role' ? organisation(query).map((person) => (person % 5) + 1) : organisation(query);
}

function happeningOf({ by_itself, pick, ...step }: Step, { tokens }: TicketState): SystemEvent | null {
  if (by_itself > 4) return null;
  const living = tokens.filter((token) => token.status === 'active');
  const token = living[pick % Math.max(1, living.length)] ?? tokens[0];
  const visit = (token?.visit ?? 0) - (by_itself === 4 ? 1 : 0);
  const place = { token: token?.no ?? 0, visit };
  if (by_itself !== 2 && by_itself !== 3) return { type: by_itself === 1 ? 'children' : 'timer', ...place };
  const fields = step.field ? { [step.field]: 'x' } : { amount: step.amount };
  return { type: 'answer', ...place, ok: by_itself === 2, msg: '', people: step.people, fields };
}

function mayHappen(definition: Definition, state: TicketState, { type, token: no }: SystemEvent): boolean {
  const token = state.tokens.find((one) => one.no === no && one.status === 'active');
  if (!token || isOver(state) || state.suspended) return false;
  const place = stateOf(definition, token.state_id);
  const wanted = awaits(definition, state, token);
  if (type === 'answer' || wanted === 'people') return wanted !== null && type !== 'children';
  return type === 'children' ? place.kind === 'subticket' : timerOf(definition, place.id) !== undefined;
}

/** Everybody agrees to everything from here on; if nobody may, the person called for help ends it. */
function finish(definition: Definition, from: TicketState, organisation: Organisation): TicketState {
  let state = from;
  for (let steps = 0; steps < 400 && !isOver(state); steps++) {
    const todos = state.tasks.filter((task) => task.status === 'todo');
    const token = state.tokens.find(
      (one) => one.status === 'active' && todos.every((task) => task.token !== one.no || task.visit !== one.visit),
    );
    // In a block of turns the other branches wait, even for a time or an answer.
    const free = todos.filter((task) => !waitsForTurn(definition, state, task));
    const todo = free[0] ?? todos[0];
    if (token && free.length === 0 && !state.suspended) {
      state = passed(run(definition, state, { type: 'timer', token: token.no, visit: token.visit }, organisation));
      continue;
    }
    const holder = todo?.assignee ?? 1;
    const actor = state.suspended ? admin : holder;
    const offers = offered(definition, state, actor, rightsOf(actor));
    // If nobody may do what is asked, the person called for help ends it.
    const going = todo && isStall(todo) ? ['close'] : ['submit', 'approve', 'accept', 'add_node_end', 'resume'];
    const offer = offers.find((one) => going.includes(one.code));
    expect(offer, 'I19: somebody can go on').toBeDefined();
    const words = { suggestion: '好', fields: { note: '好' }, choose: {} };
    const { action, task_no, transition } = offer!;
    const task = task_no === null ? {} : { task_no };
    const command: Command =
      action === 'create' || action === 'handle'
        ? { type: action, actor, transition_id: transition!.id, ...task, ...words }
        : ({ type: action, actor, ...task, suggestion: '好' } as Command);
    const decision = run(definition, state, command, organisation, { rights: rightsOf(actor) });
    if (decision.kind === 'refused') throw decision.refusal;
    state = decision.state;
  }
  return state;
}
