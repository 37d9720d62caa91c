import { momentText } from '#kernel/contract/moment.ts';
import { invalid } from '#kernel/contract/refusal.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { codeOf, codeRead } from '#modules/platform/verification/service.ts';
import { linesOf, setLines, type LineRow } from '../application/lines.ts';
import { module } from '../application/record.ts';
import { isLate, isSecond, secondsOf } from '../application/rights.ts';
import type { applicationCalls } from '../contract/applications.ts';
import { lineState, usageType } from '../contract/codes.ts';
import { stampRules } from '../contract/oversight.ts';
import * as refused from '../contract/refusals.ts';
import { pictureKind, stampStatus } from '../contract/seal-codes.ts';
import { keepPicturesOf, recordUse } from '../ledger/record.ts';
import { unreserve } from '../application/reserve.ts';
import { stampNews } from '../notify.ts';
import { outsideHours, sealOf } from '../slots/slots.ts';
import { approvedFor, isApproved, requireSame } from '../sources/offer.ts';
import { stampable } from '../sources/stampable.ts';
import type { PendingUse } from '../tables/application.ts';
import { applicants, whoAgreed } from './news.ts';
import { finish, requireKeeper, requireState, type Opened } from './opening.ts';

type Handling = BodyOf<typeof applicationCalls.handle>;
const { ready, sealed, refused: refusedState } = lineState;

/** Registers a sealing by the present keeper. If the seal needs two people, it counts once the second has confirmed. */
export async function seal(opened: Opened, body: Handling) {
  const { tx, row, lines, user, now } = opened;
  if (row.use_type !== usageType.onSite) throw refused.wrongUse('外带用印');
  await requireSame(tx, row, await approvedFor(tx, row));
  const { two_person_types } = (await readRules(tx, stampRules)).value;
  const real_copies = body.real_copies ?? row.copies;
  if (real_copies > row.copies) throw refused.moreThanApproved(real_copies, row.copies);
  if (real_copies < 1)
    throw invalid([{ field: 'real_copies', label: '用印份数', msg: '至少 1 份；不予用印的请选择拒绝用印' }]);
  for (const line of lines) {
    requireState(line, ready);
    await requireKeeper(opened, line);
    if (line.stamp_status !== stampStatus.inUse)
      throw refused.sealAway(line.stamp_name, stampStatus.label(line.stamp_status));
    const after_hours = await outsideHours(tx, sealOf(line), now);
    if (after_hours && body.remark === '') throw refused.whyNow(line.stamp_name);
    const use: PendingUse = {
      at: momentText(now),
      asked: momentText(now),
      by: user.id,
      after_hours,
      real_copies,
      real_pages: body.real_pages ?? row.pages,
      remark: body.remark,
    };
    if (two_person_types.includes(line.stamp_type)) await waitForSecond(opened, line, use);
    else await count(opened, line, use, null);
  }
  await keepPicturesOf(tx, user, pictureKind.seal, lines, body.pictures);
  return finish(opened, '用印', { 份数: real_copies, 说明: body.remark });
}

/** Asks the second person anew about a sealing that nobody confirmed in time. */
export async function askSecond(opened: Opened) {
  const { lines, now } = opened;
  const lapsed = lines.filter((line) => line.pending !== null && isLate(line.pending, now));
  if (lapsed.length === 0) throw refused.nothingLapsed();
  for (const line of lapsed) {
    await requireKeeper(opened, line);
    await waitForSecond(opened, line, { ...line.pending!, asked: momentText(now) });
  }
  return finish({ ...opened, lines: lapsed }, '再请监印确认');
}

async function waitForSecond({ tx, row, user }: Opened, line: LineRow, use: PendingUse): Promise<void> {
  await setLines(tx, [line.id], { pending: use });
  const second = secondsOf(row, line, use.by);
  // A sealing that nobody can confirm would be in vain.
  if (second.length === 0) throw refused.noSecond(line.stamp_name);
  await announce(
    tx,
    stampNews.STAMP_CONFIRM,
    row,
    {
      by: user.id,
      content: `“${line.stamp_name}”已登记用印 ${use.real_copies} 份，请在 30 分钟内确认。`,
      occasion: `${line.id} ${use.asked}`,
    },
    line.supervisor_id === null ? second : second.filter((one) => one === line.supervisor_id),
  );
}

