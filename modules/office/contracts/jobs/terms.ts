import { and, asc, eq, gt, lt, ne } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { nature, renewal, stage } from '../contract/codes.ts';
import { termsUntil, type Term } from '../engine/terms.ts';
import { calledIn, contractNews, managers } from '../record/news.ts';
import { contracts, type Stored } from '../record/record.ts';
import { registerEvent } from '../register/events.ts';
import { agreedOf, writeTerm } from '../register/sign.ts';
import { contractTable, contractTermTable } from '../tables.ts';

/**
 * Applies the calendar to contracts: when a term is over, the contract is renewed or expires. Idempotent across calls, nodes and missed
 * days: each term begins once. Handles a portion in order of ids after `from`; returns the last id, null at the end.
 */
export async function turnTerms(tx: Db, now: Date, from = 0, portion = 500): Promise<number | null> {
  const today = dayOf(now);
  const { id, stage: at, term_end, nature: what } = contractTable;
  // A supplement has no term of its own; it ends with its contract.
  const over = and(eq(at, stage.running), ne(what, nature.supplement), lt(term_end, today), gt(id, from));
  const rows = await contracts.rows(tx, over).orderBy(asc(id)).limit(portion).for('no key update');
  for (const row of rows) {
    const terms = await termsOf(tx, row.id);
    const next = termsUntil(agreedOf(row), terms, today);
    const last = [...terms, ...next].at(-1)!;
    if (row.renewal === renewal.tacit && next.length > 0) await renew(tx, row, next);
    if (last.end !== null && last.end < today) await expire(tx, row, last.end);
  }
  return rows.length < portion ? null : rows.at(-1)!.id;
}

async function termsOf(tx: Db, contractId: number): Promise<Term[]> {
  const { contract_id, no, start_date, end_date, notice_date } = contractTermTable;
  return tx
    .select({ no, start: start_date, end: end_date, notice: notice_date })
    .from(contractTermTable)
    .where(eq(contract_id, contractId))
    .orderBy(asc(no));
}

const heard = (row: Stored) => [row.undertaker, managers];

async function renew(tx: Db, row: Stored, next: readonly Term[]): Promise<void> {
  for (const term of next) {
    if ((await writeTerm(tx, row.id, term)).length === 0) continue;
    const reason = `第 ${term.no} 期：${term.start} 至 ${term.end}`;
    const made = { type: 'renew', from_stage: row.stage, to_stage: row.stage, reason, by: null } as const;
    await registerEvent(tx, { contract_id: row.id, ...made });
  }
  const { no, end } = next.at(-1)!;
  const content = `${calledIn(row)}到期未通知终止，自动顺延为第 ${no} 期，至 ${end}。`;
  await announce(tx, contractNews.CONTRACT_RENEWED, row, { content, by: null, occasion: end! }, heard(row));
}

async function expire(tx: Db, row: Stored, end: string): Promise<void> {
  await contracts.set(tx, row, { stage: stage.expired });
  const made = {
    type: 'expire',
    from_stage: row.stage,
    to_stage: stage.expired,
    reason: `${end} 到期`,
    by: null,
  } as const;
  await registerEvent(tx, { contract_id: row.id, ...made });
  const content = `${calledIn(row)}已于 ${end} 到期，请登记办结，或办理续签、变更。`;
  await announce(tx, contractNews.CONTRACT_EXPIRE, row, { content, by: null, occasion: end }, heard(row));
}
