import { houseNow } from '#kernel/server/process/clock.ts';
import { z } from 'zod';
import { day, name, text } from '#kernel/contract/shapes.ts';
import type { RowError } from '#kernel/contract/sheet.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { importHandlers, issuesOf } from '#kernel/server/import/handlers.ts';
import { deptsNamed, deptUnclear, peopleByName } from '#modules/people/service.ts';
import { sources } from '../contract/codes.ts';
import { superviseImport } from '../contract/import.ts';
import { ItemInput } from '../contract/shapes.ts';
import { create } from '../record/write.ts';

const names = Object.values(sources) as [string, ...string[]];
const Row = z
  .object({
    title: name(120),
    source: z.union([z.literal('').transform(() => sources[4]), z.enum(names)], `请填写${names.join('、')}之一`),
    requirement: text(4000),
    lead_dept: name(50),
    due: day,
    sub: name(120),
    dept: text(50),
    owner: name(50),
    sub_due: day,
    weight: z.union([z.literal('').transform(() => 1), z.coerce.number().int().min(1).max(100)], '请填写 1–100 的整数'),
  })
  .refine((row) => row.sub_due <= row.due, { path: ['sub_due'], message: '晚于事项时限' });
type Row = z.output<typeof Row>;
const evening = (date: string) => `${date} 18:00`;

async function known(tx: Db, rows: readonly { lead_dept: string; dept: string; owner: string }[]) {
  return {
    depts: await deptsNamed(
      tx,
      rows.flatMap((row) => [row.lead_dept, row.dept]),
    ),
    people: await peopleByName(
      tx,
      rows.map((row) => row.owner),
    ),
  };
}

export const superviseImports = importHandlers(superviseImport, {
  read(lines) {
    const tried = lines.map(({ line, cells }) => ({ line, ...Row.safeParse(cells) }));
    return {
      rows: tried.flatMap((one) => (one.success ? [one.data] : [])),
      errors: tried.flatMap((one) => issuesOf(one.line, one.error, superviseImport.columns)),
    };
  },
  async check(tx, _user, lines) {
    const { depts, people } = await known(
      tx,
      lines.map((one) => one.cells),
    );
    const errors = lines.flatMap(({ line: row, cells }): RowError[] => [
      ...(['lead_dept', 'dept'] as const).flatMap((key) =>
        cells[key] && typeof depts.get(cells[key]) !== 'number'
          ? [
              {
                row,
                field: key === 'dept' ? '承办部门' : '主办部门',
                msg: deptUnclear(cells[key], depts.get(cells[key]) === null),
              },
            ]
          : [],
      ),
      ...(cells.owner && !people.has(cells.owner) ? [{ row, field: '责任人账号', msg: '没有这个在职人员' }] : []),
    ]);
    return { errors };
  },
  async apply(tx, user, rows: readonly Row[]) {
    const { depts, people } = await known(tx, rows);
    for (const [title, parts] of Map.groupBy(rows, (row) => row.title)) {
      const [{ source, requirement, lead_dept }] = parts as [Row];
      const code = Number(Object.entries(sources).find(([, label]) => label === source)![0]);
      const due_at = evening(
        parts
          .map((row) => row.due)
          .toSorted()
          .at(-1)!,
      );
      const item = {
        title,
        source: code,
        requirement,
        lead_dept: depts.get(lead_dept)!,
        due_at,
        subs: parts.map((row) => ({
          title: row.sub,
          owner: people.get(row.owner)!.id,
          dept: depts.get(row.dept || row.lead_dept)!,
          due_at: evening(row.sub_due),
          weight: row.weight,
        })),
      };
      await create({ tx, user, now: houseNow(), audit: () => undefined }, ItemInput.parse(item));
    }
    return {};
  },
  nothing: {},
  logged: (rows) => ({ 行数: rows.length }),
});
