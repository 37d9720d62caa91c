import { and, eq, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { quotaSpent } from '../contract/refusals.ts';
import { periodsOf, type SmsRules } from '../templates/rules.ts';
import { smsQuotaTable } from '../tables.ts';

/** The sender whose quota is charged. */
export interface Spender {
  senderId: number;
  deptId: number | null;
  /** The caller is another person, who approves. */
  other?: true;
}

interface Account {
  kind: 'sender' | 'dept';
  subjectId: number;
  since: string;
  limit: number;
  whose: string;
}

function accountsOf({ senderId, deptId, other }: Spender, rules: SmsRules, now: Date): Account[] {
  const { day, month } = periodsOf(now);
  const own: Account = {
    kind: 'sender',
    subjectId: senderId,
    since: day,
    limit: rules.dayQuota,
    whose: other ? '提交人今天的' : '您今天的',
  };
  if (deptId === null) return [own];
  return [
    own,
    {
      kind: 'dept',
      subjectId: deptId,
      since: month,
      limit: rules.monthQuota,
      whose: other ? '提交人部门本月的' : '本部门本月的',
    },
  ];
}

/** Segments that may still be sent: the smaller remainder of the sender's day and the department's month. */
export async function quotaLeft(tx: Db, spender: Spender, rules: SmsRules, now: Date): Promise<number> {
  const left = await Promise.all(
    accountsOf(spender, rules, now).map(async (account) => account.limit - (await usedOf(tx, account))),
  );
  return Math.max(0, Math.min(...left));
}

/**
 * Charges segments to both quotas, or refuses with `quotaSpent`. The counting statement locks its row until the end of the transaction and counts
 * only what fits, so concurrent senders never exceed it together.
 */
export async function spend(tx: Db, spender: Spender, segments: number, rules: SmsRules, now: Date): Promise<void> {
  for (const account of accountsOf(spender, rules, now)) {
    const { kind, subjectId, since, limit, whose } = account;
    const { rowCount } =
      segments > limit
        ? { rowCount: 0 }
        : await tx.execute(sql`
            insert into sms_quota as q (kind, subject_id, since, used) values (${kind}, ${subjectId}, ${since}, ${segments})
            on conflict (kind, subject_id, since) do update set used = q.used + excluded.used
            where q.used + excluded.used <= ${limit}`);
    if (!rowCount) throw quotaSpent(whose, segments, Math.max(0, limit - (await usedOf(tx, account))));
  }
}

/** Refunds unused segments to both quotas of the time they were charged. */
export async function giveBack(
  tx: Db,
  spender: Spender,
  segments: number,
  rules: SmsRules,
  taken: Date,
): Promise<void> {
  for (const { kind, subjectId, since } of accountsOf(spender, rules, taken))
    await tx
      .update(smsQuotaTable)
      .set({ used: sql`greatest(${smsQuotaTable.used} - ${segments}, 0)` })
      .where(
        and(eq(smsQuotaTable.kind, kind), eq(smsQuotaTable.subject_id, subjectId), eq(smsQuotaTable.since, since)),
      );
}

async function usedOf(tx: Db, { kind, subjectId, since }: Account): Promise<number> {
  const [row] = await tx
    .select({ used: smsQuotaTable.used })
    .from(smsQuotaTable)
    .where(
      sql`${smsQuotaTable.kind} = ${kind} and ${smsQuotaTable.subject_id} = ${subjectId} and ${smsQuotaTable.since} = ${since}`,
    );
  return row?.used ?? 0;
}
