import { createHash } from 'node:crypto';
import type { Db } from '#kernel/server/db/db.ts';
import { namesFor, namesOf } from '../store/names.ts';
import { canonical } from '../store/chain.ts';
import { formChanged, type FormChange } from '../contract/refusals.ts';
import type { Detail } from '../contract/shapes.ts';
import { differing, keysSeenBy, lastDecision } from '../engine/differing.ts';
import { shownValue, namedIn } from '../engine/fields.ts';
import { dutiesOf, type TicketState } from '../engine/state.ts';
import { formsAt, formsDecided } from '../fields/forms.ts';
import { lookedAt, type Reader } from './delegation.ts';
import type { Stored } from '../store/store.ts';

type Form = TicketState['form'];

/** SHA-256 of what a reader sees of a ticket's form now, hexadecimal. */
export function seenHash(stored: Stored, reader: Reader): string {
  return hashOf(stored.state.form, keysSeen(stored, reader));
}

function keysSeen(stored: Stored, reader: Reader): string[] {
  return [...keysSeenBy(stored.version.definition, lookedAt(stored, reader), reader.id)].toSorted();
}

/**
 * What a reader whom a ticket waits for sees of it otherwise than when they decided last: the values of then, with the names of people in
 * them. Null where nothing waits for them, or they have not decided anything by themselves.
 */
export async function sinceDecided(tx: Db, stored: Stored, reader: Reader): Promise<Detail['since_decided']> {
  const { state, version } = stored;
  const last = dutiesOf(state, reader.id).length > 0 ? lastDecision(state, reader.id) : undefined;
  const form = last && (await formsDecided(tx, stored.id)).get(last.no);
  if (!form) return null;
  const keys = keysSeenBy(version.definition, lookedAt(stored, reader), reader.id);
  const changed = differing(version.definition, keys, form, state.form);
  const named = changed.flatMap(({ field, was }) => namedIn(field, was));
  const names = await namesFor(tx, named);
  return {
    was: Object.fromEntries(changed.map(({ field, was }) => [field.key, was ?? null])),
    people: namesOf(named, names),
  };
}

function hashOf(form: Form, keys: readonly string[]): string {
  return createHash('sha256')
    .update(canonical(keys.map((key) => [key, form[key] ?? null])))
    .digest('hex');
}

/** Refuses to act on a form that has changed since it was seen, and says what of it has; `seen` is the hash it was read with. */
export async function refuseUnseen(
  tx: Db,
  stored: Stored,
  reader: Reader,
  seen: string,
  current: () => Promise<unknown>,
): Promise<void> {
  const keys = keysSeen(stored, reader);
  if (hashOf(stored.state.form, keys) === seen) return;
  const forms = await formsAt(tx, stored, reader, stored.state.seq);
  const before = [...forms.values()].findLast((form) => hashOf(form, keys) === seen);
  const changes = before ? await changesSince(tx, stored, before, keys) : [];
  throw formChanged(changes, await current());
}

async function changesSince(
  tx: Db,
  { state, version }: Stored,
  before: Form,
  keys: readonly string[],
): Promise<FormChange[]> {
  const changed = differing(version.definition, new Set(keys), before, state.form);
  const named = changed.flatMap(({ field, was, is }) => [...namedIn(field, was), ...namedIn(field, is)]);
  const names = await namesFor(tx, named);
  return changed.map(({ field, was, is }) => ({
    field_key: field.key,
    field_name: field.name,
    before: shownValue(field, was, names),
    after: shownValue(field, is, names),
  }));
}
