import { and, eq } from 'drizzle-orm';
import { daysLater, momentOf, momentText } from '#kernel/contract/moment.ts';
import { unfilled, type FieldError } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { deptPath, peopleById, workingAmong } from '#modules/platform/people/service.ts';
import type { FaultsAsked } from '#modules/workflow/records/service.ts';
import { unprintable } from '#modules/platform/typesetting/service.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { lineState, paperKind, usageType } from '../contract/codes.ts';
import { stampRules } from '../contract/oversight.ts';
import {
  keeperApplies,
  keeperGone,
  noSecond,
  nothingLeft,
  sealUnfit,
  slotAfterReturn,
  tooLongOut,
  tooManyCopies,
} from '../contract/refusals.ts';
import { stampStatus } from '../contract/seal-codes.ts';
import { usableFrom } from '../seals/visibility.ts';
import { offerTo, requireSame } from '../sources/offer.ts';
import { applicationFileTable } from '../tables/application.ts';
import { stampTable } from '../tables/seals.ts';
import { linesOf, type LineRow } from './lines.ts';
import { secondsOf } from './rights.ts';
import type { Stored } from './record.ts';

const { inUse, out } = stampStatus;
const certificate = 8;
/** In milliseconds: a loan may begin this long before its sending, because its form takes "now" as its start. */
const patience = 3_600_000;

/** Faults that prevent an application from being sent, or finally approved. */
export async function faultsOf(tx: Db, row: Stored, { now, at }: FaultsAsked): Promise<FieldError[]> {
  const all = await linesOf(tx, [row.id]);
  // In review, lines of seals lost meanwhile are void already.
  const lines = all.filter((line) => at === 'submitted' || line.state === lineState.waiting);
  if (all.length > 0 && lines.length === 0) throw nothingLeft();
  const errors: FieldError[] = [];
  const missing = (field: string, label: string, msg: string = unfilled) => void errors.push({ field, label, msg });
  if (lines.length === 0) missing('lines', '印章', '请选择印章');
  if (!row.no_blanks) missing('no_blanks', '无空白', '请确认文件没有空白待填处；空白文件不予用印');
  const files = await tx.$count(
    applicationFileTable,
    and(eq(applicationFileTable.application_id, row.id), eq(applicationFileTable.kind, paperKind.toSeal)),
  );
  if (files === 0) missing('files', '用印文件', '请上传要用印的文件');
  errors.push(
    ...(await unprintable([
      { field: 'title', label: '文件名称', text: row.title },
      { field: 'reason', label: '用印事由', text: row.reason },
    ])),
  );
  const rules = (await readRules(tx, stampRules)).value;
  const most = row.file_kind === certificate ? rules.cert_copies : 999;
  if (row.copies > most) throw tooManyCopies(most);
  if (row.source_id !== null) await requireSame(tx, row, await offerTo(tx, row));
  if (row.use_type === usageType.out) outErrors(row, rules.loan_days, { now, at }, missing);
  for (const line of lines) await refuseSeal(tx, row, line, at);
  const alone = lines.find(
    (line) => rules.two_person_types.includes(line.stamp_type) && secondsOf(row, line, line.keeper).length === 0,
  );
  if (at === 'submitted' && row.use_type === usageType.onSite && alone) throw noSecond(alone.stamp_name);
  return errors;
}

function outErrors(
  row: Stored,
  days: number,
  { now, at }: Pick<FaultsAsked, 'now' | 'at'>,
  missing: (field: string, label: string, msg?: string) => void,
): void {
  const { borrow_start: start, borrow_end: end, borrow_place, escort_id } = row;
  if (!start) missing('borrow_start', '外带开始');
  if (!end) missing('borrow_end', '外带结束');
  if (!borrow_place) missing('borrow_place', '外带地点');
  if (escort_id === null) missing('escort', '陪同人', '印章外带须有人陪同，请选择陪同人');
  if (!start || !end) return;
  if (end <= start) missing('borrow_end', '外带结束', `外带结束 ${end.slice(0, 16)} 不晚于开始，请重新选择`);
  else if (end <= momentText(now) || (at === 'submitted' && momentOf(start).getTime() < now.getTime() - patience))
    missing('borrow_start', '外带开始', '外带时间已过，请重新选择');
  else if (momentOf(end) > daysLater(momentOf(start), days)) throw tooLongOut(days);
}

async function refuseSeal(tx: Db, row: Stored, line: LineRow, at: FaultsAsked['at']): Promise<void> {
  const { stamp_name: name, stamp_status: status } = line;
  if (status !== inUse && status !== out) throw sealUnfit(name, `已${stampStatus.label(status)}`);
  if ((await workingAmong(tx, [line.keeper])).length === 0)
    throw keeperGone(name, (await peopleById(tx, [line.keeper])).get(line.keeper)?.alias ?? '');
  if (status === out && row.use_type === usageType.onSite && line.day === null) throw slotAfterReturn(name);
  // Keepers may not apply for their own seal. Checked only on sending, because custody may move afterwards.
  if (at === 'submitted' && [row.creator_id, row.operator_id, row.escort_id].includes(line.keeper))
    throw keeperApplies(name, (await peopleById(tx, [line.keeper])).get(line.keeper)?.alias ?? '');
  const places = row.dept_id === null ? [] : (await deptPath(tx, row.dept_id)).map((dept) => dept.id);
  const usable = await tx.$count(stampTable, and(eq(stampTable.id, line.stamp_id), usableFrom(places)));
  if (usable === 0) throw sealUnfit(name, '不供申请部门使用');
}
