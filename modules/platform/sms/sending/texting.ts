import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { phonesOf } from '#modules/platform/people/service/phones.ts';
import { mobileOf } from '#kernel/contract/words/mobile.ts';
import { smsType } from '../contract/labels.ts';
import type { SmsServices } from '../service.ts';
import { rulesOf } from '../templates/rules.ts';
import { keepBatch, release, type TextMessage } from './batches.ts';
import { waitsForSecond } from './consent.ts';
import { spend } from './quota.ts';
import { optedOut } from './recipients.ts';
import { leaving } from './sending.ts';
import { addressedWithin, wordingOf } from './wording.ts';

/** Messages from somebody to colleagues, each with a text of its own. */
export interface Texting {
  by: { user: Viewer; now: Date };
  module: string;
  letters: readonly { to: number; text: string }[];
  /** Only returns what would be sent. */
  preview: boolean;
}
interface Texted {
  count: number;
  segments: number;
  failed: { name: string; reason: string }[];
}

/** Sends to people from the sender's quota, in the caller's transaction; more than 200 wait for approval. */
export async function textEach(
  tx: Db,
  { by, module, letters, preview }: Texting,
  services: SmsServices,
): Promise<Texted> {
  const { secretBox, settings } = services;
  const rules = await rulesOf(settings);
  const people = new Map((await phonesOf(tx, [...new Set(letters.map((one) => one.to))])).map((one) => [one.id, one]));
  const numbered = [...people.values()].map(({ id, phone }) => [id, phone ? mobileOf(phone) : null] as const);
  const numbers = new Map(
    numbered.flatMap(([id, mobile]) => (mobile ? [[id, { mobile, mark: secretBox.keyedHash(mobile) }] as const] : [])),
  );
  const refused = await optedOut(
    tx,
    [...numbers.values()].map((one) => one.mark),
  );
  const failed = new Map<number, { name: string; reason: string }>();
  const kept: TextMessage[] = [];
  for (const { to, text } of letters) {
    const name = people.get(to)?.alias ?? '';
    const number = numbers.get(to);
    if (!number || refused.has(number.mark)) failed.set(to, { name, reason: number ? '已退订' : '没有手机号' });
    else {
      const wording = await wordingOf(tx, { content: text }, rules);
      const { text: content, segments, params } = addressedWithin(wording, { name, alumnusId: null }, rules);
      const { mobile, mark } = number;
      const head = { mobile: secretBox.seal(mobile), mobile_mark: mark, mobile_tail: mobile.slice(-4), name };
      kept.push({ ...head, user_id: to, alumnus_id: null, content, segments, params });
    }
  }
  const segments = kept.reduce((sum, one) => sum + one.segments, 0);
  const answer = { count: kept.length, segments, failed: [...failed.values()] };
  if (preview || kept.length === 0) return answer;
  const spender = { senderId: by.user.id, deptId: by.user.depts[0] ?? null };
  const { content } = kept[0]!;
  const waits = await waitsForSecond(tx, { senderId: by.user.id, content, numbers: kept.length });
  const sendAt = leaving(null, by.now, 2, rules.quiet);
  if (!waits) await spend(tx, spender, segments, rules, by.now);
  const batch = await keepBatch(
    tx,
    { ...spender, templateId: null, content, type: smsType.notice, sendAt: waits ? null : sendAt, module, waits },
    kept,
  );
  if (!waits) await release(tx, batch, sendAt);
  return answer;
}
