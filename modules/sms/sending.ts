import { and, eq, sql } from 'drizzle-orm';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db.ts';
import type { Context } from '#kernel/server/implement.ts';
import { pageOf } from '#kernel/server/paging.ts';
import { within } from '#kernel/server/scope.ts';
import { scopeOf, type Viewer } from '#kernel/server/viewer.ts';
import { peopleById } from '#modules/people/service.ts';
import { keepBatch, release, type Letter } from './batches.ts';
import { confirmFrom } from './contract/labels.ts';
import { confirmGone, nobodyToText, secondPerson } from './contract/refusals.ts';
import type { sending } from './contract/sending.ts';
import { spend } from './quota.ts';
import { recipientsOf } from './recipients.ts';
import { afterQuiet, rulesOf } from './rules.ts';
import type { SmsServices } from './service.ts';
import { smsBatchTable, smsLogTable } from './tables.ts';
import { addressed, wordingOf } from './wording.ts';

type Audit = Context['audit'];
interface By {
  user: Viewer;
  now: Date;
  audit: Audit;
}
const skippedShown = 500;

/** Sends to a selection; more than 200 numbers wait for a second person and take no quota yet. */
export async function send(tx: Db, { user, now, audit }: By, body: BodyOf<typeof sending.send>, services: SmsServices) {
  const { secretBox, settings } = services;
  const rules = await rulesOf(settings);
  const wording = await wordingOf(tx, body, rules);
  const { total, valid, left } = await recipientsOf(tx, user, body, secretBox);
  if (valid.length === 0) throw nobodyToText(total);
  const letters = valid.map((to): Letter => {
    const { text: content, segments, params } = addressed(wording, to, rules);
    return {
      mobile: secretBox.seal(to.mobile),
      mobileMark: to.mark,
      mobileTail: to.mobile.slice(-4),
      name: to.name,
      userId: to.userId,
      alumnusId: to.alumnusId,
      content,
      segments,
      params,
    };
  });
  const segments = letters.reduce((sum, letter) => sum + letter.segments, 0);
  const wanted = body.send_at ? momentOf(body.send_at) : null;
  const waits = letters.length > confirmFrom;
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
    title: wording.content.slice(0, 50),
    after: { 内容: wording.content, 号码数: letters.length, 条数: segments, 状态: waits ? '待复核' : '已提交' },
  });
  return {
    batch_id: batchId,
    total: letters.length,
    segments,
    skipped: left.slice(0, skippedShown).map(({ name, mobile, reason }) => ({ name, mobile, reason })),
    send_at: waits ? null : sendAt && momentText(sendAt),
    confirm_token: waits ? tokenOf(batchId, services) : null,
  };
}

/** Releases what somebody else asked to send. The sender's quota pays; whoever opted out since is dropped on the way. */
export async function confirm(tx: Db, { user, now, audit }: By, token: string, services: SmsServices) {
  const id = Number(/^(\d{1,10})\./.exec(token)?.[1] ?? 0);
  if (tokenOf(id, services) !== token) throw confirmGone();
  const batch = await batchToEnd(tx, user, id);
  if (batch.senderId === user.id) throw secondPerson();
  const rules = await rulesOf(services.settings);
  await spend(tx, { senderId: batch.senderId!, deptId: batch.deptId }, batch.segments, rules, now);
  const sendAt = leaving(batch.sendAt ? momentOf(batch.sendAt) : null, now, batch.type, rules.quiet);
  await tx.update(smsBatchTable).set({ state: 1, releasedBy: user.id }).where(eq(smsBatchTable.id, id));
  await release(tx, id, sendAt);
  audit({ type: '短信', id, title: batch.content.slice(0, 50), before: { 状态: '待复核' }, after: { 状态: '已提交' } });
  return {
    batch_id: id,
    total: batch.total,
    segments: batch.segments,
    skipped: [],
    send_at: sendAt && momentText(sendAt),
    confirm_token: null,
  };
}

export async function withdraw(tx: Db, { user, audit }: By, id: number) {
  const batch = await batchToEnd(tx, user, id);
  await tx.update(smsBatchTable).set({ state: 2 }).where(eq(smsBatchTable.id, id));
  await tx.update(smsLogTable).set({ state: 4 }).where(eq(smsLogTable.batchId, id));
  audit({ type: '短信', id, title: batch.content.slice(0, 50), before: { 状态: '待复核' }, after: { 状态: '已撤销' } });
  return { id };
}

async function batchToEnd(tx: Db, user: Viewer, id: number) {
  const [batch] = await tx
    .select()
    .from(smsBatchTable)
    .where(and(eq(smsBatchTable.id, id), batchesWithin(user)))
    .for('update');
  if (!batch) throw absent('该批短信');
  if (batch.state !== 0) throw confirmGone();
  return batch;
}

/** What waits for a second person. */
export async function waiting(tx: Db, user: Viewer, query: QueryOf<typeof sending.waiting>, services: SmsServices) {
  const select = tx
    .select()
    .from(smsBatchTable)
    .where(
      and(
        eq(smsBatchTable.state, 0),
        batchesWithin(user),
        query.search_value ? sql`strpos(${smsBatchTable.content}, ${query.search_value}) > 0` : undefined,
      ),
    );
  const page = await pageOf(tx, query, select.$dynamic(), {
    by: { gmt_created: smsBatchTable.created },
    first: 'gmt_created',
    descending: true,
    tie: smsBatchTable.id,
  });
  const senders = await peopleById(
    tx,
    page.value.flatMap((row) => row.senderId ?? []),
  );
  return {
    ...page,
    value: page.value.map((row) => ({
      id: row.id,
      content: row.content,
      sender_name: senders.get(row.senderId ?? 0)?.alias ?? '',
      total: row.total,
      segments: row.segments,
      send_at: row.sendAt,
      gmt_created: row.created,
      confirm_token: row.senderId === user.id ? null : tokenOf(row.id, services),
      actions: row.senderId === user.id ? ['withdraw'] : ['confirm', 'withdraw'],
    })),
  };
}

const batchesWithin = (user: Viewer) =>
  within(scopeOf(user, 'Create', 'sms/send'), smsBatchTable.deptId, eq(smsBatchTable.senderId, user.id));

/** When a message of a type leaves: verification codes and alarms at any hour; null: at once. */
function leaving(wanted: Date | null, now: Date, type: number, quiet: { from: number; to: number }): Date | null {
  const at = wanted && wanted > now ? wanted : now;
  const free = type === 2 ? afterQuiet(at, quiet) : at;
  return free > now ? free : null;
}

/** Says that somebody who saw the waiting batch lets it go; of no use to its sender. */
const tokenOf = (id: number, { secretBox }: SmsServices) => `${id}.${secretBox.mark(`sms batch ${id}`).slice(0, 32)}`;
