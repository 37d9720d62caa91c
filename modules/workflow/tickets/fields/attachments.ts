import { invalid, type FieldError } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { notAttachable } from '#modules/platform/files/contract.ts';
import { detachAll, filesById, give } from '#modules/platform/files/service.ts';
import { fieldType, isFileType } from '#modules/workflow/workflows/engine/codes.ts';
import type { Definition, Field } from '#modules/workflow/workflows/engine/definition.ts';
import { within } from '#modules/workflow/workflows/engine/fields/rights.ts';
import type { TicketState } from '../engine/state.ts';
import { loggedFiles } from '../store/signatures.ts';
import { sightOf } from '../visibility/delegation.ts';
import { load } from '../store/store.ts';
import { readerOfOne } from '../records/closed.ts';
import { ticketViewerFor } from '../visibility/viewer.ts';
import { opensTo } from '../visibility/visibility.ts';

type Form = TicketState['form'];

/** Ids of the files in a field, including those in the rows of a table. */
export function filesIn(field: Field, value: unknown): number[] {
  if (!Array.isArray(value)) return [];
  if (isFileType(field.type)) return value as number[];
  if (field.type !== fieldType.table) return [];
  const columns = field.columns.filter((column) => isFileType(column.type));
  return value.flatMap((row: Record<string, unknown>) =>
    columns.flatMap((column) => (row[column.key] as number[] | undefined) ?? []),
  );
}

/** Ids of those that must be pictures. */
function picturesIn(field: Field, form: Form): number[] {
  const columns = field.columns.filter((column) => column.type !== fieldType.file);
  return field.type === fieldType.file ? [] : filesIn({ ...field, columns }, form[field.key]);
}

/**
 * Attaches to a ticket the uploads its form names now and detaches those it no longer names. A file may stand in one place of the form only:
 * otherwise somebody who writes a field could make a hidden file visible. Throws `invalid` at the fields.
 */
export async function settleFiles(
  tx: Db,
  definition: Definition,
  forms: { before: Form; after: Form },
  held: { recordId: number; user: { id: number } },
): Promise<void> {
  const record = { module: 'tickets', ...held };
  const had = new Set(definition.fields.flatMap((field) => filesIn(field, forms.before[field.key])));
  const named = definition.fields.flatMap((field) =>
    filesIn(field, forms.after[field.key]).map((fileId) => ({ field, fileId })),
  );
  const times = Map.groupBy(named, (one) => one.fileId);
  const fresh = named.some((one) => !had.has(one.fileId));
  const signed = fresh ? await loggedFiles(tx, held.recordId) : new Set<number>();
  const once = (fileId: number) => times.get(fileId)!.length === 1 && !signed.has(fileId);
  const coming = [...times.keys()].filter((fileId) => once(fileId) && !had.has(fileId));
  const refused = new Set(await give(tx, { ...record, fileIds: coming }));
  const pictured = named.filter(
    ({ field, fileId }) => coming.includes(fileId) && picturesIn(field, forms.after).includes(fileId),
  );
  const there = await filesById(
    tx,
    pictured.map(({ fileId }) => fileId),
  );
  const unpictured = (fileId: number) => {
    const file = there.get(fileId);
    return file !== undefined && !file.mime.startsWith('image/') && `“${file.name}”不是图片，请上传图片`;
  };
  const errors: FieldError[] = [];
  for (const { field, fileId } of named) {
    const msg = once(fileId)
      ? refused.has(fileId)
        ? notAttachable().message
        : unpictured(fileId)
      : '同一个附件只能放在一处，请重新上传';
    if (msg && !errors.some((error) => error.field === field.key))
      errors.push({ field: field.key, label: field.name, msg });
  }
  if (errors.length > 0) throw invalid(errors);
  await detachAll(tx, { ...record, fileIds: [...had].filter((fileId) => !times.has(fileId)) });
}

/** True if a person may see a file of a ticket: they see the ticket, and a field or log row that holds the file. */
export async function seesFile(tx: Db, user: Viewer, file: { id: number; recordId: string }): Promise<boolean> {
  const viewer = await ticketViewerFor(tx, user, undefined);
  const stored = await load(tx, Number(file.recordId), opensTo(viewer), false);
  if (!stored) return false;
  const { state, version } = stored;
  if ((await loggedFiles(tx, stored.id)).has(file.id)) return true;
  const seen = sightOf(stored, await readerOfOne(tx, viewer, stored));
  return version.definition.fields.some((field) => {
    const right = seen.get(field.key);
    return right && filesIn(within(field, right.columns), state.form[field.key]).includes(file.id);
  });
}
