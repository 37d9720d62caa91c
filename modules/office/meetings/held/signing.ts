import { and, asc, desc, eq, inArray, isNull, or, sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import { qrAddress } from '#kernel/server/text/qr-code.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { tooMany } from '#kernel/contract/refusal.ts';
import type { Limit } from '#kernel/server/access/attempts.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { staged } from '#kernel/server/http/implement.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { leaveRoom } from '#modules/platform/rooms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { meetMode, meetStatus, replyState, signMode, signState, substituteState } from '../contract/codes.ts';
import {
  codeOld,
  noSignIn,
  notAskedTo,
  notInState,
  notOnList,
  notOpen,
  notYours,
  tooEarlyEnd,
} from '../contract/refusals.ts';
import { signing } from '../contract/signing.ts';
import { signCodes } from './sign-code.ts';
import { meetings, module, type Meet } from '../record/record.ts';
import { windowOf } from '../record/slot.ts';
import { calledOrNumbered } from '../record/writing.ts';
import { attendeeTable, guestTable, meetTable } from '../tables.ts';
import { open, openFor, rightsOn, type Asked } from '../acts/context.ts';
import { writeMinutes } from './minutes.ts';

const a = attendeeTable;
const minute = 60_000;
/** A whole hall scans behind one address, and a scanned code cannot be guessed. */
const scanning: Limit = { kind: 'meet scan', limit: 1200, seconds: 60 };
/** By person, because a typed code has only six digits. */
const typing: Limit = { kind: 'meet sign', limit: 10, seconds: 300 };
const renewed = ({ sign_mode: mode }: Pick<Meet, 'sign_mode'>) => mode === meetMode.online;

function requireOpen(row: Meet, now: Date): void {
  if (row.act_state !== actState.finished || row.meet_status === meetStatus.cancelled)
    throw notInState(meetings.stateOf(row), '签到', '已通过的会议才能签到');
  const { from, to } = windowOf(row);
  const at = momentText(now);
  if (at < from || at > to || row.meet_status === meetStatus.over) throw notOpen(from, to);
}

/**
 * Shares a lock on the meeting, so that it cannot be released while somebody signs in; refuses if it was released already. The first to
 * come after the planned start begins the meeting; until then it may still be moved, answered and cancelled.
 */
async function comeTo(tx: Db, row: Meet, now: Date): Promise<void> {
  const { id } = row;
  if (row.meet_status === meetStatus.coming && row.start_time! <= momentText(now))
    await tx
      .update(meetTable)
      .set({
        meet_status: meetStatus.running,
        actual_start: momentText(now),
        version: sql`${meetTable.version} + 1`,
      })
      .where(and(eq(meetTable.id, id), eq(meetTable.meet_status, meetStatus.coming)));
  const [held] = await tx
    .select({ state: meetTable.meet_status })
    .from(meetTable)
    .where(eq(meetTable.id, id))
    .for('share');
  if (!meetStatus.is(held?.state, meetStatus.coming, meetStatus.running))
    throw notInState(meetStatus.label(held!.state), '签到', '会议已不再举行');
}

/** Marks people as present; those who are already stay as they were. Returns how many are new. */
async function markThere(
  tx: Db,
  row: Meet,
  who: { users: readonly number[]; method: number; device?: string | null; by?: number | null },
  now: Date,
): Promise<number> {
  const late = now.getTime() > momentOf(row.start_time!).getTime() + row.late_after_min * minute;
  const marked = await tx
    .update(a)
    .set({
      sign_state: late ? signState.late : signState.signed,
      sign_time: momentText(now),
      sign_method: who.method,
      sign_device: who.device ?? null,
      signed_by: who.by ?? null,
    })
    .where(
      and(
        eq(a.meet_id, row.id),
        inArray(a.user_id, [...who.users]),
        inArray(a.sign_state, [signState.none, signState.absent]),
      ),
    )
    .returning({ id: a.user_id });
  return marked.length;
}

/** The seat that a person takes: their own, or that of the person they accepted to substitute for. */
async function seatOf(tx: Db, meet_id: number, person: number) {
  const [seat] = await tx
    .select()
    .from(a)
    .where(
      and(
        eq(a.meet_id, meet_id),
        or(eq(a.user_id, person), and(eq(a.substitute_id, person), eq(a.substitute_state, substituteState.comes))),
      ),
    )
    .orderBy(desc(eq(a.user_id, person)))
    .limit(1);
  return seat;
}

/** Refuses to sign in anybody who was not invited. */
async function requireAsked(
  tx: Db,
  id: number,
  { users, guests }: { users: readonly number[]; guests: readonly number[] },
): Promise<void> {
  const asked = await tx
    .select({ id: a.user_id })
    .from(a)
    .where(and(eq(a.meet_id, id), inArray(a.user_id, [...users])));
  const others = users.filter((one) => !asked.some((row) => row.id === one));
  if (others.length > 0) throw notAskedTo(await calledOrNumbered(tx, others));
  const own = and(eq(guestTable.meet_id, id), inArray(guestTable.id, [...guests]));
  const strangers = new Set(guests).size - (await tx.$count(guestTable, own));
  if (strangers > 0) throw notAskedTo([`${strangers} 位校外人员`]);
}

async function byHand(context: Asked, id: number, { users = [], guests = [] }: BodyOf<typeof signing.sign>) {
  const { tx, now, user, audit } = context;
  const { row, runs } = await open(context, id);
  if (!runs) throw notYours('代签', '会议发起人、记录人或会务人员');
  await requireAsked(tx, id, { users, guests });
  if (row.meet_status !== meetStatus.over) {
    requireOpen(row, now);
    await comeTo(tx, row, now);
  }
  const marked = users.length > 0 ? await markThere(tx, row, { users, method: 3, by: user.id }, now) : 0;
  const came =
    guests.length === 0
      ? []
      : await tx
          .update(guestTable)
          .set({ sign_time: momentText(now) })
          .where(and(eq(guestTable.meet_id, id), inArray(guestTable.id, guests), isNull(guestTable.sign_time)))
          .returning({ id: guestTable.id });
  audit({ type: '会议', id, title: row.title, after: { 代签: `${marked + came.length} 人` } });
  return { sign_state: signState.signed, sign_time: momentText(now), signed: marked + came.length };
}

export const signingHandlers = {
  async code({ params }: { params: { id: number } }, context: Asked) {
    const { tx, now, services } = context;
    const viewer = await meetings.viewerOf(tx, context.user);
    const row = await meetings.requireVisible(tx, viewer, params.id);
    const { runs } = await rightsOn(context, row);
    if (!runs) throw notYours('打开签到屏', '会议发起人、记录人或会务人员');
    const { id } = row;
    const [counted] = await tx
      .select({
        asked: sql<number>`count(*)::int`,
        signed: sql<number>`(count(*) filter (where ${a.sign_state} in (${inSql(signState.signed, signState.late)})))::int`,
        late: sql<number>`(count(*) filter (where ${a.sign_state} = ${inSql(signState.late)}))::int`,
      })
      .from(a)
      .where(eq(a.meet_id, id));
    const last = await tx
      .select({ id: a.user_id, at: sql<string>`sign_time::text` })
      .from(a)
      .where(and(eq(a.meet_id, id), inArray(a.sign_state, [signState.signed, signState.late])))
      .orderBy(desc(a.sign_time), asc(a.user_id))
      .limit(5);
    const people = await peopleById(
      tx,
      last.map((one) => one.id),
    );
    const codes = signCodes(services.secret);
    const { from, to } = windowOf(row);
    const isOpen =
      row.act_state === actState.finished &&
      row.meet_status < meetStatus.over &&
      momentText(now) >= from &&
      momentText(now) <= to;
    const shown = isOpen && signMode.is(row.sign_mode, signMode.code, signMode.renewedCode);
    const code = codes.code(id, now, renewed(row));
    const url = `${services.publicUrl() ?? ''}/meet/sign/${id}?c=${code.long}`;
    return {
      value: {
        title: row.title,
        start_time: row.start_time!,
        end_time: row.end_time!,
        image: shown ? await qrAddress(url, { errorCorrectionLevel: 'M', margin: 1, width: 640 }) : '',
        short: shown ? code.short : '',
        left: shown && renewed(row) ? codes.left(now) : null,
        ...counted!,
        last: last.map((one) => ({ alias: people.get(one.id)?.alias ?? '', at: one.at.slice(0, 19) })),
        open: isOpen,
      },
    };
  },

  scan: staged(signing.scan, {
    before: async ({ params, body }, { origin, now, read, services }) => {
      const tries = await services.attempts.hit(scanning, origin.ip);
      if (tries.exceeded) throw tooMany('扫码', tries.retryAfter);
      const [row] = await read
        .select({ mode: meetTable.sign_mode })
        .from(meetTable)
        .where(
          and(
            eq(meetTable.id, params.id),
            eq(meetTable.act_state, actState.finished),
            inArray(meetTable.meet_status, [meetStatus.coming, meetStatus.running]),
          ),
        );
      const codes = signCodes(services.secret);
      if (
        !row ||
        !meetMode.is(row.mode, meetMode.inPlace, meetMode.online) ||
        !codes.takesScanned(params.id, body.code, now, row.mode === meetMode.online)
      )
        throw codeOld();
      return codes.ticket(params.id, body.device, now);
    },
    run: async ({ prepared: ticket }) => ({ ticket, minutes: 5 }),
  }),

  sign: staged(signing.sign, {
    async before({ params, body }, { user, services }) {
      if (body.code === undefined) return;
      const tries = await services.attempts.hit(typing, `${params.id}:${user.id}`);
      if (tries.exceeded) throw tooMany('输入签到码', tries.retryAfter);
    },
    async run({ params, body }, context) {
      const { tx, now, user, services, audit } = context;
      const { id } = params;
      if (body.users || body.guests) return byHand(context, id, body);
      const row = await meetings.requireVisible(tx, await meetings.viewerOf(tx, user), id);
      if (row.sign_mode === signMode.none) throw noSignIn('不需要签到');
      if (row.sign_mode === signMode.byOthers) throw noSignIn('由会务人员代签');
      const codes = signCodes(services.secret);
      const { ticket, code, device = '' } = body;
      const right =
        ticket === undefined ? codes.takes(id, code!, now, renewed(row)) : codes.takesTicket(id, ticket, device, now);
      if (!right) throw codeOld();
      requireOpen(row, now);
      const seat = await seatOf(tx, id, user.id);
      if (!seat) throw notOnList();
      await comeTo(tx, row, now);
      const mark = device ? codes.mark(id, device) : null;
      const came = { users: [seat.user_id], method: ticket === undefined ? 2 : 1, device: mark };
      const signed = await markThere(tx, row, came, now);
      // Of two sign-ins at once, the second reads what the first wrote.
      const after = await seatOf(tx, id, user.id);
      if (signed > 0) audit({ type: '会议', id, title: row.title, after: { 签到: user.alias } });
      return { sign_state: after!.sign_state, sign_time: after!.sign_time, signed };
    },
  }),

  /** 到场确认: by any participant, from the opening of the sign-in. */
  async checkin({ params }: { params: { id: number } }, context: Asked) {
    const { tx, now, user, audit } = context;
    const { row, runs } = await open(context, params.id);
    if (!runs && !(await seatOf(tx, row.id, user.id))) throw notOnList();
    requireOpen(row, now);
    await comeTo(tx, row, now);
    if (row.checked_in_at === null) {
      const columns = { checked_in_at: momentText(now), checked_in_by: user.id };
      await tx.update(meetTable).set(columns).where(eq(meetTable.id, row.id));
      audit({ type: '会议', id: row.id, title: row.title, after: { 到场确认: user.alias } });
    }
    return { id: row.id };
  },

  async end({ params, body }: { params: { id: number }; body: BodyOf<typeof signing.end> }, context: Asked) {
    const { tx, now } = context;
    const { row } = await openFor(context, params.id, {
      act: '结束会议',
      meet_status: [0, 1],
      when: '已通过、尚未结束的会议可以结束',
    });
    const at = body.actual_end ?? momentText(now);
    if (at > momentText(now) || at <= row.start_time!) throw tooEarlyEnd(at);
    const after = await endMeeting(tx, row, at);
    await leaveRoom(tx, { module, record_id: row.id }, momentText(now));
    if (body.minutes || body.decisions)
      await writeMinutes(context, after, { act: 'save', content: body.minutes, decisions: body.decisions, reason: '' });
    context.audit(meetings.standing(row, after));
    return { meet_status: after.meet_status };
  },
};

/** Marks a meeting as over; people who did not come become absent or excused. */
async function endMeeting(tx: Db, row: Meet, at: string): Promise<Meet> {
  await absent(tx, [row.id]);
  const actual_start = row.actual_start ?? row.start_time;
  return meetings.set(tx, row, { meet_status: meetStatus.over, actual_end: at, actual_start });
}
export const absent = (tx: Db, ids: readonly number[]) =>
  tx
    .update(a)
    .set({ sign_state: sql`case when ${a.reply} = ${inSql(replyState.excused)} then 4 else 3 end` })
    .where(
      and(
        inArray(a.meet_id, [...ids]),
        eq(a.sign_state, signState.none),
        sql`exists (select from meet where meet.id = ${a.meet_id} and meet.sign_mode <> ${inSql(signMode.none)})`,
      ),
    );
