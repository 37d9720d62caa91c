import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db.ts';
import { ProtocolReply } from '#kernel/server/implement.ts';
import type { SecretBox } from '#kernel/server/secret-box.ts';
import { replies, type Replies } from './contract/replies.ts';
import { refusesMore } from './engine/text.ts';
import { mobileOf } from './numbers.ts';
import { optOutByReply } from './optouts.ts';
import { rulesOf } from './rules.ts';
import type { SmsServices } from './service.ts';

/** Neither provider signs what it passes on: whoever knows the address is believed. */
const keyOf = (box: SecretBox) => box.mark('sms replies').slice(0, 40);

/** Where the providers are to pass replies on to, below the house's own address. */
export const replyPath = (box: SecretBox) => `${replies.reply.path}?key=${keyOf(box)}`;

/** Replies of people to what was sent to them: who wants no more gets no more. The answer says to either provider that it arrived. */
export async function hear(
  tx: Db,
  key: string,
  told: Replies,
  { secretBox, settings }: SmsServices,
): Promise<ProtocolReply> {
  if (secretBox.mark(key) !== secretBox.mark(keyOf(secretBox))) throw absent('该地址');
  const said = Array.isArray(told)
    ? told.map(({ phone_number, content }) => ({ number: phone_number, text: content }))
    : [{ number: told.mobile, text: told.text }];
  const { optOut } = await rulesOf(settings);
  for (const { number, text } of said) {
    const mobile = mobileOf(number);
    if (mobile && refusesMore(text, optOut)) await optOutByReply(tx, mobile, secretBox);
  }
  return new ProtocolReply(200, { json: { code: 0, msg: '接收成功', result: 0, errmsg: 'OK' } });
}
