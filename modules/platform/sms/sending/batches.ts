import { cutTo } from '#kernel/contract/words/cut.ts';
import { eq, sql } from 'drizzle-orm';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { post } from '#modules/platform/deliveries/service.ts';
import { batchState, smsType } from '../contract/labels.ts';
import { erasedSince } from '../contract/refusals.ts';
import { maskedTail } from '../numbers.ts';
import { smsBatchTable, smsLogTable } from '../tables.ts';

/** One text to one number, ready to be stored and sent. */
export interface TextMessage {
  /** Sealed number, its hash and its last four digits. */
  mobile: string;
  mobile_mark: string;
  mobile_tail: string;
  name: string;
  user_id: number | null;
  alumnus_id: number | null;
  content: string;
  segments: number;
  params: Record<string, string>;
  secret?: string;
}

export interface BatchHead {
  senderId: number | null;
  deptId: number | null;
  templateId: number | null;
  content: string;
  type: number;
  sendAt: Date | null;
  module?: string;
  objectId?: number | null;
  /** Held until a second person releases it. */
  waits?: boolean;
}

/** Stores a batch and its messages; nothing is sent yet. */
export async function keepBatch(tx: Db, head: BatchHead, letters: readonly TextMessage[]): Promise<number> {
  const [batch] = await tx
    .insert(smsBatchTable)
    .values({
      sender_id: head.senderId,
      dept_id: head.deptId,
      template_id: head.templateId,
      content: head.content,
      type: head.type,
      total: letters.length,
      segments: letters.reduce((sum, textMessage) => sum + textMessage.segments, 0),
      send_at: head.sendAt && sql`${head.sendAt.toISOString()}::timestamptz`,
      ...(head.waits ? { state: batchState.waiting } : { state: batchState.released, released_at: sql`now()` }),
    })
    .returning({ id: smsBatchTable.id });
  const search = new Map<string, string>();
  const wordsOf = (textMessage: TextMessage) => {
    const key = `${textMessage.name}\n${textMessage.content}`;
    const known = search.get(key) ?? searchVector({ names: [textMessage.name], texts: [textMessage.content] });
    search.set(key, known);
    return known;
  };
  for (let at = 0; at < letters.length; at += 500)
    await tx
      .insert(smsLogTable)
      .values(
        letters.slice(at, at + 500).map((textMessage) => ({
          ...textMessage,
          name: cutTo(textMessage.name, 30),
          batch_id: batch!.id,
          template_id: head.templateId,
          type: head.type,
          module: head.module ?? '',
          object_id: head.objectId ?? null,
          sender_id: head.senderId,
          dept_id: head.deptId,
          search: wordsOf(textMessage),
        })),
      )
      .catch(refuseOn('sms_log_alumnus_id_alumnus_id_fk', () => erasedSince()));
  return batch!.id;
}

type Row = Pick<typeof smsLogTable.$inferSelect, 'id' | 'mobile_tail' | 'user_id' | 'module' | 'object_id' | 'type'>;

/** Posts a batch's messages, each under a key of its own. */
export async function release(tx: Db, batchId: number, at: Date | null): Promise<void> {
  const rows = await tx.select().from(smsLogTable).where(eq(smsLogTable.batch_id, batchId));
  for (let from = 0; from < rows.length; from += 500) await handOver(tx, rows.slice(from, from + 500), at);
}

/** `again` distinguishes a resent message from the first. */
export async function handOver(tx: Db, rows: readonly Row[], at: Date | null, again = 0): Promise<void> {
  const ids = await post(
    tx,
    rows.map((row) => ({
      channel: 'sms' as const,
      target: maskedTail(row.mobile_tail),
      title: row.type === smsType.code ? '短信验证码' : '短信',
      body: { log: row.id },
      key: `sms:${row.id}:${again}`,
      module: 'sms',
      objectId: row.id,
      urgent: row.type === smsType.code,
      ...(row.user_id ? { userId: row.user_id } : {}),
      ...(at ? { at } : {}),
    })),
  );
  await tx.execute(sql`
    update sms_log set delivery_id = given.delivery_id
    from unnest(${sql.param(rows.map((row) => row.id))}::int[], ${sql.param(ids)}::int[]) given(id, delivery_id)
    where sms_log.id = given.id`);
}

/** The name of a batch in the operation log: its text is only in the message log, for those who may read that. */
export const batchInLog = (id: number) => `第 ${id} 批短信`;
