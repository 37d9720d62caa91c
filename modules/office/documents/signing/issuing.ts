import { and, eq, isNull } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Turn } from '#modules/workflow/tickets/service.ts';
import { actState, attributeType } from '#modules/workflow/workflows/engine/codes.ts';
import { givesOut } from '../engine/flow.ts';
import { documentTable } from '../tables.ts';
import type { Stored } from '../visibility/visibility.ts';
import { hashOfBody } from './signing.ts';

/**
 * True if a document may be distributed before its end: it is signed unchanged and numbered, and has reached the state that allows it, or
 * moved on from there by consents alone.
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

/** True if people have received it in its present state, so that its printed fields cannot change. */
export const isGiven = ({ issued, given_at }: Pick<Stored, 'issued' | 'given_at'>): boolean =>
  issued && given_at !== null;

/** Stores the time of the first distribution. */
export async function noteGiven(tx: Db, id: number, now: Date): Promise<void> {
  const first = and(eq(documentTable.id, id), isNull(documentTable.given_at));
  await tx.update(documentTable).set({ given_at: now.toISOString() }).where(first);
}
