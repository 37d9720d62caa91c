import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Turn } from '#modules/workflow/tickets/service.ts';
import { actState, attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { givesOut } from '../engine/flow.ts';
import { documentTable } from '../tables.ts';
import type { Stored } from '../visibility/visibility.ts';
import { hashOfBody } from './signing.ts';

/**
 * Whether after a turn a document may be given out before its end: signed as it stands and numbered it came to where its flow says so,
 * or went on from there by consents alone.
 */
export function issuedAfter(doc: Stored, { state, definition, log }: Turn): boolean {
  const leaves = doc.doc_number !== '' && doc.body_sha256 === hashOfBody(doc);
  if (!leaves || state.deleted || state.act_state !== actState.ongoing) return false;
  const stands = new Set(state.tokens.filter((one) => one.status !== 'done').map((one) => one.state_id));
  if (definition.states.some((one) => stands.has(one.id) && givesOut(one))) return true;
  const consents = new Set(
    definition.transitions.filter((way) => way.attribute === attributeType.agree).map((way) => way.id),
  );
  const onward = log.every((one) => one.to_state_id === one.from_state_id || consents.has(one.transition_id ?? 0));
  return doc.issued && onward;
}

/** Whether people have it in hand as it stands: what is on its paper is not changed any more. */
export const isGiven = ({ issued, given_at }: Pick<Stored, 'issued' | 'given_at'>): boolean =>
  issued && given_at !== null;

/** Writes down that a document was given out, the first time it is. */
export async function noteGiven(tx: Db, id: number, now: Date): Promise<void> {
  const first = and(eq(documentTable.id, id), isNull(documentTable.given_at));
  await tx.update(documentTable).set({ given_at: now.toISOString() }).where(first);
}
