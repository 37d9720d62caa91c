import type { Finding } from '../contract/layout.ts';
import { mendable, type Checked, type Found, type Mendable, type Value } from './check/found.ts';
import { levelChecks } from './check/levels.ts';
import { attachmentChecks, closingChecks, partyChecks, titleChecks, wordingChecks } from './check/parts.ts';
import { spellingChecks } from './check/spelling.ts';

const checks = [titleChecks, partyChecks, wordingChecks, spellingChecks, levelChecks, attachmentChecks, closingChecks];
const numberForm = /^\p{Script=Han}[^\s〔〕]*〔\d{4}〕[1-9]\d*号$/u;
type Fixed = NonNullable<Finding['fix']>['value'];

const isMendable = (field: string): field is Mendable => Object.hasOwn(mendable, field);
const valueOf = (doc: Checked, field: Mendable): Value => doc[mendable[field]];

/** What is wrong (error) or unusual (warning) with a document by GB/T 9704—2012, with a fix where a machine may mend it. Pure. */
export function checksOf(doc: Checked): Found[] {
  const found = checks.flatMap((check) => check(doc));
  if (doc.docNumber && !numberForm.test(doc.docNumber))
    found.unshift({
      code: 'number_form',
      severity: 'error',
      place: '发文字号',
      field: 'doc_number',
      msg: `发文字号应写作“机关代字〔年份〕序号号”，现为“${doc.docNumber}”`,
    });
  return found.map((one) => {
    if (!one.mend || !isMendable(one.field)) return one;
    const value = one.mend(valueOf(doc, one.field)) as Fixed;
    return { ...one, fix: { field: one.field, value } };
  });
}

/** All fixes applied one after the other: the value each field ought to have. */
export function fixesOf(doc: Checked, found: readonly Found[]): Record<string, Fixed> {
  const fixes: Record<string, Value> = {};
  for (const { field, mend } of found)
    if (mend && isMendable(field)) fixes[field] = mend(field in fixes ? fixes[field]! : valueOf(doc, field));
  return fixes as Record<string, Fixed>;
}
