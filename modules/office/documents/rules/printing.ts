import { textOf } from '#kernel/server/text/rich-text.ts';
import type { FieldError } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { unprintable, type Printed } from '#modules/platform/typesetting/service.ts';
import { bodiesOf } from '../bodies/known.ts';
import { fieldTitles } from '../contract/shapes.ts';
import { attachmentNames } from '../typeset/gathering.ts';
import type { Stored } from '../visibility/visibility.ts';
import { receiving } from './rules.ts';

const single = [
  'title',
  'doc_number',
  'secret_period',
  'issue_org',
  'annotation',
  'contact_name',
  'contact_phone',
  'print_org',
] as const;

/** The way of a body that is set as our own text. */
const asText = 1;

/** Characters of an outgoing letter that no font has, by field and row. Received letters are printed by their sender. */
export async function unprintableIn(tx: Db, doc: Stored): Promise<FieldError[]> {
  if (doc.doc_kind === receiving) return [];
  const titleOf = (field: string) => fieldTitles[field] ?? '发文字号';
  const rows = (field: string, texts: readonly string[]): Printed[] =>
    texts.map((text, at) => ({ field, label: `${titleOf(field)}第 ${at + 1} 项`, text }));
  const { issuer, body_file: file } = doc;
  const read = file === null ? undefined : (await bodiesOf(tx, [file])).get(file);
  // Pages from a file have their own fonts.
  const body = file === null ? textOf(doc.body_html) : read?.way === asText ? read.words : '';
  const signer = issuer === null ? '' : ((await peopleById(tx, [issuer])).get(issuer)?.alias ?? '');
  return unprintable([
    ...single.map((field) => ({ field, label: titleOf(field), text: doc[field] })),
    ...rows('joint_orgs', doc.joint_orgs),
    { field: 'issuer', label: titleOf('issuer'), text: signer },
    ...rows('joint_issuers', doc.joint_issuers),
    ...(['main_send', 'copy_send'] as const).flatMap((field) =>
      rows(
        field,
        doc[field].map((one) => one.name),
      ),
    ),
    {
      field: file === null ? 'body_html' : 'body_file',
      label: titleOf(file === null ? 'body_html' : 'body_file'),
      text: body,
    },
    ...rows('attachments', await attachmentNames(tx, doc)),
  ]);
}
