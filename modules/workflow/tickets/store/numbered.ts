import type { Db } from '#kernel/server/db/db.ts';
import { numberLast } from '#kernel/server/db/numbering.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { repacked } from '#modules/platform/deliveries/service.ts';
import { reworded } from '#modules/platform/messages/service.ts';
import { aboutTickets } from '../notify/kinds.ts';
import { ticketTable } from '../tables.ts';
import type { Outcome } from './outcome-parts.ts';
import type { NewTicket } from './store.ts';

/** The search words of a ticket's row. */
export const searchOf = ({ state, creatorName }: Pick<Outcome, 'state' | 'creatorName'>, sn: string) =>
  searchVector({ texts: [state.title], names: [creatorName], codes: [sn] });

/** `BX202611200007`: prefix, period and a counter that restarts with each period. Also replaces the placeholder in earlier messages. */
export function numbered(tx: Db, id: number, { version, day, prefix: before }: NewTicket, outcome: Outcome): string {
  const { prefix, digits, period } = version.definition.settings.number_rule;
  const about = { module: aboutTickets, objectId: id };
  return numberLast(tx, {
    prefix: before + prefix,
    period: day.replaceAll('-', '').slice(0, { day: 8, month: 6, year: 4 }[period]),
    digits,
    table: ticketTable,
    search: (sn) => searchOf(outcome, sn),
    also: (word, sn) => [reworded(about, word, sn), repacked(about, word, sn)],
  });
}
