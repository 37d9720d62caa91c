import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Command } from '#modules/workflow/tickets/engine/decide.ts';
import { noRights, offered } from '#modules/workflow/tickets/engine/ways/offers.ts';
import { outcome } from './votes/outcome.ts';
import type { PeopleQuery } from '#modules/workflow/tickets/engine/people/people.ts';
import { isOver, newTicket, type TicketState } from '#modules/workflow/tickets/engine/state.ts';
import { run } from '#modules/workflow/tickets/engine/testing/run.ts';
import { leave } from './gallery/leave.ts';
import { itService } from './gallery/it-service.ts';
import { voteProblems } from './check/votes.ts';
import { Definition } from './definition.ts';
import { publishProblems } from './check/publish-check.ts';
import { keptIn } from './testing/exploring.ts';
import { blocks, definitions } from './testing/random-definitions.ts';

const admin = 9;
const organisation = ({ kind, of }: PeopleQuery): readonly number[] => {
  if (kind === 'role') return { nobody: [], one: [2], creator: [1], several: [2, 3, 4] }[String(of)] ?? [];
  if (kind === 'group') return [[], [2], [1], [2, 3, 4]][Number(of) - 1] ?? [];
  if (kind === 'dept_path') return [1];
  if (kind === 'dept_fzr') return [2];
  if (kind === 'dept_ld') return [3];
  if (kind === 'least_loaded' || kind === 'in_turn') return [Number(String(of).split(/[:,]/).at(-1))];
  if (kind === 'user') return [Number(of)];
  return kind === 'workflow_admins' ? [admin] : kind === 'superior' ? [5] : [];
};

/** The ticket after a command; null for a refusal. */
function after(definition: Definition, state: TicketState, command: Command): TicketState | null {
  const decision = run(definition, state, command, organisation);
  return decision.kind === 'decided' ? decision.state : null;
}

/** Both sides of every boundary in the random conditions. */
const amounts = [null, 0, 2, 3, 5, 7];
const everybody = [1, 2, 3, 4, 5, admin];

/** Every ticket one step away from this one, for any actor, button and amount. */
function next(definition: Definition, state: TicketState): TicketState[] {
  const timers = state.tokens.flatMap((token) => {
    const over = run(definition, state, { type: 'timer', token: token.no, visit: token.visit }, organisation);
    return over.kind === 'decided' ? over.state : [];
  });
  return [...timers, ...byPeople(definition, state)];
}

function byPeople(definition: Definition, state: TicketState): TicketState[] {
  return everybody.flatMap((actor) =>
    offered(definition, state, actor, noRights).flatMap((offer) => {
      if (offer.action === 'accept') return after(definition, state, { type: 'accept', actor }) ?? [];
      if (offer.action !== 'create' && offer.action !== 'handle') return [];
      return amounts.flatMap((amount) => {
        const words = { suggestion: '好', choose: {}, fields: { amount } };
        const command = { type: offer.action, actor, transition_id: offer.transition?.id ?? 0, ...words };
        return after(definition, state, command as Command) ?? [];
      });
    }),
  );
}

/** The parts of a ticket that determine how it can go on. */
const place = (definition: Definition, state: TicketState) =>
  JSON.stringify([
    state.act_state,
    state.form,
    state.tokens.map((token) => [token.state_id, token.status]),
    state.tasks
      .filter((task) => state.tokens.some((token) => token.no === task.token && token.visit === task.visit))
      .map((task) => [task.assignee, task.status, task.pooled, task.transition_id]),
    state.tasks.some((task) => task.status === 'agree' && task.round === state.round),
    keptIn(definition, state),
  ]);

/** True if some way leads from here to an end; examines at most a given number of positions. */
function canFinish(definition: Definition, from: TicketState, most = 1500): boolean {
  const seen = new Set([place(definition, from)]);
  let edge = [from];
  while (edge.length > 0 && seen.size < most) {
    const further: TicketState[] = [];
    for (const state of edge) {
      if (isOver(state)) return true;
      for (const one of next(definition, state)) {
        if (isOver(one)) return true;
        const key = place(definition, one);
        if (!seen.has(key)) further.push(one);
        seen.add(key);
      }
    }
    edge = further;
  }
  // Three voters in each branch make too many positions: those are not judged.
  return seen.size >= most;
}

const runs = process.env['NIGHTLY'] ? 3000 : 500;

describe('a definition that passes the publishing checks', () => {
  test('can always be finished, wherever a random walk has led (I19)', () => {
    let accepted = 0;
    let walked = 0;
    fc.assert(
      fc.property(definitions, fc.array(fc.nat(10_000), { minLength: 1, maxLength: 6 }), (definition, walk) => {
        if (publishProblems(definition).length > 0 || voteProblems(definition, outcome).length > 0) return;
        accepted++;
        let state = newTicket(1, 1);
        for (const pick of walk) {
          const ways = next(definition, state);
          expect(ways.length, JSON.stringify(definition)).toBeGreaterThan(0);
          state = ways[pick % ways.length]!;
          walked++;
          if (isOver(state)) return;
        }
        expect(canFinish(definition, state), JSON.stringify(definition)).toBe(true);
      }),
      { numRuns: runs },
    );
    expect(accepted).toBeGreaterThan(runs / 25);
    expect(walked).toBeGreaterThan(runs / 10);
  }, 300_000);

  test('has no conditions that send a fixed value in circles for ever', () => {
    const draft = structuredClone(leave.definition) as { -readonly [K in keyof Definition]: Definition[K] };
    draft.transitions = draft.transitions.map((one) =>
      one.key === 'ld_agree'
        ? { ...one, conditions: [{ expression: { op: 'gt', field: 'days', value: 10 }, target_state_id: 2 }] }
        : one.key === 'ld_refuse' || one.key === 'fzr_refuse'
          ? { ...one, destination: one.source }
          : one,
    );
    expect(publishProblems(Definition.parse(draft)).map((problem) => problem.msg)).toEqual([
      '天数为10.1时，工单到了环节“部门负责人审批”就可能走不到结束环节，请检查之后的条件与跳过设置',
      '天数为10.1时，工单到了环节“分管领导审批”就可能走不到结束环节，请检查之后的条件与跳过设置',
    ]);
  });

  test('has no votes that leave it stuck', () => {
    for (const { definition } of [itService, leave]) expect(voteProblems(definition, outcome)).toEqual([]);
  });
});

test('parallel branches that pass the publishing checks can always be finished, wherever a random walk has led (I19)', () => {
  let accepted = 0;
  fc.assert(
    fc.property(blocks, fc.array(fc.nat(10_000), { minLength: 1, maxLength: 5 }), (definition, walk) => {
      if (publishProblems(definition).length > 0 || voteProblems(definition, outcome).length > 0) return;
      accepted++;
      let state = newTicket(1, 1);
      for (const pick of walk) {
        const ways = next(definition, state);
        expect(ways.length, JSON.stringify(definition)).toBeGreaterThan(0);
        state = ways[pick % ways.length]!;
        if (isOver(state)) return;
      }
      expect(canFinish(definition, state), JSON.stringify(definition)).toBe(true);
    }),
    { numRuns: process.env['NIGHTLY'] ? 3000 : 100 },
  );
  expect(accepted).toBeGreaterThan(0);
}, 600_000);
