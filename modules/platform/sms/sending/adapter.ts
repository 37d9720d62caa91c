import { houseNow } from '#kernel/server/process/clock.ts';
import { eq, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import { z } from 'zod';
import { afterQuiet } from '#kernel/server/text/quiet.ts';
import { momentText } from '#kernel/contract/moment.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Outgoing } from '#kernel/server/outside/outgoing.ts';
import { alumnusAgrees } from '#modules/platform/alumni/service.ts';
import { hiddenCode, Later, Undeliverable, type ChannelAdapter } from '#modules/platform/deliveries/service.ts';
import { charactersIn } from '#kernel/contract/words/cut.ts';
import { smsState, smsType } from '../contract/labels.ts';
import { maskedNumber } from '../numbers.ts';
import { channelOf, channelsOf, type Channel } from './channels.ts';
import { Refused } from '../providers/provider.ts';
import { optedOut } from './recipients.ts';
import { rulesOf } from '../templates/rules.ts';
import type { SmsServices } from '../service.ts';
import { smsLogTable, smsTemplateTable } from '../tables.ts';

export interface AdapterServices extends SmsServices {
  databases: Pick<Databases, 'fresh' | 'write'>;
  outgoing: Outgoing;
  log: Logger;
}

/** After the first try a message is retried twice, each time by the next channel. */
const retries = 2;
const codeSeconds = 300;

type TextMessage = typeof smsLogTable.$inferSelect;

/** Sends a text message by the configured channels; without one it fails, with the reason. */
export function smsAdapter(services: AdapterServices): ChannelAdapter {
  const { databases, secretBox, log } = services;
  return {
    async send({ key, body }) {
      const { textMessage, template, age } = await textMessageOf(databases.fresh, body);
      const code = textMessage.secret === null ? null : secretBox.open(textMessage.secret);
      const no = await objection(databases.fresh, textMessage, code, age);
      if (no) {
        await databases.write((tx) =>
          tx.update(smsLogTable).set({ state: smsState.limited }).where(eq(smsLogTable.id, textMessage.id)),
        );
        throw new Undeliverable(no);
      }
      if (textMessage.type === smsType.notice) await notInQuietHours(services);
      const mobile = secretBox.open(textMessage.mobile);
      const channels = await channelsOf(services);
      const own = template !== '';
      const words = wordsOf(textMessage, own, code);
      const longest = Math.max(0, ...Object.values(words.params).map(charactersIn));
      const fit = channels.filter(({ mostInPlace }) => longest <= mostInPlace);
      const channel = channelOf(fit, textMessage.retry);
      if (channels.length > 0 && !channel) throw new Undeliverable(tooLongForAll(longest, channels));
      if (!channel) {
        log.warn({ phone: maskedNumber(mobile), sms: textMessage.id }, 'no provider of text messages is set');
        throw new Undeliverable('未设置短信服务商，没有发出');
      }
      try {
        const { id, answer } = await channel.provider.send({
          key,
          mobile,
          ...words,
          template: own ? template : channel.template,
        });
        return { providerId: id, answer };
      } catch (error) {
        if ((error instanceof Refused && error.hopeless) || textMessage.retry >= retries)
          throw new Undeliverable((error as Error).message, { cause: error });
        throw error;
      }
    },
  };
}

/** A text that no provider accepts is sent to none. */
const tooLongForAll = (longest: number, channels: readonly Channel[]) =>
  `短信一处有 ${longest} 个字，服务商一处最多 ${Math.max(...channels.map((one) => one.mostInPlace))} 个字，没有发出；请缩短后重发`;

/** Signature and values of the placeholders: those of the provider's own template, or the whole text as the one placeholder of a general template. */
function wordsOf(textMessage: TextMessage, own: boolean, code: string | null) {
  const [, sign = '', text = ''] = /^【([^】]*)】([^]*)$/.exec(textMessage.content) ?? [];
  const whole = { content: text.replace(hiddenCode, code ?? hiddenCode) };
  const places = code === null ? textMessage.params : { ...textMessage.params, code };
  return { sign, params: own ? places : whole };
}

/** Checked when it is sent: a delayed or retried message may become due in quiet hours. */
async function notInQuietHours({ settings }: SmsServices): Promise<void> {
  const now = houseNow();
  const free = afterQuiet(now, ...(await rulesOf(settings)).quiet);
  if (free > now) throw new Later(`免打扰时段，顺延到 ${momentText(free).slice(0, 16)}`, free);
}

const Body = z.object({ log: z.number().int() });

/** The message, the provider's template for it, and its age in seconds, by the clock that wrote it. */
async function textMessageOf(
  tx: Db,
  body: unknown,
): Promise<{ textMessage: TextMessage; template: string; age: number }> {
  const { data } = Body.safeParse(body);
  const [row] = await tx
    .select({
      textMessage: smsLogTable,
      template: smsTemplateTable.provider_template_id,
      age: sql<number>`extract(epoch from now() - ${smsLogTable.gmt_created})::float8`,
    })
    .from(smsLogTable)
    .leftJoin(smsTemplateTable, eq(smsTemplateTable.id, smsLogTable.template_id))
    .where(eq(smsLogTable.id, data?.log ?? 0));
  if (!row) throw new Undeliverable('短信记录已不存在');
  return { ...row, template: row.template ?? '' };
}

/** Why a message must not be sent any more, checked just before sending. */
async function objection(tx: Db, textMessage: TextMessage, code: string | null, age: number): Promise<string | null> {
  if (code === '') return '该号码不属于任何用户';
  if (code !== null) return age > codeSeconds ? '验证码已过期' : null;
  if ((await optedOut(tx, [textMessage.mobile_mark])).size > 0) return '对方已退订';
  if (textMessage.alumnus_id !== null && !(await alumnusAgrees(tx, textMessage.alumnus_id)))
    return '对方已退订或未同意接收短信';
  return null;
}
