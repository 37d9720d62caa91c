import { qrPicture } from '#kernel/server/text/qr-code.ts';
import { loadSharp } from '#kernel/server/files/load-sharp.ts';
import { and, asc, eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { filesById, type Opens } from '#modules/platform/files/service.ts';
import { deptNamesById, peopleById } from '#modules/platform/people/service.ts';
import { opinionsOnPaper } from '#modules/workflow/tickets/service.ts';
import type { SheetInput } from '#modules/platform/typesetting/service.ts';
import { codeOf } from '#modules/platform/verification/service.ts';
import { fileKind, lineState, paperKind, recallText, slotText, usageType } from '../contract/codes.ts';
import { recallsOf } from '../ledger/recall.ts';
import { applicationFileTable } from '../tables/application.ts';
import { linesOf } from './lines.ts';
import { module, type Stored } from './record.ts';
import { bears } from './rights.ts';

/** 用印审批单: the files, all opinions, and for those who bring it to the desk the slip with the code. */
export async function sheetOf(
  tx: Db,
  fileStore: Opens,
  row: Stored,
  origin: string,
  reader: number,
): Promise<SheetInput> {
  const lines = await linesOf(tx, [row.id]);
  const people = await peopleById(tx, [row.creator_id, row.operator_id, row.escort_id ?? 0]);
  const alias = (id: number | null) => people.get(id ?? 0)?.alias ?? '';
  const dept = (await deptNamesById(tx, row.dept_id === null ? [] : [row.dept_id])).get(row.dept_id ?? 0) ?? '';
  const held = await tx
    .select({ id: applicationFileTable.file_id, sha256: applicationFileTable.sha256 })
    .from(applicationFileTable)
    .where(and(eq(applicationFileTable.application_id, row.id), eq(applicationFileTable.kind, paperKind.toSeal)))
    .orderBy(asc(applicationFileTable.order_no));
  const files = await filesById(
    tx,
    held.map((one) => one.id),
  );
  const opinions: SheetInput['opinions'][number][] =
    row.ticket_id === null ? [] : await opinionsOnPaper(tx, fileStore, row.ticket_id);
  const recalls = await recallsOf(tx, row.id);
  const code = bears(row, reader) ? await codeOf(tx, { module, id: row.id }) : null;
  if (code) {
    const slip = new Uint8Array(
      await qrPicture(`${origin}/api/verify/${code}/`, { errorCorrectionLevel: 'M', margin: 1, width: 340 }),
    );
    const bare = { who: '', dept: '', did: '', at: '' };
    // A picture on a sheet has the width of a signature, so the code is centred on white.
    const sharp = await loadSharp();
    const framed = await sharp(slip).extend({ left: 250, right: 250, background: '#ffffff' }).png().toBuffer();
    opinions.push({
      ...bare,
      state: '用印凭条',
      words: `到保管人处出示。核验码 ${code}`,
      signature: new Uint8Array(framed),
    });
  }
  const wide = (label: string, value: string) => ({ label, value, wide: true });
  const where = (line: (typeof lines)[number]) =>
    [line.stamp_name, `${line.times} 次`, slotText(line.day, line.part), lineState.label(line.state)]
      .filter(Boolean)
      .join('，');
  return {
    name: '用印审批单',
    org: '',
    facts: [
      wide('文件名称', row.title),
      wide('用印事由', row.reason),
      { label: '发起人', value: alias(row.creator_id) },
      { label: '部门', value: dept },
      { label: '经办人', value: alias(row.operator_id) },
      { label: '用印方式', value: usageType.label(row.use_type) },
      { label: '文件类型', value: fileKind.label(row.file_kind) },
      {
        label: '份数',
        value: `${row.copies} 份${row.pages ? `，每份 ${row.pages} 页` : ''}${row.cross_page ? '，加盖骑缝章' : ''}`,
      },
      wide('送达单位', row.receiver),
      ...(row.serial_from ? [wide('编号', `${row.serial_from} – ${row.serial_to}`)] : []),
      ...(row.use_type === usageType.out
        ? [
            wide(
              '外带',
              `${row.borrow_start?.slice(0, 16)} 至 ${row.borrow_end?.slice(0, 16)}，${row.borrow_place}，陪同人 ${alias(row.escort_id)}`,
            ),
          ]
        : []),
      wide('印章', lines.map(where).join('\n')),
      ...(recalls.length > 0 ? [wide('收回', recalls.map(recallText).join('\n'))] : []),
      wide(
        '用印文件',
        held.map(({ id, sha256 }) => `${files.get(id)?.name ?? ''}（${sha256.slice(0, 16)}）`).join('\n'),
      ),
    ],
    opinions,
  };
}
