import { and, eq, sql } from 'drizzle-orm';
import { tooMany } from '#kernel/contract/refusal.ts';
import type { Limit } from '#kernel/server/access/attempts.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, type SignedBody, type Origin } from '#kernel/server/http/implement.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { isSigned } from '#modules/platform/deliveries/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { noticeWays } from '#modules/workflow/workflows/service.ts';
import { happen } from '../commands/run.ts';
import { answered, answering, notSigned, tooLate } from '../contract/answering.ts';
import { notOffered } from '../contract/refusals.ts';
import { awaits } from '../engine/people/awaiting.ts';
import type { Answer } from '../engine/moves/system-event.ts';
import { isOver } from '../engine/state.ts';
import { load, short, type Stored } from '../store/store.ts';
import { noted } from '../read/noted.ts';
import { ticketInquiryTable } from '../tables/inquiry.ts';

/** Limits unsigned answers from one address. */
const unsigned: Limit = { kind: 'hook-answer', limit: 30, seconds: 60 };

/** Receives the answers of systems that a state called and waits for. */
export const answeringModule = implement('tickets', answering, {
  async callBack({ params, body, signedBody }, { tx, now, origin, audit, services: { attempts, secretBox } }) {
    const tries = await attempts.look(unsigned, origin.ip);
    if (tries.count >= unsigned.limit) throw tooMany('回答', tries.retryAfter);
    const inquiry = signedBody && (await inquiryBy(tx, params.id, body.nonce));
    const secret = inquiry ? await secretOf(tx, inquiry.notice_id, secretBox) : '';
    if (!inquiry || !isSigned(signedBody as SignedBody, secret, now)) {
      await attempts.hit(unsigned, origin.ip);
      throw notSigned();
    }
    const { result: ok, msg, people, field_value: fields } = body;
    const stored = await accept(tx, inquiry, { type: 'answer', ok, msg, people, fields }, { origin, now });
    const { id, sn, record, state } = stored;
    const after = { 操作: '外部系统回答', 结果: ok ? '成功' : '失败' };
    audit(await noted(tx, { id, sn, record, title: state.title }, after, { 说明: msg }));
    return {
      id: stored.id,
      act_state: (await load(tx, stored.id, undefined, false))?.state.act_state ?? actState.draft,
    };
  },
});

type Inquiry = typeof ticketInquiryTable.$inferSelect;

async function inquiryBy(tx: Db, ticket: number, nonce: string): Promise<Inquiry | null> {
  const [row] = await tx
    .select()
    .from(ticketInquiryTable)
    .where(and(eq(ticketInquiryTable.ticket_id, ticket), eq(ticketInquiryTable.nonce, nonce)));
  return row ?? null;
}

/** Empty if the notice is switched off or has no secret: then no answer is accepted. */
async function secretOf(tx: Db, notice: number, box: SecretBox): Promise<string> {
  const [way] = await noticeWays(tx, [notice]);
  return way?.secret ? box.open(way.secret) : '';
}

/** Runs under the ticket's lock, so of two answers, or an answer and a timeout, the first counts. Returns the ticket as it was before. */
async function accept(
  tx: Db,
  { id, ...asked }: Inquiry,
  answer: Answer,
  when: { origin: Origin; now: Date },
): Promise<Stored> {
  const stored = await load(tx, asked.ticket_id, undefined, true);
  if (!stored) throw notSigned();
  const [now] = await tx
    .select({
      answered: short(ticketInquiryTable.answered_at),
      youngest: sql<boolean>`not exists (select from ticket_inquiry y where y.ticket_id = ${asked.ticket_id}
        and y.token_no = ${asked.token_no} and y.id > ${id})`,
    })
    .from(ticketInquiryTable)
    .where(eq(ticketInquiryTable.id, id));
  if (now?.answered) throw answered(now.answered);
  const { state, version } = stored;
  const token = state.tokens.find((one) => one.no === asked.token_no && one.visit === asked.visit);
  const here = token?.state_id === asked.state_id && awaits(version.definition, state, token) !== null;
  if (!here || !now?.youngest || isOver(state)) throw tooLate(stateOf(version.definition, asked.state_id).name);
  if (state.suspended) throw notOffered('工单已挂起，恢复后再回答', state.act_state, []);
  await happen(tx, stored, { ...answer, token: asked.token_no, visit: asked.visit }, when);
  const { ok, msg } = answer;
  await tx
    .update(ticketInquiryTable)
    .set({ answered_at: sql`now()`, ok, msg })
    .where(eq(ticketInquiryTable.id, id));
  return stored;
}
