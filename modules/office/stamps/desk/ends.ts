import { and, eq, sql } from 'drizzle-orm';
import { checkVersion } from '#kernel/server/db/version.ts';
import { attachAll, filesById } from '#modules/platform/files/service.ts';
import { announce, closeTodo } from '#modules/platform/messages/service.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { linesOf, setLines, settle } from '../application/lines.ts';
import { module } from '../application/record.ts';
import { reserve, unreserve } from '../application/reserve.ts';
import { isOwn } from '../application/rights.ts';
import type { applicationCalls } from '../contract/applications.ts';
import { lineState, paperKind, usageType } from '../contract/codes.ts';
import * as refused from '../contract/refusals.ts';
import { stampNews } from '../notify.ts';
import { applicationFileTable, applicationTable } from '../tables/application.ts';
import { recallTable } from '../tables/ledger.ts';
import { applicants } from './news.ts';
import { finish, requireState, type Opened } from './opening.ts';

const { waiting, ready, sealed, returned, void: voided } = lineState;

/** Voids the unsealed lines at the applicant's request and frees their time. */
export async function cancel(opened: Opened, reason: string) {
  const { tx, row, user } = opened;
  if (!isOwn(row, user.id)) throw refused.notYours('取消用印', '发起人或经办人');
  const lines = opened.lines.filter((line) => line.state === ready && line.pending === null);
  if (row.act_state !== actState.finished || lines.length === 0) throw refused.nothingToSeal();
  await voidLines({ ...opened, lines }, reason);
  await announce(
    tx,
    stampNews.STAMP_CANCELLED,
    row,
    { by: user.id, content: `发起人取消了用印：${reason}` },
    lines.map((line) => line.keeper),
  );
  return finish({ ...opened, lines }, '取消用印', { 原因: reason });
}

/** Voids lines, for any reason. */
export async function voidLines({ tx, lines }: Pick<Opened, 'tx' | 'lines'>, reason: string): Promise<void> {
  await unreserve(tx, lines);
  await setLines(
    tx,
    lines.map((line) => line.id),
    { state: voided, reason, done_at: sql`now()` },
  );
}

/** Chooses or moves slots in the seals' hours. If refused, all old slots stay. */
export async function appoint(opened: Opened, { lines: wanted, version }: BodyOf<typeof applicationCalls.appoint>) {
  const { tx, row, user, now, lines } = opened;
  if (!isOwn(row, user.id)) throw refused.notYours('预约', '发起人或经办人');
  checkVersion('用印申请', row, version, row);
  if (row.use_type === usageType.out) throw refused.wrongUse('外带用印');
  const before = row.act_state === actState.finished ? ready : waiting;
  for (const line of lines) requireState(line, before);
  const late = row.due_day === null ? undefined : wanted.find(({ day }) => day !== null && day > row.due_day!);
  if (late) throw refused.afterDue(late.day!, row.due_day!);
  await unreserve(tx, lines);
  for (const line of lines) {
    const { day, part } = wanted.find((one) => one.stamp_id === line.stamp_id)!;
    await setLines(tx, [line.id], { day: part === null ? null : day, part: day === null ? null : part });
  }
  const ids = new Set(lines.map((line) => line.id));
  if (row.act_state === actState.ongoing || row.act_state === actState.finished)
    await reserve(
      tx,
      row,
      (await linesOf(tx, [row.id])).filter((line) => ids.has(line.id)),
      now,
    );
  await settle(tx, row.id, now);
  opened.audit({ type: '用印申请', id: row.id, title: row.title, after: { 办理: '预约' } });
  return { id: row.id };
}

/** Hands in the scan of the sealed file, with which strangers may compare theirs. */
export async function handIn(opened: Opened, files: readonly number[]) {
  const { tx, row, user, lines } = opened;
  const keeps = lines.some((line) => line.keeper === user.id);
  if (!isOwn(row, user.id) && !keeps) throw refused.notYours('交存扫描件', '发起人、经办人或保管人');
  if (!lines.some((line) => line.state === sealed || line.state === returned))
    throw refused.lineElsewhere(row.title, '未完成');
  await attachAll(tx, { fileIds: files, module, recordId: row.id, user });
  const known = await filesById(tx, files);
  await tx
    .insert(applicationFileTable)
    .values(
      files.map((file_id, order_no) => ({
        application_id: row.id,
        file_id,
        kind: paperKind.copy,
        order_no,
        sha256: known.get(file_id)!.sha256,
      })),
    )
    .onConflictDoNothing();
  await tx
    .update(applicationTable)
    .set({ copy_at: sql`now()` })
    .where(and(eq(applicationTable.id, row.id)));
  await closeTodo(tx, { module, objectId: row.id, events: ['STAMP_COPY'] });
  await announce(tx, stampNews.STAMP_COPY_IN, row, { by: user.id, content: `共 ${files.length} 个文件。` }, [
    ...applicants(row),
    ...lines.map((line) => line.keeper),
  ]);
  await finish(opened, '交存扫描件', { 文件: files.length });
  return { id: row.id };
}

/** Registers that sealed copies came back to a keeper of one of the application's seals. */
export async function takeBack(opened: Opened, { copies, remark }: BodyOf<typeof applicationCalls.takeBack>) {
  const { tx, row, user, lines } = opened;
  if (!lines.some((line) => line.keeper === user.id)) throw refused.notYours('登记收回', '印章保管人');
  const outside = lines[0]?.outside ?? 0;
  if (copies > outside) throw refused.fewerOutside(copies, outside);
  await tx.insert(recallTable).values({ application_id: row.id, copies, remark, taken_by: user.id });
  const left = outside - copies;
  const content = `已用印的文本收回 ${copies} 份${left > 0 ? `，还有 ${left} 份在外` : '，已全部收回'}。`;
  await announce(tx, stampNews.STAMP_BACK, row, { by: user.id, content, occasion: String(left) }, applicants(row));
  await settle(tx, row.id, opened.now);
  const after = { 办理: '登记收回', 收回份数: copies, 说明: remark };
  opened.audit({ type: '用印申请', id: row.id, title: row.title, after });
  return { id: row.id };
}
