import { eq, sql } from 'drizzle-orm';
import { afterQuiet } from '#kernel/server/text/quiet.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { dayMs, momentOf, momentText } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { batchState, smsState, smsType } from '../contract/labels.ts';
import { batchInLog, keepBatch, release, type TextMessage } from './batches.ts';
import { waitsForSecond } from './consent.ts';
import { confirmGone, leavingLate, leavingPast, nobodyToText, secondPerson } from '../contract/refusals.ts';
import type { sending } from '../contract/sending.ts';
import { spend } from './quota.ts';
import { recipientsOf } from './recipients.ts';
import { rulesOf, type SmsRules } from '../templates/rules.ts';
import type { SmsServices } from '../service.ts';
import { smsBatchTable } from '../tables.ts';
import { batchOf, tokenOf } from './withdrawing.ts';
import { addressedWithin, wordingOf } from './wording.ts';

type Audit = Context['audit'];
interface By {
  user: Viewer;
  now: Date;
  audit: Audit;
}
const skippedShown = 500;
const longestAheadMs = 366 * dayMs;

/** Sends to a selection; the same text to more than 200 numbers within a day waits for approval and charges no quota yet. */
export async function send(tx: Db, { user, now, audit }: By, body: BodyOf<typeof sending.send>, services: SmsServices) {
  const { secretBox, settings } = services;
  const rules = await rulesOf(settings);
  const wording = await wordingOf(tx, body, rules);
  const { total, valid, left } = await recipientsOf(tx, user, body, secretBox);
  if (valid.length === 0) throw nobodyToText(total);
  const letters = valid.map((to): TextMessage => {
    const { text: content, segments, params } = addressedWithin(wording, to, rules);
    return {
      mobile: secretBox.seal(to.mobile),
      mobile_mark: to.mark,
      mobile_tail: to.mobile.slice(-4),
      name: to.name,
      user_id: to.userId,
      alumnus_id: to.alumnusId,
      content,
      segments,
      params,
    };
  });
  const segments = letters.reduce((sum, textMessage) => sum + textMessage.segments, 0);
  const wanted = body.send_at ? momentOf(body.send_at) : null;
  if (wanted && wanted < now) throw leavingPast(body.send_at!.slice(0, 16));
  if (wanted && wanted.getTime() - now.getTime() > longestAheadMs) throw leavingLate(body.send_at!.slice(0, 16));
  const told = { senderId: user.id, content: wording.content, numbers: letters.length };
  const waits = await waitsForSecond(tx, told);
  const spender = { senderId: user.id, deptId: user.depts[0] ?? null };
  const sendAt = leaving(wanted, now, wording.type, rules.quiet);
  if (!waits) await spend(tx, spender, segments, rules, now);
  const batchId = await keepBatch(
    tx,
    {
      ...spender,
      templateId: wording.template?.id ?? null,
      content: wording.content,
      type: wording.type,
      sendAt: waits ? wanted : sendAt,
      module: 'sms',
      waits,
    },
    letters,
  );
  if (!waits) await release(tx, batchId, sendAt);
  audit({
    type: '短信',
    id: batchId,
    title: batchInLog(batchId),
    after: {
      模板: wording.template?.name ?? '',
      号码数: letters.length,
      条数: segments,
      状态: waits ? '待复核' : '已提交',
    },
  });
  return {
    batch_id: batchId,
    total: letters.length,
    segments,
    skipped: left.slice(0, skippedShown).map(({ name, mobile, reason }) => ({ name, mobile, reason })),
    skipped_total: left.length,
    send_at: waits ? null : sendAt && momentText(sendAt),
    confirm_token: waits ? tokenOf(batchId, services) : null,
  };
}

/** Releases somebody else's batch. The sender's quota is charged; people who opted out since are left out. */
export async function confirm(tx: Db, { user, now, audit }: By, token: string, services: SmsServices) {
  const id = Number(/^(\d{1,10})\./.exec(token)?.[1] ?? 0);
  if (tokenOf(id, services) !== token) throw confirmGone();
  const batch = await batchOf(tx, user, id);
  if (batch.state !== batchState.waiting) throw confirmGone();
  if (batch.sender_id === user.id) throw secondPerson();
  const rules = await rulesOf(services.settings);
  await spend(tx, { senderId: batch.sender_id!, deptId: batch.dept_id, other: true }, batch.segments, rules, now);
  const sendAt = leaving(batch.send_at ? momentOf(batch.send_at) : null, now, batch.type, rules.quiet);
  await tx
    .update(smsBatchTable)
    .set({
      state: smsState.sent,
      released_by: user.id,
      released_at: sql`now()`,
      send_at: sendAt && sql`${sendAt.toISOString()}::timestamptz`,
    })
    .where(eq(smsBatchTable.id, id));
  await release(tx, id, sendAt);
  audit({ type: '短信', id, title: batchInLog(id), before: { 状态: '待复核' }, after: { 状态: '已提交' } });
  return {
    batch_id: id,
    total: batch.total,
    segments: batch.segments,
    skipped: [],
    skipped_total: 0,
    send_at: sendAt && momentText(sendAt),
    confirm_token: null,
  };
}

/** The sending time of a message of a type: verification codes and alarms at any hour; null: at once. */
export function leaving(wanted: Date | null, now: Date, type: number, quiet: SmsRules['quiet']): Date | null {
  const at = wanted && wanted > now ? wanted : now;
  const free = type === smsType.notice ? afterQuiet(at, ...quiet) : at;
  return free > now ? free : null;
}
