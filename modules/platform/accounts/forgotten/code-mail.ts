import { randomUUID } from 'node:crypto';
import type { Db } from '#kernel/server/db/db.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import type { Services } from '#kernel/server/services.ts';
import { hiddenCode, post } from '#modules/platform/deliveries/service.ts';
import { codeSeconds } from '../sign-in/phone-code.ts';

const purposes = { forgot: '找回密码', mail: '验证邮箱' };

interface CodeByMail {
  to: string;
  code: string;
  scene: keyof typeof purposes;
  /** False if nobody may receive it: the same work is done, but nothing is sent. */
  reachable: boolean;
}

/** Hands a code over to be mailed; its plain text is stored nowhere. */
export async function mailCode(
  tx: Db,
  { to, code, scene, reachable }: CodeByMail,
  { settings, secretBox }: Pick<Services, 'settings' | 'secretBox'>,
): Promise<void> {
  const { name } = await settings.get('site');
  const text = `验证码 ${hiddenCode}，用于${purposes[scene]}，${codeSeconds / 60} 分钟内有效。\n\n不要把验证码告诉任何人。如非本人操作，不必理会这封邮件。\n\n${name}`;
  const until = Math.ceil(houseNow().getTime() / 1000) + codeSeconds;
  const body = { text, secret: secretBox.seal(reachable ? code : ''), until };
  const key = `code:${randomUUID()}`;
  const title = `${name}：${purposes[scene]}的验证码`;
  await post(tx, [{ channel: 'mail', target: to, title, body, key, module: 'accounts', urgent: true }]);
}
