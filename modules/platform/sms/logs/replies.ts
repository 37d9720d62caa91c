import { randomBytes } from 'node:crypto';
import { sql } from 'drizzle-orm';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { ProtocolReply, type Context } from '#kernel/server/http/implement.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { replies, type Replies } from '../contract/replies.ts';
import { refusesMore } from '../engine/text.ts';
import { mobileOf } from '#kernel/contract/words/mobile.ts';
import { optOutByReply } from '../templates/optouts.ts';
import { rulesOf } from '../templates/rules.ts';
import type { SmsServices } from '../service.ts';
import { smsReplyKeyTable } from '../tables.ts';

const pathOf = (key: string) => `${replies.reply.path}?key=${key}`;

/** Neither provider signs forwarded replies, so the secret address is the proof. Null if no key was made, or none can be opened any more. */
async function keyOf(tx: Db, box: SecretBox): Promise<string | null> {
  const [row] = await tx.select().from(smsReplyKeyTable);
  try {
    return row ? box.open(row.key) : null;
  } catch {
    return null;
  }
}

/** The path to which providers forward replies, below our public address; empty until it is made. */
export async function replyPath(tx: Db, box: SecretBox): Promise<string> {
  const key = await keyOf(tx, box);
  return key === null ? '' : pathOf(key);
}

/** Makes a new address; the previous one is ignored from then on. */
export async function renewReplyKey(tx: Db, box: SecretBox, audit: Context['audit']): Promise<string> {
  const key = randomBytes(30).toString('base64url');
  const sealed = { key: box.seal(key), made_at: sql`now()` };
  await tx
    .insert(smsReplyKeyTable)
    .values({ id: 1, ...sealed })
    .onConflictDoUpdate({ target: smsReplyKeyTable.id, set: sealed });
  audit({ type: '短信回复接收地址', title: '生成新的接收地址，原地址失效' });
  return pathOf(key);
}

/** People's replies to our messages: an opt-out is recorded. The reply confirms the reception to either provider. */
export async function hear(
  tx: Db,
  key: string,
  received: Replies,
  { secretBox, settings }: SmsServices,
): Promise<ProtocolReply> {
  const known = await keyOf(tx, secretBox);
  if (known === null || secretBox.keyedHash(key) !== secretBox.keyedHash(known)) throw absent('该地址');
  const said = Array.isArray(received)
    ? received.map(({ phone_number, content }) => ({ number: phone_number, text: content }))
    : [{ number: received.mobile, text: received.text }];
  const { optOut } = await rulesOf(settings);
  for (const { number, text } of said) {
    const mobile = mobileOf(number);
    if (mobile && refusesMore(text, optOut)) await optOutByReply(tx, mobile, secretBox);
  }
  return new ProtocolReply(200, { json: { code: 0, msg: '接收成功', result: 0, errmsg: 'OK' } });
}
