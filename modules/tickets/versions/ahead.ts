import { Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/people/service.ts';
import { asksPeople } from '#modules/workflows/engine/definition.ts';
import { isOver } from '../engine/state.ts';
import type { Reader } from '../visibility/delegation.ts';
import type { Stored } from '../store/store.ts';
import { simulate } from './simulate.ts';

/**
 * Names of the states that a ticket comes to if everybody agrees to its form as it is now. Null where that cannot be told: it took another way
 * than its form leads, somebody has yet to be picked, or the form is not the reader's to know of.
 */
export async function aheadOf(tx: Db, { state, version }: Stored, reader: Reader): Promise<string[] | null> {
  if (isOver(state) || reader.formClosed) return null;
  const applicant = (await peopleById(tx, [state.creator])).get(state.creator)?.username;
  if (applicant === undefined) return null;
  const { definition, workflow_id } = version;
  const way = { workflow_id, definition, applicant, values: state.form, choose: {}, decisions: {} };
  const walked = await simulate(tx, way).catch((stop: unknown) => {
    if (stop instanceof Refusal) return null;
    throw stop;
  });
  const here = new Set(state.tokens.flatMap((token) => (token.status === 'active' ? [token.state_id] : [])));
  const last = walked?.steps.findLastIndex((step) => here.has(step.state_id)) ?? -1;
  if (!walked || last < 0 || !walked.finishes) return null;
  const ahead = walked.steps.slice(last + 1).filter((step) => step.outcome !== 'skipped');
  const named = (id: number) => {
    const one = definition.states.find((each) => each.id === id)!;
    return asksPeople(one) || one.kind === 'end';
  };
  return [...new Set(ahead.filter((step) => named(step.state_id)).map((step) => step.state_name))];
}
