import type { Change } from '#kernel/server/http/implement.ts';
import type { EditedField } from '../contract/files/edits.ts';
import { secretLevel } from '../contract/shapes.ts';
import { changeOf } from '../rules/facts.ts';
import type { Stored } from '../visibility/visibility.ts';

/** The operation log's entry of a change, with each field before and after. Of secret documents and unsent drafts, only the names of the fields. */
export function editOf(doc: Stored, edited: readonly EditedField[], did: string): Change {
  const hidden = doc.secret_level > secretLevel.none || doc.submitted_at === null;
  const said = (which: 'before' | 'after') => Object.fromEntries(edited.map((one) => [one.label, one[which]]));
  if (hidden || edited.length === 0)
    return changeOf(doc, {
      [did === '修改' ? did : '操作']: did === '修改' ? edited.map((one) => one.label).join('、') : did,
    });
  const change = changeOf(doc, { ...(did !== '修改' && { 操作: did }), ...said('after') });
  return { ...change, before: said('before') };
}
