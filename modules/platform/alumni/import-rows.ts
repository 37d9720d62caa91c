import { z } from 'zod';
import { day, line, name, personName, phone } from '#kernel/contract/shapes.ts';
import { columnsMissing, type RowError } from '#kernel/contract/sheet/sheet.ts';
import type { SheetLine } from '#kernel/server/export/sheet-lines.ts';
import { issuesOf, type Read } from '#kernel/server/import/handlers.ts';
import { alumniImport, type AlumnusKey } from './contract/import.ts';

const year = z
  .union([z.literal(''), z.string().regex(/^(19|20|21)\d\d$/, '请填写四位年份')])
  .transform((value) => (value === '' ? null : Number(value)));
const yes = z.union([z.literal('').transform(() => false), z.enum(['是', '否']).transform((value) => value === '是')], {
  error: '请填写“是”或“否”',
});
const optional = <T extends z.ZodType>(schema: T, message: string) =>
  z.union([z.literal('').transform(() => null), schema], { error: message });

/** Placeholder for the hidden digits of a number. */
export const hiddenDigits = '*******';
export const isMasked = (typed: string) => typed.length === 11 && typed.startsWith(hiddenDigits);

const Row = z
  .object({
    name: personName(30),
    student_no: name(30),
    gender: z.enum(['', '男', '女'], '请填写“男”或“女”'),
    college: line(50),
    major: line(50),
    enter_year: year,
    graduate_year: year,
    class_name: line(50),
    degree: line(20),
    // As exported: the stored number stays.
    mobile: z
      .string()
      .transform((typed) => (isMasked(typed) ? '' : typed))
      .pipe(optional(phone, '请输入 11 位手机号')),
    email: line(100).pipe(optional(z.email(), '邮箱格式不正确')),
    city: line(30),
    company: line(60),
    post: line(30),
    consent: yes,
    consent_at: z.preprocess((typed) => (typed === '' ? null : typed), day.nullable()),
    consent_from: line(60),
    opt_out: yes,
    remark: line(200),
  })
  .superRefine((row, check) => {
    if (!row.consent) return;
    for (const key of ['consent_at', 'consent_from'] as const)
      if (!row[key]) check.addIssue({ code: 'custom', path: [key], message: '填写了同意短信，须注明日期和来源' });
  });
export type AlumnusRow = z.output<typeof Row>;

export type AlumnusLine = SheetLine<AlumnusKey>;

/** The lines that can be imported, and the faults of the others. */
export function readLines(lines: readonly AlumnusLine[], present: ReadonlySet<AlumnusKey>): Read<AlumnusRow> {
  if (!present.has('consent') && (present.has('consent_at') || present.has('consent_from')))
    throw columnsMissing(['同意短信']);
  const rows: AlumnusRow[] = [];
  const errors: RowError[] = [];
  for (const { line: at, cells } of lines) {
    const parsed = Row.safeParse(cells);
    if (parsed.success) rows.push(parsed.data);
    else errors.push(...issuesOf(at, parsed.error, alumniImport.columns));
  }
  return { rows, errors };
}
