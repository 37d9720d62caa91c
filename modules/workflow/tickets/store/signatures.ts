import { invalid, Refusal } from '#kernel/contract/refusal.ts';
import { prepared, type Db } from '#kernel/server/db/db.ts';
import { attach, attachAll, fileCards } from '#modules/platform/files/service.ts';
import type { Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { needsSignature } from '../engine/ways/buttons.ts';
import type { Offer } from '../engine/ways/offers.ts';

interface Signing {
  /** The ticket, and the files in its form. */
  ticket: number;
  held: readonly number[];
  definition: Definition;
  offer: Offer | undefined;
  user: { id: number };
}

/** Files of the signatures and opinions in a ticket's log. */
export async function loggedFiles(tx: Db, ticket: number): Promise<Set<number>> {
  const rows = await prepared<{ id: number }>(tx, 'ticket-logged-files', loggedText, [ticket]);
  return new Set(rows.map((row) => row.id));
}
const loggedText = `select signature_file_id as id from ticket_log where ticket_id = $1 and signature_file_id is not null
  union all select f.file_id from ticket_log_file f join ticket_log g on g.id = f.log_id where g.ticket_id = $1`;

/**
 * Attaches the picture of a signature to a ticket if the state requires one; undefined otherwise. It must be a fresh upload of the signer: neither
 * another person's signature nor a file of the form. Throws `invalid` at `signature`.
 */
export async function takeSignature(tx: Db, signing: Signing, file: number | undefined): Promise<number | undefined> {
  const { ticket, held, definition, offer, user } = signing;
  if (!offer || !needsSignature(definition, offer)) return undefined;
  const refuse = (msg: string) => invalid([{ field: 'signature', label: '签名', msg }]);
  if (file === undefined) throw refuse(`“${offer.transition?.name ?? ''}”需要手写签名，请打开工单签名`);
  if (held.includes(file) || (await loggedFiles(tx, ticket)).has(file)) throw refuse('这个签名已经用过，请重新签名');
  await attach(tx, { fileId: file, module: 'tickets', recordId: ticket, user }).catch((error: unknown) => {
    throw error instanceof Refusal ? refuse(error.message) : error;
  });
  const card = (await fileCards(tx, [file], user)).get(file);
  if (!card?.mime.startsWith('image/')) throw refuse('签名不是图片，请重新签名');
  return file;
}

/**
 * Attaches the files of an opinion to a ticket. Each must be a fresh upload of the person who gives the opinion: neither a file of the form nor one of
 * another opinion, which others may not see. Throws `invalid` at `field`.
 */
export async function takeOpinionFiles(
  tx: Db,
  { ticket, held, user, field }: Pick<Signing, 'ticket' | 'held' | 'user'> & { field: string },
  files: readonly number[],
): Promise<void> {
  if (files.length === 0) return;
  const refuse = (msg: string) => invalid([{ field, label: '附件', msg }]);
  const logged = await loggedFiles(tx, ticket);
  if (new Set(files).size < files.length || files.some((file) => held.includes(file) || logged.has(file)))
    throw refuse('同一个附件只能放在一处，请重新上传');
  await attachAll(tx, { fileIds: files, module: 'tickets', recordId: ticket, user }).catch((error: unknown) => {
    throw error instanceof Refusal ? refuse(error.message) : error;
  });
}
