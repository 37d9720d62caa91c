import { timingSafeEqual } from 'node:crypto';
import { eq } from 'drizzle-orm';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Services } from '#kernel/server/services.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { isEmpty } from '#modules/workflow/workflows/engine/condition.ts';
import { fieldAccess } from '#modules/workflow/workflows/engine/codes.ts';
import { stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { lackingCell, rightIn } from '#modules/workflow/workflows/engine/fields/rights.ts';
import { rowsIn } from '#modules/workflow/workflows/engine/fields/table-rows.ts';
import { statesToPick } from '#modules/workflow/workflows/engine/picks.ts';
import type { NoticeWay } from '#modules/workflow/workflows/service.ts';
import type { Seen } from '../commands/commands.ts';
import { needsSignature } from '../engine/ways/buttons.ts';
import { ticketCardTable } from '../tables/card.ts';
import { offersTo, type OwnedOffer } from '../visibility/delegation.ts';

/** Hours in which a card may be used to decide; as long as the other platforms let it be updated. */
export const cardHours = 72;

export type Card = typeof ticketCardTable.$inferSelect;

/** The text that a card's address signs: its person, its task, and the form that was seen. */
export const signsOf = ({ id, ticket_id, task_no, user_id, notice_id, seen_hash }: Omit<Card, 'delivery_id'>) =>
  `ticket card ${[id, ticket_id, task_no, user_id, notice_id, seen_hash].join(' ')}`;

/** The card of an address; null if we did not sign it, whether or not such a card exists. */
export async function cardBehind(
  tx: Db,
  { secretBox }: Pick<Services, 'secretBox'>,
  { id, sign }: { id: number; sign: string },
): Promise<Card | null> {
  const [card] = await tx.select().from(ticketCardTable).where(eq(ticketCardTable.id, id));
  const wanted = Buffer.from(secretBox.keyedHash(card ? signsOf(card) : ''));
  const given = Buffer.from(sign);
  return card && given.length === wanted.length && timingSafeEqual(given, wanted) ? card : null;
}

/** The person of a card, with the rights they have now, limited to that workflow. */
export async function cardViewer(
  tx: Db,
  user: number,
  { name }: Pick<NoticeWay, 'name'>,
  workflow: number,
): Promise<Viewer | null> {
  const person = await personWithRights(tx, user);
  if (!person?.active || person.mustChangePassword) return null;
  return viewerOf(person, 0, {
    id: 0,
    name: `${name}的卡片`,
    may: () => false,
    only: { workflows: [workflow] },
    numberPrefix: '',
    beginsFor: () => false,
  });
}

export type Choice = OwnedOffer & { transition: NonNullable<OwnedOffer['transition']>; task_no: number };

/**
 * The buttons a card may offer: only for a plain ticket, because nobody decides on a record without seeing its text; and only those that need no
 * signature, no choice of people and no fields.
 */
export function choicesOf(seen: Seen): Choice[] {
  const { record, version, state } = seen;
  if (record) return [];
  const { definition } = version;
  return offersTo(seen, seen.reader).flatMap((offer) => {
    const { transition, task_no, state_id } = offer;
    if (offer.action !== 'handle' || offer.from_admin || !transition || task_no === null || state_id === null)
      return [];
    const place = stateOf(definition, state_id);
    const unfilled = definition.fields.some((field) => {
      const value = state.form[field.key];
      const right = rightIn(place, field);
      return (right.access === fieldAccess.required && isEmpty(value)) || lackingCell(field, right, rowsIn(value));
    });
    const asksMore = needsSignature(definition, offer) || statesToPick(definition, place).length > 0;
    const more = asksMore || (unfilled && transition.field_require_check);
    return place.kind === 'start' || more ? [] : [{ ...offer, transition, task_no }];
  });
}
