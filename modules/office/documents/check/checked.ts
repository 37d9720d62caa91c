import { houseNow } from '#kernel/server/process/clock.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { readSettings } from '#modules/platform/settings/service.ts';
import { askingWords } from '../rules/meaning.ts';
import { unprintableIn } from '../rules/printing.ts';
import { subordinatesAmong } from '../rules/subordinates.ts';
import { directionOf } from '../rules/rules.ts';
import type { Stored } from '../visibility/visibility.ts';
import type { Checked } from './found.ts';
import { checksOf } from './check.ts';
import { colophonOf } from '../typeset/colophon.ts';
import { givenNames } from '../typeset/gathering.ts';

/** The input of the checker for a stored document. */
export async function checkedOf(tx: Db, doc: Stored, now = houseNow()): Promise<Checked> {
  const { print_org, print_date } = await colophonOf(tx, doc, dayOf(now));
  return {
    ...doc,
    print_org,
    print_date,
    bodyIsFile: doc.body_file !== null,
    attachments: await givenNames(tx, doc),
    upward: directionOf(doc, await subordinatesAmong(tx, doc)) === 1,
    hasIssuer: doc.issuer !== null,
    signed: doc.body_sha256 !== null,
    unprintable: await unprintableIn(tx, doc),
    asking: await askingWords(tx, doc),
    today: dayOf(now),
  };
}

/** Refuses a document with layout errors, if the site requires the check. Throws `invalid`. */
export async function refuseWrongLayout(tx: Db, doc: Stored): Promise<void> {
  if (!(await readSettings(tx, 'site')).value.check_layout) return;
  const errors = checksOf(await checkedOf(tx, doc)).filter((one) => one.severity === 'error');
  if (errors.length > 0) throw invalid(errors.map(({ field, place, msg }) => ({ field, label: place, msg })));
}
