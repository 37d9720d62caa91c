import { createHash } from 'node:crypto';
import type { Db } from '#kernel/server/db/db.ts';
import { namesFor } from '../store/names.ts';
import { fieldAccess } from '#modules/workflows/engine/codes.ts';
import { canonical } from '../store/chain.ts';
import { formChanged, type FormChange } from '../contract/refusals.ts';
import { shownValue, namedIn, visibleFields } from '../engine/fields.ts';
import { sameValue } from '../engine/form/values.ts';
import type { TicketState } from '../engine/state.ts';
import { formsAt } from '../fields/forms.ts';
import { lookedAt, type Reader } from './delegation.ts';
import type { Stored } from '../store/store.ts';

type Form = TicketState['form'];

/** SHA-256 of what a reader sees of a ticket's form now, hexadecimal. */
export function seenHash(stored: Stored, reader: Reader): string {
  return hashOf(stored.state.form, keysSeen(stored, reader));
}

function keysSeen(stored: Stored, reader: Reader): string[] {
  const access = visibleFields(stored.version.definition, lookedAt(stored, reader), reader.id);
  return [...access].flatMap(([key, right]) => (right === fieldAccess.hidden ? [] : key)).toSorted();
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
  const changed = version.definition.fields.flatMap((field) => {
    const [was, is] = [before[field.key], state.form[field.key]];
    return keys.includes(field.key) && !sameValue(was, is) ? [{ field, was, is }] : [];
  });
  const named = changed.flatMap(({ field, was, is }) => [...namedIn(field, was), ...namedIn(field, is)]);
  const names = await namesFor(tx, named);
  return changed.map(({ field, was, is }) => ({
    field_key: field.key,
    field_name: field.name,
    before: shownValue(field, was, names),
    after: shownValue(field, is, names),
  }));
}
