import { eq } from 'drizzle-orm';
import { searchVector } from '#kernel/server/list/search.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { attachAll, copyFiles } from '#modules/platform/files/service.ts';
import { ticketCard } from '#modules/workflow/tickets/service.ts';
import { applicationTable } from '../tables/application.ts';
import { pictureTable, useTable } from '../tables/ledger.ts';

export type UseRow = typeof useTable.$inferSelect;
export type Picture = Pick<typeof pictureTable.$inferInsert, 'kind' | 'line_id' | 'custody_id'>;

/** The owner module of seals' pictures in `files`. */
export const pictureModule = 'stamp_pictures';
/** The owner key of a picture in `files`: `line:12`, `custody:3`, `stamp:1` for its imprint. */
export const holderOf = ({ line_id, custody_id }: Picture) => (line_id ? `line:${line_id}` : `custody:${custody_id}`);

/** Attaches uploaded pictures to a line or a custody event. */
export async function keepPictures(tx: Db, user: { id: number }, of: Picture, fileIds: readonly number[]) {
  if (fileIds.length === 0) return;
  await attachAll(tx, { fileIds, module: pictureModule, recordId: holderOf(of), user });
  await tx.insert(pictureTable).values(fileIds.map((file_id) => ({ ...of, file_id, user_id: user.id })));
}

/** Attaches the pictures of one act to each of its lines, as each has its own row in the ledger. */
export async function keepPicturesOf(
  tx: Db,
  user: { id: number },
  kind: number,
  lines: readonly { id: number }[],
  fileIds: readonly number[],
) {
  for (const [at, { id }] of lines.entries()) {
    const own = at === 0 ? fileIds : await copyFiles(tx, { fileIds, module: pictureModule, user });
    await keepPictures(tx, user, { kind, line_id: id }, own);
  }
}

/** Writes a sealing into the ledger, for seals of two people once it is confirmed. Returns its id. */
export async function recordUse(tx: Db, use: Omit<typeof useTable.$inferInsert, 'search' | 'sn'>): Promise<number> {
  const { id, ticket_id } = applicationTable;
  const [of] = await tx.select({ ticket_id }).from(applicationTable).where(eq(id, use.application_id));
  const sn = (of?.ticket_id && (await ticketCard(tx, [of.ticket_id])).get(of.ticket_id)?.sn) || '';
  const search = searchVector({ codes: [sn], texts: [use.file_name, use.receiver ?? ''] });
  const [row] = await tx
    .insert(useTable)
    .values({ ...use, sn, search })
    .returning({ id: useTable.id });
  return row!.id;
}
