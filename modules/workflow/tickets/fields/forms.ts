import { and, asc, eq, lte } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { valueWithin } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { formsWhenDecided, type FormsDecided } from '../engine/differing.ts';
import { sightOf, type Reader } from '../visibility/delegation.ts';
import type { Stored } from '../store/store.ts';
import { ticketLogTable } from '../tables/log.ts';

/** The form at each decision of a ticket that people made themselves; `walked` are rows not yet in its log. */
export async function formsDecided(
  tx: Db,
  ticket: number,
  walked: Parameters<typeof formsWhenDecided>[0] = [],
): Promise<FormsDecided> {
  const rows = await tx
    .select({ actor: ticketLogTable.actor_id, events: ticketLogTable.events })
    .from(ticketLogTable)
    .where(eq(ticketLogTable.ticket_id, ticket))
    .orderBy(asc(ticketLogTable.seq));
  return formsWhenDecided([...rows, ...walked]);
}

/** The form after each log row up to one, with the fields and columns the reader may see; by `seq`. */
export async function formsAt(tx: Db, stored: Stored, reader: Reader, last: number) {
  const { definition } = stored.version;
  const seen = sightOf(stored, reader);
  const fields = new Map(definition.fields.map((field) => [field.key, field]));
  const rows = await tx
    .select({ seq: ticketLogTable.seq, events: ticketLogTable.events })
    .from(ticketLogTable)
    .where(and(eq(ticketLogTable.ticket_id, stored.id), lte(ticketLogTable.seq, last)))
    .orderBy(asc(ticketLogTable.seq));
  const forms = new Map<number, Record<string, unknown>>();
  let form: Record<string, unknown> = {};
  for (const row of rows) {
    form = { ...form };
    for (const event of row.events) {
      if (event.type !== 'field_changed') continue;
      const [field, right] = [fields.get(event.key), seen.get(event.key)];
      if (field && right) form[event.key] = valueWithin(field, right.columns, event.to);
    }
    forms.set(row.seq, form);
  }
  return forms;
}
