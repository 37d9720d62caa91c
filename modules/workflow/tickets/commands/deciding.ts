import { randomInt } from 'node:crypto';
import type { Db } from '#kernel/server/db/db.ts';
import { namesFor } from '../store/names.ts';
import { deptKey } from '#modules/workflow/workflows/engine/fields/value-words.ts';
import type { Command, Decision } from '../engine/decide.ts';
import type { FormsDecided } from '../engine/differing.ts';
import type { Answers } from '../engine/people/people.ts';
import type { RecordContent } from '../engine/state.ts';
import type { Facts } from '../engine/work.ts';
import { answersTo, type About } from './facts.ts';

/** The most rounds of questions to the organisation: each answers at least one, and a definition has at most 100 states. */
const mostRounds = 200;

/** The ticket to be decided, the forms its decisions were made with, and its record's content. */
interface Asking extends About {
  forms(): Promise<FormsDecided>;
  record(): Promise<RecordContent | undefined>;
}

type Without<T, K extends string> = T extends unknown ? Omit<T, K> : never;
/** A command by the signed-in person on an existing ticket. */
export type Action = Without<Exclude<Command, { type: 'create' }>, 'actor'>;

/** Facts that are fetched when the core asks for them. */
type Asked = Pick<Facts, 'people' | 'names' | 'forms' | 'record'>;

/** Decides with the organisation's answers to the core's questions; throws its refusal. */
export async function decided(
  tx: Db,
  about: Asking,
  known: Omit<Facts, keyof Asked | 'random'>,
  decideBy: (facts: Facts) => Decision,
): Promise<Extract<Decision, { kind: 'decided' }>> {
  const random = randomInt(2 ** 32) / 2 ** 32;
  const decision = await answered(tx, about, (asked) => decideBy({ ...known, ...asked, random }));
  if (decision.kind === 'refused') throw decision.refusal;
  return decision;
}

/** Like `decided`, but returns a refusal. */
export async function answered(
  tx: Db,
  about: Asking,
  decideBy: (asked: Asked) => Decision,
): Promise<Exclude<Decision, { kind: 'asks' }>> {
  let people: Answers = {};
  let before: Pick<Facts, 'forms' | 'record'> = {};
  const names = new Map<string, string>();
  for (let round = 0; round < mostRounds; round++) {
    const decision = decideBy({ people, names, ...before });
    if (decision.kind !== 'asks') return decision;
    if (decision.forms) before = { forms: await about.forms(), record: await about.record() };
    people = { ...people, ...(await answersTo(tx, about, decision.queries)) };
    const named = decision.queries.flatMap(({ kind, of }) =>
      kind === 'username' ? String(of) : kind === 'dept_there' ? deptKey(of) : [],
    );
    for (const [key, name] of await namesFor(tx, named)) names.set(key, name);
  }
  throw new Error('the workflow asks without end');
}
