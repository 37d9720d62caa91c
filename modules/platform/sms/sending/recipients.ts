import { inArray, sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import {
  alumniOptedOut,
  alumniToText,
  alumniWithoutConsent,
  countAlumniToText,
} from '#modules/platform/alumni/service.ts';
import { peopleIn } from '#modules/platform/people/service/audience.ts';
import { phonesFor } from '#modules/platform/people/service/phones.ts';
import type { Selection } from '../contract/sending.ts';
import { maxRecipients, perNumberDaily, smsState, smsType } from '../contract/labels.ts';
import { tooManyNumbers } from '../contract/refusals.ts';
import { mobileOf } from '#kernel/contract/words/mobile.ts';
import { maskedNumber, typedNumbers } from '../numbers.ts';
import { smsLogTable, smsOptOutTable } from '../tables.ts';

export interface Recipient {
  mobile: string;
  mark: string;
  name: string;
  userId: number | null;
  alumnusId: number | null;
}
export type Reason = 'invalid' | 'duplicate' | 'blacklist' | 'no_consent' | 'busy';
export interface Left {
  name: string;
  mobile: string;
  why: Reason;
  reason: string;
}
export interface Sorted {
  total: number;
  valid: Recipient[];
  left: Left[];
}

interface Candidate {
  name: string;
  typed: string | null;
  userId?: number;
  alumnusId?: number;
  /** The reason for leaving it out, known before the number is examined. */
  no?: { why: Reason; reason: string };
}

const page = 'sms/send';

/** All recipients of a selection, each number once: people first, then alumni, then typed numbers. */
export async function recipientsOf(tx: Db, user: Viewer, chosen: Selection, box: SecretBox): Promise<Sorted> {
  const named = await people(tx, user, chosen);
  const texted = await alumni(tx, user, chosen, box);
  const typed = typedNumbers(chosen.mobiles).map((one): Candidate => ({ name: '', typed: one }));
  const candidates = [...named, ...texted, ...typed];
  if (texted.length > maxRecipients) {
    const all = await countAlumniToText(tx, user, meantOf(chosen));
    throw tooManyNumbers(named.length + all + typed.length, maxRecipients);
  }
  if (candidates.length > maxRecipients) throw tooManyNumbers(candidates.length, maxRecipients);
  return sorted(tx, candidates, box);
}

async function people(tx: Db, user: Viewer, { recipients }: Selection): Promise<Candidate[]> {
  if (!recipients) return [];
  const found = await phonesFor(tx, user, 'Create', page, await peopleIn(tx, recipients));
  return found.map(({ id, alias, phone, reached }) => ({
    name: alias,
    typed: phone,
    userId: id,
    ...(reached ? {} : { no: { why: 'invalid' as const, reason: '不在您的数据范围内' } }),
  }));
}

const meantOf = (chosen: Selection) => ({ ids: chosen.alumnus_ids ?? [], filter: chosen.alumnus_filter });

async function alumni(tx: Db, user: Viewer, chosen: Selection, box: SecretBox): Promise<Candidate[]> {
  const found = await alumniToText(tx, user, meantOf(chosen), maxRecipients + 1);
  return found.map(({ id, name, mobile, agrees, optedOut }) => ({
    name,
    typed: mobile && box.open(mobile),
    alumnusId: id,
    ...(agrees
      ? {}
      : {
          no: optedOut
            ? { why: 'blacklist' as const, reason: '已退订' }
            : { why: 'no_consent' as const, reason: '未同意接收短信' },
        }),
  }));
}

async function sorted(tx: Db, candidates: readonly Candidate[], box: SecretBox): Promise<Sorted> {
  const marked = candidates.map((one) => {
    const mobile = one.typed === null ? null : mobileOf(one.typed);
    return { ...one, mobile, mark: mobile && box.keyedHash(mobile) };
  });
  const marks = [...new Set(marked.flatMap(({ mark }) => mark ?? []))];
  const refused = await optedOut(tx, marks);
  const busy = await muchTold(tx, marks);
  // A typed number may be an alumnus's, who is treated as if chosen.
  const typedIn = marked.filter((one) => one.userId === undefined && one.alumnusId === undefined);
  const unasked = await withoutConsent(
    tx,
    typedIn.flatMap((one) => one.mark ?? []),
  );
  const seen = new Set<string>();
  const valid: Recipient[] = [];
  const left: Left[] = [];
  for (const { name, typed, mobile, mark, userId = null, alumnusId = null, no } of marked) {
    const skip = (why: Reason, reason: string) =>
      void left.push({ name, mobile: typed === null ? '' : maskedNumber(typed), why, reason });
    if (no) skip(no.why, no.reason);
    else if (mobile === null || mark === null) skip('invalid', typed === null ? '没有手机号' : '不是 11 位手机号');
    else if (seen.has(mark)) skip('duplicate', '号码重复');
    else if (refused.has(mark)) skip('blacklist', '已退订');
    else if (userId === null && alumnusId === null && unasked.has(mark)) skip('no_consent', '未同意接收短信');
    else if (busy.has(mark)) skip('busy', `今天已收到 ${perNumberDaily} 条`);
    else {
      seen.add(mark);
      valid.push({ mobile, mark, name, userId, alumnusId });
    }
  }
  return { total: marked.length, valid, left };
}

/** Those of the numbers that opted out: on the organisation's list, or as an alumnus. */
export async function optedOut(tx: Db, marks: readonly string[]): Promise<Set<string>> {
  if (marks.length === 0) return new Set();
  const rows = await tx
    .select({ mark: smsOptOutTable.mobile_mark })
    .from(smsOptOutTable)
    .where(inArray(smsOptOutTable.mobile_mark, [...marks]));
  return new Set([...rows.map(({ mark }) => mark), ...(await alumniOptedOut(tx, marks))]);
}

async function withoutConsent(tx: Db, marks: readonly string[]): Promise<Set<string>> {
  return new Set(marks.length === 0 ? [] : await alumniWithoutConsent(tx, marks));
}

async function muchTold(tx: Db, marks: readonly string[]): Promise<Set<string>> {
  if (marks.length === 0) return new Set();
  const rows = await tx
    .select({ mark: smsLogTable.mobile_mark })
    .from(smsLogTable)
    .where(
      sql`${inArray(smsLogTable.mobile_mark, [...marks])} and ${smsLogTable.type} <> ${inSql(smsType.code)} and ${smsLogTable.state} < ${inSql(smsState.failed)}
        and ${smsLogTable.gmt_created} >= date_trunc('day', now())`,
    )
    .groupBy(smsLogTable.mobile_mark)
    .having(sql`count(*) >= ${perNumberDaily}`);
  return new Set(rows.map(({ mark }) => mark));
}
