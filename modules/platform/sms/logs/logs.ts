import { and, eq, gte, inArray, isNotNull, sql } from 'drizzle-orm';
import { afterQuiet } from '#kernel/server/text/quiet.ts';
import type { PermissionCode, QueryOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { within } from '#kernel/server/access/scope.ts';
import { matches } from '#kernel/server/list/search.ts';
import { holds, scopeOf, type Viewer } from '#kernel/server/access/viewer.ts';
import { alumnusAgrees } from '#modules/platform/alumni/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { saysOrShows } from '#modules/platform/people/service/words.ts';
import { smsState, smsType } from '../contract/labels.ts';
import { batchInLog, handOver } from '../sending/batches.ts';
import type { logs } from '../contract/logs.ts';
import { notFailed, notResendable } from '../contract/refusals.ts';
import { maskedTail } from '../numbers.ts';
import { forgotten } from './forgetting.ts';
import { spend } from '../sending/quota.ts';
import { toWithdraw } from '../sending/withdrawing.ts';
import { optedOut } from '../sending/recipients.ts';
import { rulesOf } from '../templates/rules.ts';
import type { SmsServices } from '../service.ts';
import { smsBatchTable, smsLogTable, smsTemplateTable } from '../tables.ts';

const page = 'sms/logs';

/** The messages a code reaches: those of the departments in its scope, and one's own. */
export const logsWithin = (user: Viewer, code: PermissionCode) =>
  within(scopeOf(user, code, page), smsLogTable.dept_id, eq(smsLogTable.sender_id, user.id));

const failed = (state: number) => state === smsState.failed || state === smsState.limited;

export async function listLogs(tx: Db, user: Viewer, query: QueryOf<typeof logs.logs>) {
  const select = tx
    .select({ row: smsLogTable, template_name: sql<string>`coalesce(${smsTemplateTable.name}, '')` })
    .from(smsLogTable)
    .leftJoin(smsTemplateTable, eq(smsTemplateTable.id, smsLogTable.template_id))
    .where(
      and(
        logsWithin(user, 'Retrieve'),
        saysOrShows(
          query.search_value,
          (word) => matches(smsLogTable.search, word),
          (ids) => sql`${smsLogTable.sender_id} in ${ids}`,
        ),
        query.state === undefined ? undefined : eq(smsLogTable.state, query.state),
        query.mobile ? eq(smsLogTable.mobile_tail, query.mobile) : undefined,
        query.module ? eq(smsLogTable.module, query.module) : undefined,
        query.sender ? eq(smsLogTable.sender_id, query.sender) : undefined,
        query.batch ? eq(smsLogTable.batch_id, query.batch) : undefined,
        query.start ? gte(smsLogTable.gmt_created, query.start) : undefined,
        query.end ? sql`${smsLogTable.gmt_created} < ${query.end}::date + 1` : undefined,
      ),
    );
  const found = await pageOf(tx, query, select.$dynamic(), {
    by: { gmt_created: smsLogTable.gmt_created },
    first: 'gmt_created',
    descending: true,
    tie: smsLogTable.id,
  });
  const rows = found.value.map(({ row }) => row);
  const people = await peopleById(
    tx,
    rows.flatMap((row) => row.sender_id ?? []),
  );
  const depts = await deptNamesById(
    tx,
    rows.flatMap((row) => row.dept_id ?? []),
  );
  const may = holds(user, 'chuli', page);
  const unsent = rows.filter((row) => row.state === smsState.waiting).map((row) => row.batch_id);
  const mine = await toWithdraw(tx, user, unsent);
  const value = found.value.map(({ row, template_name }) => ({
    id: row.id,
    batch_id: row.batch_id,
    gmt_created: row.gmt_created,
    name: row.name,
    mobile: maskedTail(row.mobile_tail),
    content: row.content,
    type: row.type,
    segments: row.segments,
    module: row.module,
    object_id: row.object_id,
    template_name,
    sender_name: people.get(row.sender_id ?? 0)?.alias ?? '系统',
    dept_name: depts.get(row.dept_id ?? 0) ?? '',
    state: row.state,
    provider_code: row.provider_code,
    provider_msg: row.provider_msg,
    receipt_time: row.receipt_time,
    retry: row.retry,
    actions: [
      ...(may && failed(row.state) && row.type !== smsType.code ? ['resend'] : []),
      ...(row.state === smsState.waiting && mine.has(row.batch_id) ? ['withdraw'] : []),
    ],
  }));
  return { ...found, value };
}

/** Names of the senders of the visible messages. */
export async function sendersOf(tx: Db, user: Viewer) {
  const { sender_id: senderId, dept_id: deptId } = smsBatchTable;
  const rows = await tx
    .selectDistinct({ id: senderId })
    .from(smsBatchTable)
    .where(and(isNotNull(senderId), within(scopeOf(user, 'Retrieve', page), deptId, eq(senderId, user.id))));
  const people = await peopleById(
    tx,
    rows.flatMap((row) => row.id ?? []),
  );
  return [...people.values()]
    .map(({ id, alias }) => ({ id, name: alias }))
    .toSorted((a, b) => a.name.localeCompare(b.name, 'zh'));
}

/** Resends failed messages: checks consent, quiet hours and, if a person had sent them, the quota anew. */
export async function resend(
  tx: Db,
  { user, now, audit }: Pick<Context, 'now' | 'audit'> & { user: Viewer },
  id: number,
  { settings }: SmsServices,
) {
  const [row] = await tx
    .select()
    .from(smsLogTable)
    .where(and(eq(smsLogTable.id, id), logsWithin(user, 'chuli')))
    .for('update');
  if (!row) throw absent('该短信');
  if (!failed(row.state)) throw notFailed(smsState.label(row.state));
  if (row.type === smsType.code) throw notResendable('验证码须由本人重新获取');
  if (row.mobile_tail === forgotten) throw notResendable('收件人的资料已删除');
  if (row.mobile === '') throw notResendable('会话密钥已更换，号码无法读取');
  if ((await optedOut(tx, [row.mobile_mark])).size > 0) throw notResendable('对方已退订');
  if (row.alumnus_id !== null && !(await alumnusAgrees(tx, row.alumnus_id)))
    throw notResendable('对方已退订或未同意接收短信');
  const rules = await rulesOf(settings);
  await spend(tx, { senderId: user.id, deptId: user.depts[0] ?? null }, row.segments, rules, now);
  const free = row.type === smsType.notice ? afterQuiet(now, ...rules.quiet) : now;
  await tx.update(smsLogTable).set({ again: true }).where(eq(smsLogTable.id, id));
  await handOver(tx, [row], free > now ? free : null, row.delivery_id ?? 0);
  audit({ type: '短信', id, title: batchInLog(row.batch_id), before: { 状态: smsState.label(row.state) } });
  return { id };
}

/** Deletes one portion of messages older than three years; returns true if more is left. */
export async function purgeOldLogs(tx: Db): Promise<boolean> {
  const old = tx
    .select({ id: smsLogTable.id })
    .from(smsLogTable)
    .where(sql`${smsLogTable.gmt_created} < now() - interval '3 years'`)
    .limit(1000);
  const gone = await tx.delete(smsLogTable).where(inArray(smsLogTable.id, old)).returning({ id: smsLogTable.id });
  return gone.length === 1000;
}
