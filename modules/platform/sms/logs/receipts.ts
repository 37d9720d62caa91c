import { cutTo } from '#kernel/contract/words/cut.ts';
import { and, eq, gt, inArray, ne, sql } from 'drizzle-orm';
import type { Logger } from 'pino';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Outgoing } from '#kernel/server/outside/outgoing.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import { smsState } from '../contract/labels.ts';
import { channelOf, channelsOf, type Channel } from '../sending/channels.ts';
import type { Receipt } from '../providers/provider.ts';
import type { SmsServices } from '../service.ts';
import { smsLogTable } from '../tables.ts';

export const receipts = 'sms receipts';
export const smsSchedules: Schedule[] = [{ task: receipts, cron: '* * * * *', catchUpHours: 1 }];

interface ReceiptServices extends SmsServices {
  databases: Pick<Databases, 'write'>;
  outgoing: Outgoing;
  log: Logger;
}

type TextMessage = typeof smsLogTable.$inferSelect;
const portion = 50;
const atOnce = 5;
/** The next minute's job continues. */
const portionsOfRun = 20;

/** Asks the providers for the results of accepted messages, until they reply or three days have passed. */
export function receiptTask(services: ReceiptServices): Task {
  return {
    name: receipts,
    title: '查询短信回执',
    async run() {
      const channels = await channelsOf(services);
      if (channels.length === 0) return;
      for (let turn = 0; turn < portionsOfRun; turn += 1) {
        const letters = await services.databases.write(takeUnconfirmed);
        const received: { textMessage: TextMessage; receipt: Receipt }[] = [];
        for (let at = 0; at < letters.length; at += atOnce)
          for (const answer of await Promise.all(
            letters.slice(at, at + atOnce).map((textMessage) => asked(services, channels, textMessage)),
          ))
            if (answer) received.push(answer);
        if (received.length > 0)
          await services.databases.write(async (tx) => {
            for (const { textMessage, receipt } of received)
              await tx.update(smsLogTable).set(columnsOf(receipt)).where(still(textMessage));
          });
        if (letters.length < portion) return;
      }
    },
  };
}

/** Takes the messages that are due, marked as asked: after a minute, and then each time after twice the previous interval. */
async function takeUnconfirmed(tx: Db): Promise<TextMessage[]> {
  const { id, state, mobile, sent_at: sent, receipt_asked_at: last, provider_code: providerCode } = smsLogTable;
  const due = sql`now() - coalesce(${last}, ${sent}) > greatest(${last} - ${sent}, interval '30 seconds')`;
  const turn = tx
    .select({ id })
    .from(smsLogTable)
    .where(
      and(
        eq(state, smsState.sent),
        ne(providerCode, ''),
        ne(mobile, ''),
        gt(sent, sql`now() - interval '3 days'`),
        due,
      ),
    )
    .orderBy(sent)
    .limit(portion)
    .for('update', { skipLocked: true });
  return tx
    .update(smsLogTable)
    .set({ receipt_asked_at: sql`now()` })
    .where(inArray(id, turn))
    .returning();
}

async function asked({ secretBox, log }: ReceiptServices, channels: readonly Channel[], textMessage: TextMessage) {
  try {
    const receipt = await channelOf(channels, textMessage.retry)!.provider.receipt({
      id: textMessage.provider_code,
      mobile: secretBox.open(textMessage.mobile),
      sent: textMessage.sent_at ?? textMessage.gmt_created,
    });
    return receipt && { textMessage, receipt };
  } catch (error) {
    log.warn({ err: error, sms: textMessage.id }, 'no receipt of a text message');
    return null;
  }
}

const columnsOf = ({ delivered, at, answer }: Receipt) => ({
  state: delivered ? smsState.delivered : smsState.failed,
  receipt_time: at || sql`now()`,
  ...(answer && { provider_msg: cutTo(answer, 300) }),
});

/** Not if it was resent meanwhile. */
const still = (textMessage: TextMessage) =>
  and(
    eq(smsLogTable.id, textMessage.id),
    eq(smsLogTable.state, smsState.sent),
    eq(smsLogTable.provider_code, textMessage.provider_code),
  );
