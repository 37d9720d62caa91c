import type { z } from 'zod';
import type { FixValue } from '../contract/layout.ts';
import { textOf } from '#kernel/server/text/rich-text.ts';
import { blocksOf, wordsOf } from '#modules/platform/typesetting/service.ts';
import { error, mendable, type Checked, type Found, type Mendable, type Value } from './found.ts';
import { docType } from '../contract/shapes.ts';
import { levelChecks } from './levels.ts';
import { attachmentChecks, closingChecks, partyChecks, titleChecks, wordingChecks } from './parts.ts';
import { spellingChecks } from './spelling.ts';

const checks = [titleChecks, partyChecks, wordingChecks, levelChecks, spellingChecks, attachmentChecks, closingChecks];
const numberForm = /^\p{Script=Han}[^\s〔〕]*〔\d{4}〕[1-9]\d*号$/u;
/** Numbers of orders continue from year to year and have no agency code. */
const numberOfOrder = new RegExp(`^第[1-9]\\d*号$|${numberForm.source}`, 'u');
type Fixed = z.output<typeof FixValue>;
/** Findings of one kind that are listed individually. */
const mostOfAKind = 20;

const isMendable = (field: string): field is Mendable => Object.hasOwn(mendable, field);
const valueOf = (doc: Checked, field: Mendable): Value => doc[mendable[field]];

/** Errors and unusual points of a document by GB/T 9704—2012, with automatic fixes where possible. Pure. */
export function checksOf(doc: Checked): Found[] {
  const read = {
    ...doc,
    paragraphs: blocksOf(doc.body_html).flatMap((block) => (block.kind === 'paragraph' ? wordsOf(block) : [])),
    lines: textOf(doc.body_html).split('\n'),
  };
  const found = checks.flatMap((check) => [...check(read)]);
  const ownForm = doc.doc_type === docType.order ? numberOfOrder : numberForm;
  if (doc.doc_number && !ownForm.test(doc.doc_number))
    found.unshift(
      error(
        'number_form',
        ['发文字号', 'doc_number'],
        `发文字号应写作“${doc.doc_type === docType.order ? '第1号' : '机关代字〔年份〕序号号'}”，现为“${doc.doc_number}”`,
      ),
    );
  found.push(...doc.unprintable.map(({ field, label, msg }) => error('no_face', [label, field], msg)));
  return abridged(found);
}

/** The first findings of each kind; the last of them gives the number of those left out. */
function abridged(found: readonly Found[]): Found[] {
  const counts = new Map<string, number>();
  const kept = found.filter(({ code }) => {
    const before = counts.get(code) ?? 0;
    counts.set(code, before + 1);
    return before < mostOfAKind;
  });
  const last = new Map(kept.map((one, index) => [one.code, index]));
  return kept.map((one, index) => {
    const more = counts.get(one.code)! - mostOfAKind;
    return more > 0 && last.get(one.code) === index ? { ...one, msg: `${one.msg}；这样的还有 ${more} 处` } : one;
  });
}

/** The corrected value of each field with automatic fixes, each kind of finding applied once. */
export function fixesOf(doc: Checked, found: readonly Found[]): Record<string, Fixed> {
  const fixes: Record<string, Value> = {};
  const mended = new Set<string>();
  for (const { code, field, mend } of found) {
    const kind = `${code} ${field}`;
    if (!mend || !isMendable(field) || mended.has(kind)) continue;
    mended.add(kind);
    fixes[field] = mend(field in fixes ? fixes[field]! : valueOf(doc, field));
  }
  return fixes as Record<string, Fixed>;
}
