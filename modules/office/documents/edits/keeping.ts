import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#kernel/server/db/db.ts';
import { linesOf } from '#kernel/server/text/rich-text.ts';
import { filesById } from '#modules/platform/files/service.ts';
import { isWithAuthor } from '#modules/workflow/records/service.ts';
import { standsIn } from '#modules/workflow/tickets/service.ts';
import { bodiesOf } from '../bodies/known.ts';
import type { EditedField } from '../contract/files/edits.ts';
import { fieldTitles, type DocumentFields } from '../contract/shapes.ts';
import { stateName } from '../rules/standing.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentEditTable } from '../tables/edits.ts';
import { excerpts } from './excerpt.ts';
import { worded } from './wording.ts';

type Key = keyof DocumentFields;
const ofBody: readonly Key[] = ['body_html', 'body_file'];
const keys = Object.keys(fieldTitles) as Key[];
const valueOf = (doc: Stored, key: Key): unknown => doc[key === 'due_at' ? 'due_asked' : key];

/** The text of a body or of its file; the file's name if it is unread. */
async function bodyWords(tx: Db, docs: readonly Stored[]): Promise<string[]> {
  const ids = docs.flatMap((doc) => doc.body_file ?? []);
  const [read, files] = [await bodiesOf(tx, ids), await filesById(tx, ids)];
  return docs.map(({ body_file, body_html }) =>
    body_file === null ? linesOf(body_html) : (read.get(body_file)?.words ?? files.get(body_file)?.name ?? ''),
  );
}

/** The changed fields of a document, in words. */
async function editedFields(tx: Db, before: Stored, after: Stored): Promise<EditedField[]> {
  const changed = keys.filter((key) => !isDeepStrictEqual(valueOf(before, key), valueOf(after, key)));
  const fields: EditedField[] = [];
  for (const key of changed.filter((one) => !ofBody.includes(one)))
    fields.push({
      field: key,
      label: fieldTitles[key] ?? key,
      before: await worded(tx, key, valueOf(before, key)),
      after: await worded(tx, key, valueOf(after, key)),
    });
  if (changed.some((key) => ofBody.includes(key))) {
    const [was = '', is = ''] = await bodyWords(tx, [before, after]);
    const words = was === is ? { before: '', after: '文字没有改动，只改了格式' } : excerpts(was, is);
    fields.push({ field: 'body_html', label: '正文', ...words });
  }
  return fields;
}

const longestState = 100;
async function whereItStands(tx: Db, doc: Stored): Promise<string> {
  if (isWithAuthor(doc) || doc.ticket_id === null) return stateName(doc);
  const names = (await standsIn(tx, doc.ticket_id)).map((state) => state.name);
  return (names.join('、') || stateName(doc)).slice(0, longestState);
}

/**
 * Keeps the former values of a changed document, with the author and time of the change. Returns the changed fields; keeps nothing if there
 * are none.
 */
export async function keepEdit(
  tx: Db,
  { before, after, user, why = '' }: { before: Stored; after: Stored; user: { id: number }; why?: string },
): Promise<EditedField[]> {
  const fields = await editedFields(tx, before, after);
  if (fields.length === 0) return fields;
  if (why !== '') fields.push({ field: 'reason', label: '理由', before: '', after: why });
  const body = fields.some((one) => one.field === 'body_html');
  await tx.insert(documentEditTable).values({
    document_id: after.id,
    editor_id: user.id,
    sent_at: before.submitted_at,
    state: await whereItStands(tx, before),
    fields,
    ...(body && { body_html: before.body_html, body_file: before.body_file }),
  });
  return fields;
}
