import { expect } from 'vitest';
import { onSelf } from '#modules/workflow/workflows/engine/codes.ts';
import { asksEverybody, stateOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { awaits } from '../people/awaiting.ts';
import { dutiesOf, hasVoted, isOpen, isOver, replay, type LogEntry, type TicketState, type Token } from '../state.ts';
import { isStall } from '../stalling.ts';
import { branchesAround, waitingFor } from '../ways/blocks.ts';
import { waitsForTurn } from '../ways/turns.ts';
import type { Organisation } from './run.ts';

const everybody = [1, 2, 3, 4, 5, 6];

/** Checks the invariants of a ticket after a step, whatever its workflow; `organisation` answers for its people. */
export function check(
  { definition, organisation }: { definition: Definition; organisation: Organisation },
  blank: TicketState,
  state: TicketState,
  log: readonly LogEntry[],
): void {
  const open = state.tasks.filter(isOpen);
  const todo = open.filter((task) => task.status === 'todo');
  const waits = (token: Token) =>
    stateOf(definition, token.state_id).kind === 'delay' || awaits(definition, state, token) !== null;
  const pending = state.tokens.filter((token) => token.status === 'active' && waits(token));
  expect(todo.length + pending.length > 0, 'I1: somebody can act, or a timer runs, unless it is over').toBe(
    !isOver(state),
  );
  if (!isOver(state) && todo.length > 0)
    expect(
      pending.length === 0 && todo.every((task) => waitsForTurn(definition, state, task)),
      'I1: not everybody waits for their turn, unless the branch that has it waits for a time or an answer',
    ).toBe(false);
  if (isOver(state)) {
    expect([open, state.tokens.filter((token) => token.status !== 'done'), state.undo], 'I2').toEqual([[], [], null]);
  }
  if (state.suspended) expect(state.act_state, 'I12: only what goes on can rest').toBe(1);
  if (state.voided) expect(state.act_state, 'what was revoked stays closed').toBe(5);
  expect(everybody.flatMap((person) => dutiesOf(state, person)).length, 'I3').toBe(todo.length);
  expect(
    log.map((entry) => entry.seq),
    'I4',
  ).toEqual(log.map((_entry, index) => index + 1));
  expect(replay(blank, JSON.parse(JSON.stringify(log)) as LogEntry[]), 'I5').toEqual(state);
  const states = new Set(definition.states.map((candidate) => candidate.id));
  expect(
    [...state.tokens, ...state.tasks].every((part) => states.has(part.state_id)),
    'I6',
  ).toBe(true);
  expect(
    Object.keys(state.form).every((key) => ['amount', 'note', 'twice', 'rows'].includes(key)),
    'I7',
  ).toBe(true);
  const { amount, twice } = state.form;
  expect(twice, 'what is computed follows what it is computed from').toEqual(
    typeof amount === 'number' ? 2 * amount : undefined,
  );
  for (const task of open) {
    const token = state.tokens.find((candidate) => candidate.no === task.token);
    expect([token?.visit, token?.state_id, token?.status], 'I12: nothing is left of an old visit').toEqual([
      task.visit,
      task.state_id,
      'active',
    ]);
    const here = todo.some((other) => other.token === task.token && other.visit === task.visit);
    expect(here, 'I11: who waits, waits for somebody').toBe(true);
    const place = stateOf(definition, task.state_id);
    if (place.kind !== 'start' && place.on_self !== onSelf.asUsual) expect(task.assignee, 'I16').not.toBe(1);
  }
  for (const token of state.tokens.filter((one) => one.status === 'active')) {
    // If another system did not name the people in time, an administrator is called; its late answer still counts.
    const here = todo.filter((task) => task.token === token.no);
    expect(
      waits(token) ? here.every(isStall) : here.length > 0,
      'I1: in each branch somebody can act, or a timer runs',
    ).toBe(true);
    for (const branch of branchesAround(token)) {
      // A branch that its join no longer waits for, because fewer were enough.
      const heard = waitingFor(state, branch) !== undefined;
      const runsOn = definition.states.some((place) => place.join_rest === 'run');
      expect(heard || runsOn, 'a branch is waited for').toBe(true);
    }
  }
  // A spared person decides as well, and may have decided elsewhere before.
  const latest = log.findLast(({ action }) => action === 'handle' || action === 'keep');
  const vote = state.tasks.find((task) => latest?.task_nos.includes(task.no) && hasVoted(task));
  if (vote) {
    const apart = stateOf(definition, vote.state_id).not_done_by ?? [];
    // Decisions that were taken back do not count.
    const stands = state.tasks.filter(
      (task) => task.no !== vote.no && hasVoted(task) && apart.includes(stateOf(definition, task.state_id).key),
    );
    const earlier = stands.map((task) => task.assignee);
    expect(earlier, 'nobody decides what is kept apart from what they decided').not.toContain(vote.assignee);
    if (apart.includes('s1')) expect(vote.assignee, 'nor what they began').not.toBe(state.creator);
  }
  const asked = state.tasks.filter((task) => isOpen(task) || hasVoted(task));
  const places = new Set(asked.map((task) => `${task.token}/${task.visit}/${task.assignee}`));
  expect(places.size, 'I10: nobody has two places in one visit').toBe(asked.length);
  for (const token of state.tokens.filter((one) => one.status === 'active')) {
    const place = stateOf(definition, token.state_id);
    const [role] = place.participants.flatMap((who) => ('roles' in who ? who.roles : []));
    if (
      !role ||
      !asksEverybody(place) ||
      place.dedupe !== 'none' ||
      place.not_done_by ||
      place.on_self !== onSelf.asUsual
    )
      continue;
    const asked = state.tasks.filter(({ token: no, visit, origin, status }) => {
      const here = no === token.no && visit === token.visit;
      return here && (origin === 'assign' || origin === 'keep') && status !== 'skipped';
    });
    const people = organisation({ kind: 'role', of: role });
    if (people.length > 0 && asked.length > 0)
      expect(asked.length, 'I10: where everybody has a voice, everybody is asked').toBeGreaterThanOrEqual(
        people.length,
      );
  }
}
