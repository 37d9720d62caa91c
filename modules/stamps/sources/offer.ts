import { and, desc, eq } from 'drizzle-orm';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { fileCards } from '#modules/files/service.ts';
import { personWithRights, viewerOf } from '#modules/people/service/rights.ts';
import type { Stored } from '../application/record.ts';
import { applicationTable } from '../tables/application.ts';
import { stampable, type Offer } from './stampable.ts';

/** What the record behind an application offers to whoever applied; null where it does not stand any more, or there is none. */
export async function offerTo(
  tx: Db,
  { source_module, source_id, creator_id }: Pick<Stored, 'source_module' | 'source_id' | 'creator_id'>,
): Promise<Offer | null> {
  const person = source_id === null ? null : await personWithRights(tx, creator_id);
  if (source_id === null || !person) return null;
  return (await stampable(tx, source_module)?.offer(tx, viewerOf(person, 0), source_id)) ?? null;
}

/** What a record offers, for the form of an application, and who applied for it before. */
export async function sourceShown(tx: Db, user: Viewer, { module, id }: { module: string; id: number }) {
  const offer = (await stampable(tx, module)?.offer(tx, user, id)) ?? null;
  const files = offer ? await fileCards(tx, offer.files, user) : new Map<number, never>();
  const a = applicationTable;
  const applications = offer
    ? await tx
        .select({
          id: a.id,
          title: a.title,
          act_state: a.act_state,
          seal_status: a.seal_status,
          gmt_created: a.gmt_created,
        })
        .from(a)
        .where(and(eq(a.source_module, module), eq(a.source_id, id)))
        .orderBy(desc(a.id))
        .limit(20)
    : [];
  return {
    offer: offer && {
      title: offer.title,
      file_kind: offer.kind,
      copies: offer.copies,
      amount: offer.amount,
      receiver: offer.parties.join('、').slice(0, 100),
      files: offer.files.flatMap((file) => files.get(file) ?? []),
    },
    applications,
  };
}