/** Counts a sealing: writes the ledger and notifies the applicant. */
async function count(opened: Opened, line: LineRow, use: PendingUse, confirmed_by: number | null): Promise<void> {
  const { tx, now } = opened;
  await setLines(tx, [line.id], { state: sealed, pending: null, done_at: use.at, done_by: use.by });
  // A finished line frees its slot of a coming day.
  await unreserve(tx, [line]);
  await writeUse(opened, line, use, confirmed_by, now);
}

/** Writes the row of the ledger and notifies. */
export async function writeUse(
  opened: Opened,
  line: LineRow,
  use: PendingUse,
  confirmed_by: number | null,
  now: Date,
): Promise<void> {
  const { tx, row, user } = opened;
  await recordUse(tx, {
    stamp_id: line.stamp_id,
    line_id: line.id,
    application_id: row.id,
    use_type: row.use_type,
    file_kind: row.file_kind,
    file_name: row.title,
    receiver: row.receiver,
    amount: row.amount,
    dept_id: row.dept_id,
    operator_id: row.operator_id,
    copies: row.copies,
    real_copies: use.real_copies,
    real_pages: use.real_pages,
    serial_from: row.serial_from,
    serial_to: row.serial_to,
    keeper_id: use.by,
    confirmed_by,
    confirmed_at: confirmed_by === null ? null : now.toISOString(),
    after_hours: use.after_hours,
    remark: use.remark,
    sealed_at: use.at,
  });
  await announce(
    tx,
    stampNews.STAMP_DONE,
    row,
    {
      by: user.id,
      content: `“${line.stamp_name}”已用印 ${use.real_copies} 份，请在五个工作日内交存扫描件。`,
      occasion: String(line.id),
    },
    applicants(row),
  );
  // A seal used outside, or confirmed after the record changed, goes into the ledger but does not count as sealing the record.
  if (row.source_id !== null && (await isApproved(tx, row)))
    await stampable(tx, row.source_module)?.sealed(tx, row.source_id, {
      application_id: row.id,
      stamp_id: line.stamp_id,
      copies: use.real_copies,
      at: use.at,
      whole: await isWhole(opened, line),
    });
}
const isWhole = async ({ tx, row }: Opened, line: LineRow) => {
  return (await linesOf(tx, [row.id])).every(
    (one) => one.id === line.id || lineState.is(one.state, lineState.sealed, lineState.returned),
  );
};

/** Confirms a sealing as the second person, by the user's own password, verified before, or by the code of the slip. */
export async function confirm(opened: Opened, { code, proven }: { code: string | undefined; proven: boolean }) {
  const { tx, row, lines, user, now } = opened;
  const waiting = lines.filter((line) => line.pending !== null && line.state === ready);
  if (waiting.length === 0) throw refused.nothingToConfirm();
  const mine = waiting.filter((line) => isSecond(row, line, user.id));
  if (mine.length === 0) throw refused.notSecond();
  if (mine.some((line) => isLate(line.pending!, now))) throw refused.confirmLate();
  if (!proven) {
    const own = await codeOf(tx, { module, id: row.id });
    const read = code === undefined ? null : codeRead(code.split('/verify/').at(-1)!.replace(/\/$/, ''));
    if (read === null || read !== own) throw refused.wrongProof();
  }
  for (const line of mine) await count(opened, line, line.pending!, user.id);
  return finish({ ...opened, lines: mine }, '监印确认');
}

/** Refuses to seal an approved application: final, with a reason sent to everybody who approved it. */
export async function refuse(opened: Opened, { reason, files }: { reason: string; files: readonly number[] }) {
  const { tx, row, lines, user, now } = opened;
  for (const line of lines) {
    // A sealing that was registered can no longer be refused.
    requireState(line, ready);
    await requireKeeper(opened, line);
  }
  if (lines.length === 0) throw refused.nothingToSeal();
  await keepPicturesOf(tx, user, pictureKind.seal, lines, files);
  await unreserve(tx, lines);
  await setLines(
    tx,
    lines.map((line) => line.id),
    { state: refusedState, pending: null, reason, done_at: momentText(now), done_by: user.id },
  );
  const names = lines.map((line) => line.stamp_name).join('、');
  await announce(
    tx,
    stampNews.STAMP_REFUSED,
    row,
    {
      by: user.id,
      occasion: String(lines[0]!.id),
      content: `“${names}”的保管人拒绝用印：${reason}。这项批准不能另作他用，确需用印的请重新申请。`,
    },
    [...applicants(row), ...(await whoAgreed(tx, row.ticket_id))],
  );
  return finish(opened, '拒绝用印', { 原因: reason });
}
