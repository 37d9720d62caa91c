import { and, desc, eq, inArray } from 'drizzle-orm';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { fileCards, filesById } from '#modules/platform/files/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import type { Stored } from '../application/record.ts';
import { paperKind } from '../contract/codes.ts';
import { notOffered, sourceChanged } from '../contract/refusals.ts';
import { applicationFileTable, applicationTable } from '../tables/application.ts';
import { stampable, type Offer } from './stampable.ts';

/** The record of another module whose files are to be sealed. */
interface Source {
  module: string;
  id: number;
}

/** The offer of a record to a viewer; null if nothing of it can be sealed, or the viewer may not apply. */
export async function offerFor(tx: Db, viewer: Viewer, { module, id }: Source): Promise<Offer | null> {
  const source = stampable(tx, module);
  return source && (await source.mayAsk(tx, viewer, id)) ? source.approved(tx, id) : null;
}

/** The offer of the linked record to the applicant; null if the record no longer stands, or there is none. */
export async function offerTo(
  tx: Db,
  { source_module: module, source_id: id, creator_id }: Pick<Stored, 'source_module' | 'source_id' | 'creator_id'>,
): Promise<Offer | null> {
  const person = id === null ? null : await personWithRights(tx, creator_id);
  return id === null || !person ? null : offerFor(tx, viewerOf(person, 0), { module, id });
}

const receiverOf = ({ parties }: Offer) => parties.join('、').slice(0, 100);
/** The fields of an application that the record provides and nobody writes. */
export const givenBy = (offer: Offer) => ({
  title: offer.title,
  file_kind: offer.kind,
  amount: offer.amount,
  receiver: receiverOf(offer),
});

/** The first difference between an application and its record; null if there is none. */
async function differenceFrom(tx: Db, row: Stored, offer: Offer): Promise<string | null> {
  return saidOtherwise(row, offer) ?? ((await hasFilesOf(tx, row.id, offer)) ? null : '文件');
}
function saidOtherwise(row: Pick<Stored, 'title' | 'file_kind' | 'amount'>, offer: Offer): string | null {
  if (row.title !== offer.title) return '名称或编号';
  if (row.file_kind !== offer.kind) return '文件类型';
  return row.amount === offer.amount ? null : '金额';
}

/** True if the application's files equal the offered ones, byte by byte. */
export const hasFilesOf = async (tx: Db, application: number, offer: Offer): Promise<boolean> =>
  (await withFilesOf(tx, [application], offer)).has(application);

/** The ids of those applications whose files equal the offer. Two statements in all. */
async function withFilesOf(tx: Db, applications: readonly number[], offer: Offer): Promise<Set<number>> {
  const t = applicationFileTable;
  const held = await tx
    .select({ id: t.application_id, sha256: t.sha256 })
    .from(t)
    .where(and(inArray(t.application_id, [...applications]), eq(t.kind, paperKind.toSeal)));
  const sums = (files: readonly { sha256: string }[]) =>
    files
      .map((file) => file.sha256)
      .toSorted()
      .join(' ');
  const approved = sums([...(await filesById(tx, offer.files)).values()]);
  const of = Map.groupBy(held, (file) => file.id);
  return new Set(applications.filter((id) => sums(of.get(id) ?? []) === approved));
}

/** Refuses an application that differs from what its record has approved. `offer` is the record's present one. */
export async function requireSame(tx: Db, row: Stored, offer: Offer | null): Promise<void> {
  if (row.source_id === null) return;
  if (!offer) throw notOffered();
  const other = await differenceFrom(tx, row, offer);
  if (other) throw sourceChanged(row.title, other);
}

/** The present offer of the linked record, without checking rights. */
export const approvedFor = async (tx: Db, row: Stored): Promise<Offer | null> =>
  row.source_id === null ? null : ((await stampable(tx, row.source_module)?.approved(tx, row.source_id)) ?? null);

/** True if the application equals what its record has approved. */
export async function isApproved(tx: Db, row: Stored): Promise<boolean> {
  const offer = await approvedFor(tx, row);
  return offer !== null && (await differenceFrom(tx, row, offer)) === null;
}

/** A record's offer for the application form, and its previous applicants. */
export async function sourceShown(tx: Db, user: Viewer, { module, id }: Source) {
  const offer = await offerFor(tx, user, { module, id });
  const files = offer ? await fileCards(tx, offer.files, user) : new Map<number, never>();
  const a = applicationTable;
  const applications = offer
    ? await tx
        .select()
        .from(a)
        .where(and(eq(a.source_module, module), eq(a.source_id, id)))
        .orderBy(desc(a.id))
        .limit(20)
    : [];
  const ids = applications.map((row) => row.id);
  const same = offer ? await withFilesOf(tx, ids, offer) : new Set<number>();
  const shown = applications.map((row) => ({ ...row, same: same.has(row.id) && saidOtherwise(row, offer!) === null }));
  return {
    offer: offer && {
      ...givenBy(offer),
      copies: offer.copies,
      files: offer.files.flatMap((file) => files.get(file) ?? []),
    },
    applications: shown,
  };
}
