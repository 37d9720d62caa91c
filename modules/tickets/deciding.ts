import { randomInt } from 'node:crypto';
import type { Db } from '#kernel/server/db.ts';
import type { Command, Decision } from './engine/decide.ts';
import type { Answers } from './engine/people.ts';
import type { Facts } from './engine/work.ts';
import { answersTo, type About } from './facts.ts';

/** The most rounds of questions to the organisation: each answers at least one, a definition has at most 100 states. */
const mostRounds = 200;

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/** A command of the person at the desk to a ticket that is there. */
export type Deed = Without<Exclude<Command, { type: 'create' }>, 'actor'>;

/** Decides with what the organisation answers to the core's questions; throws its refusal. */
export async function decided(
  tx: Db,
  about: About,
  known: Omit<Facts, 'people' | 'random'>,
  decideBy: (facts: Facts) => Decision,
): Promise<Extract<Decision, { kind: 'decided' }>> {
  let people: Answers = {};
  const random = randomInt(2 ** 32) / 2 ** 32;
  for (let round = 0; round < mostRounds; round++) {
    const decision = decideBy({ ...known, people, random });
    if (decision.kind === 'refused') throw decision.refusal;
    if (decision.kind === 'decided') return decision;
    people = { ...people, ...(await answersTo(tx, about, decision.queries)) };
  }
  throw new Error('the workflow asks without end');
}
