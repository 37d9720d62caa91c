import type { Readable } from 'node:stream';
import { z } from 'zod';
import { day, line, name, phone } from '#kernel/contract/shapes.ts';
import type { RowError } from '#kernel/contract/sheet.ts';
import { digitsLost, type SheetLine } from '#kernel/server/export/sheet-lines.ts';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';

/** Columns of the sheet in their order; those marked must be there. */
export const alumniColumns = [
  { key: 'name', title: '姓名', aka: ['名字', '校友姓名'], needed: true, example: '李若兰' },
  { key: 'student_no', title: '学号', aka: ['学生号'], needed: true, example: '2014030217' },
  { key: 'gender', title: '性别', example: '女' },
  { key: 'college', title: '学院', aka: ['院系', '系别', '学院名称'], example: '文学院' },
  { key: 'major', title: '专业', aka: ['专业名称'], example: '汉语言文学' },
  { key: 'enter_year', title: '入学年份', aka: ['入学年', '入学时间'], example: '2014' },
  { key: 'graduate_year', title: '毕业年份', aka: ['毕业年', '毕业届', '毕业时间'], example: '2018' },
  { key: 'class_name', title: '班级', aka: ['班别'], example: '1402' },
  { key: 'degree', title: '学历', aka: ['学位', '学历层次'], example: '本科' },
  { key: 'mobile', title: '手机', aka: ['手机号', '手机号码', '联系电话', '移动电话', '电话'], example: '13800000000' },
  { key: 'email', title: '邮箱', aka: ['邮箱地址', '电子邮箱', '电子邮件', 'Email', 'email'], example: '' },
  { key: 'city', title: '城市', aka: ['所在城市', '所在地'], example: '杭州' },
  { key: 'company', title: '单位', aka: ['工作单位', '公司', '所在单位'], example: '' },
  { key: 'post', title: '职务', aka: ['职位', '岗位'], example: '' },
  { key: 'consent', title: '同意短信', example: '是' },
  { key: 'consent_at', title: '同意日期', example: '2024-06-01' },
  { key: 'consent_from', title: '同意来源', example: '返校登记表' },
  { key: 'opt_out', title: '已退订', example: '否' },
  { key: 'remark', title: '备注', example: '' },
] as const;
export type AlumnusKey = (typeof alumniColumns)[number]['key'];

const year = z
  .union([z.literal(''), z.string().regex(/^(19|20|21)\d\d$/, '请填写四位年份')])
  .transform((value) => (value === '' ? null : Number(value)));
const yes = z.union([z.literal('').transform(() => false), z.enum(['是', '否']).transform((value) => value === '是')], {
  error: '请填写“是”或“否”',
});
const optional = <T extends z.ZodType>(schema: T, message: string) =>
  z.union([z.literal('').transform(() => null), schema], { error: message });

const Row = z
  .object({
    name: name(30),
    student_no: name(30),
    gender: z.enum(['', '男', '女'], '请填写“男”或“女”'),
    college: line(50),
    major: line(50),
    enter_year: year,
    graduate_year: year,
    class_name: line(50),
    degree: line(20),
    mobile: optional(phone, '请输入 11 位手机号'),
    email: line(100).pipe(optional(z.email(), '邮箱格式不正确')),
    city: line(30),
    company: line(60),
    post: line(30),
    consent: yes,
    consent_at: optional(
      z
        .string()
        .regex(/^\d{4}-\d\d-\d\d/)
        .transform((value) => value.slice(0, 10))
        .pipe(day),
      '请按 2024-06-01 的格式填写',
    ),
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

/** What can be taken over, and what is wrong where. */
export function checkLines(lines: readonly AlumnusLine[]): { rows: AlumnusRow[]; errors: RowError[] } {
  const titles = new Map<string, string>(alumniColumns.map(({ key, title }) => [key, title]));
  const seen = new Map<string, number>();
  const rows: AlumnusRow[] = [];
  const errors: RowError[] = [];
  for (const { line: at, cells, altered } of lines) {
    const parsed = Row.safeParse(cells);
    const earlier = seen.get(cells.student_no);
    if (cells.student_no) seen.set(cells.student_no, earlier ?? at);
    const found = (parsed.error?.issues ?? []).map((issue) => ({
      row: at,
      field: titles.get(String(issue.path[0])) ?? '',
      msg: issue.message,
    }));
    if (earlier !== undefined) found.push({ row: at, field: '学号', msg: `与第 ${earlier} 行重复` });
    for (const title of altered) found.push({ row: at, field: title, msg: digitsLost });
    errors.push(...found);
    if (parsed.success && found.length === 0) rows.push(parsed.data);
  }
  return { rows, errors };
}

/** The lines that cannot be taken over, as a sheet to mend and send again: what is wrong first, then what was in the cells. */
export function wrongLines(lines: readonly AlumnusLine[], errors: readonly RowError[]): Readable {
  const said = Map.groupBy(errors, ({ row }) => row);
  const column = (title: string, value: (line: AlumnusLine) => string) => ({ title, kind: 'text' as const, value });
  return writeSheet({
    title: '错误行',
    columns: [
      {
        ...column('问题', ({ line: at }) =>
          said
            .get(at)!
            .map(({ field, msg }) => `${field}：${msg}`)
            .join('；'),
        ),
        width: 48,
      },
      ...alumniColumns.map(({ key, title }) => column(title, ({ cells }) => cells[key])),
    ],
    rows: lines.filter(({ line: at }) => said.has(at)),
  });
}
