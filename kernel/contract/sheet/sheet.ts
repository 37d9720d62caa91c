import { z } from 'zod';
import { codes, refusal } from '../refusal.ts';

/** The sheet that was sent cannot be read. */
export const notSheet = refusal(
  codes.refused,
  () => '文件不是 .xlsx 表格；旧版 .xls 或其他格式请先用表格软件另存为 .xlsx 再上传',
);
export const sheetLocked = refusal(codes.refused, () => '表格设有打开密码，请取消密码后再上传');
export const sheetDamaged = refusal(codes.refused, () => '表格文件已损坏，请用表格软件打开并重新保存后再上传');
export const sheetTooBig = refusal(
  codes.refused,
  () => '表格内容过大，请删去图片和多余的工作表，或拆成几个文件后再上传',
);
export const sheetTooManyRows = refusal(codes.refused, (max: number) => `表格超过 ${max} 行，请拆成几个文件后再上传`);
export const sheetTooManyColumns = refusal(
  codes.refused,
  (max: number) => `表格超过 ${max} 列，请删去多余的列后再上传`,
);
export const sheetBusy = refusal(
  codes.tooMany,
  () => '正在读取的表格较多，请稍后再试',
  () => ({ retry_after: 10 }),
);

/** Text that a spreadsheet would take for a formula, also with full-width signs or behind invisible characters. */
export const formulaLike = /^(?:[\s\p{C}]*[=+\-@＝＋－＠]|[\t\r\n])/u;

/** An error in one cell; `row` is the line of the sheet, the header being 1. */
export const RowError = z.object({ row: z.number().int(), field: z.string(), msg: z.string() });
export type RowError = z.output<typeof RowError>;

/** The sheet could be read but is not imported. `what` names its lines in Chinese. */
export const rowsWrong = refusal(
  codes.refused,
  (what: string, errors: readonly RowError[], _total: number, _valid: number) =>
    `表格有 ${errors.length} 处错误，未导入任何${what}，请改正后重新上传`,
  (_what, errors, total, valid) => ({ total, valid, errors }),
);
export const columnsMissing = refusal(
  codes.refused,
  (missing: readonly string[]) => `表格第一行缺少“${missing.join('、')}”列，请下载模板填写后再上传`,
);
/** It is not known what some columns are called: `faults` say for each cell of the first line why. */
export const headingsUnread = refusal(
  codes.refused,
  (faults: readonly string[]) => `表格第一行的列名读不出来：${faults.join('；')}`,
);
export const sheetEmpty = refusal(codes.refused, (what: string) => `表格里没有${what}，请从第二行起填写后再上传`);
