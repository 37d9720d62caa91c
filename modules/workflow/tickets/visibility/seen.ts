import { createHash } from 'node:crypto';
import type { Db } from '#kernel/server/db/db.ts';
import { namesFor, namesOf } from '../store/names.ts';
import { canonical } from '../store/chain.ts';
import { formChanged, type FormChange } from '../contract/refusals.ts';
import type { Detail } from '../contract/shapes.ts';
import { fieldAccess } from '#modules/workflow/workflows/engine/codes.ts';
import { fieldItem } from '#modules/workflow/workflows/engine/field-item.ts';
import { valueWithin } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { differing, isOfRecord, isWithRecord, lastDecision, withRecord } from '../engine/differing.ts';
import { shownValue, namedIn, type Sight } from '../engine/fields.ts';
import { dutiesOf, type TicketState } from '../engine/state.ts';
import { formsAt, formsDecided } from '../fields/forms.ts';
import { sightOf, type Reader } from './delegation.ts';
import { contentOf } from '../records/records.ts';
import type { Stored } from '../store/store.ts';

type Form = TicketState['form'];

/** SHA-256 of the part of a ticket's form that a reader sees now, hexadecimal. */
export function seenHash(stored: Stored, reader: Reader): string {
  return hashOf(stored, stored.state.form, sightOf(stored, reader));
}

/**
 * For a reader with an open task, what has changed since their last decision: the old values, with names of the people in them. Null if nothing waits
 * for them, or they have not decided anything themselves.
 */
export async function sinceDecided(tx: Db, stored: Stored, reader: Reader): Promise<Detail['since_decided']> {
  const { state, version } = stored;
  const last = dutiesOf(state, reader.id).length > 0 ? lastDecision(state, reader.id) : undefined;
  const form = last && (await formsDecided(tx, stored.id)).get(last.no);
  if (!form) return null;
  const now = isWithRecord(form) ? withRecord(state.form, await contentOf(tx, stored.record)) : state.form;
  const changed = differing(version.definition, sightOf(stored, reader), form, now);
  const named = changed.flatMap(({ field, was, is }) => [...namedIn(field, was), ...namedIn(field, is)]);
  const names = await namesFor(tx, named);
  const beside = changed.filter(({ field }) => isOfRecord(field.key));
  return {
    was: Object.fromEntries(changed.map(({ field, was }) => [field.key, was ?? null])),
    people: namesOf(named, names),
    ...(isWithRecord(form) && {
      record: beside.map(({ field, is }, index) => ({
        ...fieldItem(field, index + 1, readOnly, is ?? null, shownValue(field, is, names)),
        field_people: namesOf(namedIn(field, is), names),
      })),
    }),
  };
}

const readOnly = { access: fieldAccess.read, columns: new Map() };

function hashOf({ version: { definition } }: Stored, form: Form, seen: Sight): string {
  const shown = definition.fields.flatMap((field) => {
    const right = seen.get(field.key);
    return right ? [[field.key, valueWithin(field, right.columns, form[field.key] ?? null)] as const] : [];
  });
  return createHash('sha256')
    .update(canonical(shown.toSorted(([a], [b]) => (a < b ? -1 : 1))))
    .digest('hex');
}

/** Refuses to act on a form that has changed since it was seen, and reports the changes; `seen` is the hash it was read with. */
export async function refuseUnseen(
  tx: Db,
  stored: Stored,
  reader: Reader,
  seen: string,
  current: () => Promise<unknown>,
): Promise<void> {
  const sight = sightOf(stored, reader);
  if (hashOf(stored, stored.state.form, sight) === seen) return;
  const forms = await formsAt(tx, stored, reader, stored.state.seq);
  const before = [...forms.values()].findLast((form) => hashOf(stored, form, sight) === seen);
  const changes = before ? await changesSince(tx, stored, before, sight) : [];
  throw formChanged(changes, await current());
}

async function changesSince(tx: Db, { state, version }: Stored, before: Form, seen: Sight): Promise<FormChange[]> {
  const changed = differing(version.definition, seen, before, state.form);
  const named = changed.flatMap(({ field, was, is }) => [...namedIn(field, was), ...namedIn(field, is)]);
  const names = await namesFor(tx, named);
  return changed.map(({ field, was, is }) => ({
    field_key: field.key,
    field_name: field.name,
    before: shownValue(field, was, names),
    after: shownValue(field, is, names),
  }));
}
