import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { confirmFrom } from '../contract/labels.ts';
import type { Counted, Selection } from '../contract/sending.ts';
import { saidAlready } from './consent.ts';
import { quotaLeft } from './quota.ts';
import { recipientsOf, type Reason } from './recipients.ts';
import { rulesOf } from '../templates/rules.ts';
import type { SmsServices } from '../service.ts';
import { addressedWithin, wordingOf } from './wording.ts';

/** The effect of a selection before it is sent. Without a text only the recipients are counted. */
export async function countOf(
  tx: Db,
  user: Viewer,
  chosen: Selection,
  { secretBox, settings }: SmsServices,
  now: Date,
): Promise<Counted> {
  const rules = await rulesOf(settings);
  const { total, valid, left } = await recipientsOf(tx, user, chosen, secretBox);
  const worded = chosen.template_id || chosen.content ? await wordingOf(tx, chosen, rules) : null;
  const texts = worded ? valid.map((to) => addressedWithin(worded, to, rules)) : [];
  const sample = worded && (texts[0] ?? addressedWithin(worded, { name: '', alumnusId: null }, rules));
  const said = worded ? await saidAlready(tx, user.id, worded.content) : 0;
  const because = (why: Reason) => left.filter((one) => one.why === why).length;
  return {
    total,
    valid: valid.length,
    invalid: because('invalid'),
    duplicate: because('duplicate'),
    blacklist: because('blacklist'),
    no_consent: because('no_consent'),
    busy: because('busy'),
    segments_each: texts.reduce((max, { segments }) => Math.max(max, segments), sample?.segments ?? 0),
    segments_total: texts.reduce((sum, { segments }) => sum + segments, 0),
    quota_left: await quotaLeft(tx, { senderId: user.id, deptId: user.depts[0] ?? null }, rules, now),
    said_today: said,
    needs_confirm: valid.length + said > confirmFrom,
    preview: sample?.text ?? '',
  };
}
