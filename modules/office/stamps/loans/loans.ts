import { and, eq, isNull, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { momentOf, momentText } from '#kernel/contract/moment.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import { attach, filesById } from '#modules/platform/files/service.ts';
import { settle } from '#modules/platform/bookings/service.ts';
import { refuseOn } from '#kernel/server/db/db.ts';
import { newsLevel } from '#modules/platform/messages/contract.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { setLines, type LineRow } from '../application/lines.ts';
import { bookingOf } from '../application/reserve.ts';
import { module } from '../application/record.ts';
import type { applicationCalls } from '../contract/applications.ts';
import { lineState, usageType } from '../contract/codes.ts';
import * as refused from '../contract/refusals.ts';
import { custodyKind, pictureKind, stampStatus } from '../contract/seal-codes.ts';
import { writeCustody } from '../custody/write.ts';
import { keepPicturesOf } from '../ledger/record.ts';
import { applicants } from '../desk/news.ts';
import { finish, requireKeeper, requireState, type Opened } from '../desk/opening.ts';
import { writeUse } from '../desk/sealing.ts';
import { stampNews } from '../notify.ts';
import { loanTable } from '../tables/application.ts';
import { stampTable } from '../tables/seals.ts';
import { headedBy } from '../application/reading.ts';
import { approvedFor, requireSame } from '../sources/offer.ts';
import { nextAfter } from './next.ts';

type Handling = BodyOf<typeof applicationCalls.handle>;
const { ready, out, returned } = lineState;
/** Milliseconds before its start at which a seal may be handed out. */
const early = 2 * 3_600_000;

/** Hands the seal to the escort, who signs. Of two concurrent calls one finds it gone. */
export async function handOver(opened: Opened, body: Handling) {
  const { tx, row, lines, user, now } = opened;
  if (row.use_type !== usageType.out) throw refused.wrongUse('现场用印');
  if (body.signature === null) throw refused.noSignature();
  if (momentOf(row.borrow_start!).getTime() - early > now.getTime())
    throw refused.tooEarly(row.borrow_start!.slice(0, 16));
  if (momentOf(row.borrow_end!) <= now) throw refused.loanOver(row.borrow_end!.slice(0, 16));
  if (row.escort_id === user.id) throw refused.escortAlone();
  await requireSame(tx, row, await approvedFor(tx, row));
  await attach(tx, { fileId: body.signature, module, recordId: row.id, user });
  if (!(await filesById(tx, [body.signature])).get(body.signature)?.mime.startsWith('image/'))
    throw invalid([{ field: 'signature', label: '手写签名', msg: '签名不是图片，请重新签名' }]);
  for (const line of lines) {
    requireState(line, ready);
    await requireKeeper(opened, line);
    const taken = await tx
      .update(stampTable)
      .set({ status: stampStatus.out })
      .where(and(eq(stampTable.id, line.stamp_id), eq(stampTable.status, stampStatus.inUse)))
      .returning({ id: stampTable.id });
    if (taken.length === 0) throw refused.sealAway(line.stamp_name, stampStatus.label(line.stamp_status));
    await tx.insert(loanTable).values({
      line_id: line.id,
      stamp_id: line.stamp_id,
      escort_id: row.escort_id!,
      handed_by: user.id,
      out_at: sql`now()`,
      due_at: row.borrow_end!,
      signature: body.signature,
    });
    await writeCustody(tx, {
      stamp_id: line.stamp_id,
      kind: custodyKind.lentOut,
      from_id: user.id,
      to_id: row.escort_id,
      creator_id: user.id,
      reason: row.borrow_place,
    });
    await setLines(tx, [line.id], { state: out });
  }
  await keepPicturesOf(tx, user, pictureKind.handOver, lines, body.pictures);
  const names = lines.map((line) => line.stamp_name).join('、');
  await announce(
    tx,
    stampNews.STAMP_OUT,
    row,
    {
      by: user.id,
      title: `印章已交出：${names}`,
      occasion: String(lines[0]!.id),
      content: `外带到${row.borrow_place}，请于 ${row.borrow_end!.slice(0, 16)} 前归还。`,
    },
    [row.escort_id, { dept: row.dept_id, part: 'head' }],
  );
  return finish(opened, '交出外带');
}

/** Returns the seal, late or not: registers the sealings outside, and frees the rest of its time. */
export async function bringBack(opened: Opened, body: Handling) {
  const { tx, row, lines, user, now } = opened;
  const copies = body.real_copies ?? row.copies;
  if (copies > row.copies) throw refused.moreThanApproved(copies, row.copies);
  for (const line of lines) {
    requireState(line, out);
    await requireKeeper(opened, line);
    const closed = await tx
      .update(loanTable)
      .set({ returned_at: sql`now()`, returned_to: user.id, extend_until: null })
      .where(and(eq(loanTable.line_id, line.id), isNull(loanTable.returned_at)))
      .returning({ id: loanTable.id });
    if (closed.length === 0) throw refused.notOut();
    await tx.update(stampTable).set({ status: stampStatus.inUse }).where(eq(stampTable.id, line.stamp_id));
    await writeCustody(tx, {
      stamp_id: line.stamp_id,
      kind: custodyKind.broughtBack,
      from_id: line.escort_id,
      to_id: user.id,
      creator_id: user.id,
      reason: body.remark,
    });
    await settle(tx, bookingOf(line), null);
    await setLines(tx, [line.id], { state: returned, reserved: false, done_at: momentText(now), done_by: user.id });
    if (copies > 0)
      await writeUse(
        opened,
        line,
        {
          at: momentText(now),
          asked: momentText(now),
          by: user.id,
          after_hours: false,
          real_copies: copies,
          real_pages: body.real_pages,
          remark: body.remark,
        },
        null,
        now,
      );
  }
  await keepPicturesOf(tx, user, pictureKind.bringBack, lines, body.pictures);
  for (const line of lines) {
    const next = await nextAfter(tx, line.stamp_id, momentText(now));
    if (next)
      await announce(
        tx,
        stampNews.STAMP_READY,
        next,
        {
          by: user.id,
          title: `印章已归还：${line.stamp_name}`,
          content: `“${line.stamp_name}”已归还，可按预约用印。`,
          occasion: `back ${line.id}`,
        },
        applicants(next),
      );
  }
  return finish(opened, '归还', { 份数: copies, 说明: body.remark });
}

/** The line whose seal is out, the requested one first. */
const outLine = (opened: Opened): LineRow => {
  const away = opened.lines.filter((one) => one.state === out);
  const line = away.find((one) => one.extend_until !== null) ?? away[0];
  if (!line) throw refused.notOut();
  return line;
};

/** Asks for an extension, by the escort or the applicant. */
export async function askLonger(opened: Opened, { until, reason }: { until: string; reason: string }) {
  const { tx, row, user } = opened;
  const line = outLine(opened);
  if (![row.creator_id, row.operator_id, line.escort_id].includes(user.id))
    throw refused.notYours('延期', '发起人或陪同人');
  if (until <= line.due_at!) throw refused.laterOnly(line.due_at!.slice(0, 16));
  await refuseTaken(opened, line, until);
  await tx
    .update(loanTable)
    .set({ extend_until: until, extend_reason: reason, extend_by: user.id })
    .where(eq(loanTable.id, line.loan_id!));
  await announce(
    tx,
    stampNews.STAMP_EXTEND,
    row,
    {
      by: user.id,
      title: `申请延长外带：${line.stamp_name}`,
      content: `申请延到 ${until.slice(0, 16)}：${reason}`,
      level: newsLevel.important,
      occasion: until,
    },
    [{ dept: line.stamp_dept, part: 'head' }],
  );
  await finish({ ...opened, lines: [line] }, '申请延期', { 延长至: until, 原因: reason });
  return { id: row.id };
}

async function refuseTaken({ tx }: Opened, line: LineRow, until: string): Promise<void> {
  const next = await nextAfter(tx, line.stamp_id, line.due_at!, line.id);
  if (next && next.from < until)
    throw refused.extensionTaken(`“${next.title}”（${next.from.slice(0, 16)} 起）`, until.slice(0, 16));
}

/** Grants or refuses an extension, by the head of the seal's department; granted only while nobody has the seal reserved. */
export async function decideLonger(
  opened: Opened,
  { result, until, opinion }: { result: 1 | 2; until?: string | undefined; opinion: string },
) {
  const { tx, row, user } = opened;
  const line = outLine(opened);
  if (!(await headedBy(tx, user.id)).has(line.stamp_dept)) throw refused.notYours('延期', '印章归口部门负责人');
  if (line.extend_until === null || line.extend_by === user.id) throw refused.noExtension();
  const granted = until ?? line.extend_until;
  const open = and(eq(loanTable.id, line.loan_id!), isNull(loanTable.returned_at));
  if (result === 1) {
    if (granted <= line.due_at!) throw refused.laterOnly(line.due_at!.slice(0, 16));
    await refuseTaken(opened, line, granted);
    const wanted = { resource: 'stamp', resource_id: line.stamp_id, start_time: row.borrow_start!, end_time: granted };
    await settle(tx, bookingOf(line), wanted, { name: line.stamp_name, now: opened.now }).catch(
      refuseOn('stamp_loan_over_slot', () => refused.slotInLoan(line.stamp_name)),
    );
    await tx.update(loanTable).set({ due_at: granted, extend_until: null }).where(open);
  } else await tx.update(loanTable).set({ extend_until: null }).where(open);
  const news = {
    by: user.id,
    title: result === 1 ? `外带已延期：${line.stamp_name}` : `外带不予延期：${line.stamp_name}`,
    content:
      result === 1
        ? `“${line.stamp_name}”延到 ${granted.slice(0, 16)} 归还。${opinion}`
        : `请按 ${line.due_at!.slice(0, 16)} 归还。${opinion}`,
    occasion: `${result} ${granted}`,
  };
  await announce(tx, stampNews.STAMP_EXTEND, row, news, [line.escort_id, line.keeper, ...applicants(row)]);
  const next = result === 1 ? await nextAfter(tx, line.stamp_id, granted, line.id) : null;
  if (next) await announce(tx, stampNews.STAMP_EXTEND, next, news, applicants(next));
  await finish({ ...opened, lines: [line] }, result === 1 ? '同意延期' : '不同意延期', {
    延长至: granted,
    意见: opinion,
  });
  return { id: row.id };
}
