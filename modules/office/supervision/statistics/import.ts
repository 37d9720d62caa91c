import { inSql } from '#kernel/server/db/columns.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { sql } from 'drizzle-orm';
import { z } from 'zod';
import { day, name, text } from '#kernel/contract/shapes.ts';
import type { RowError } from '#kernel/contract/sheet/sheet.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { importHandlers, issuesOf } from '#kernel/server/import/handlers.ts';
import { deptsNamed, deptUnclear, peopleByName } from '#modules/platform/people/service.ts';
import { itemState, superviseSource } from '../contract/codes.ts';
import { superviseImport } from '../contract/import.ts';
import { ItemInput } from '../contract/shapes.ts';
import { askerOf, visible } from '../record/visibility.ts';
import { create } from '../record/write.ts';

const names = Object.values(superviseSource.names) as [string, ...string[]];
const Row = z
  .object({
    title: name(120),
    source: z.union(
      [z.literal('').transform(() => superviseSource.names[superviseSource.yearly]), z.enum(names)],
      `请填写${names.join('、')}之一`,
    ),
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

type Line = { line: number; cells: Record<string, string> };
/** Errors for lines of one item that contradict each other, and for a part listed twice. */
function contradictions(lines: readonly Line[]): RowError[] {
  const errors: RowError[] = [];
  const alike = Map.groupBy(lines, ({ cells }) => cells['title']!);
  for (const [first, ...others] of alike.values()) {
    const parts = new Set([`${first!.cells['sub']} ${first!.cells['owner']}`]);
    for (const { line: row, cells } of others) {
      for (const key of ['source', 'requirement', 'lead_dept', 'due'] as const)
        if (cells[key] && cells[key] !== first!.cells[key])
          errors.push({
            row,
            field: superviseImport.columns.find((column) => column.key === key)!.title,
            msg: `${first!.cells[key] ? `与第 ${first!.line} 行同一事项的“${first!.cells[key]}”不同` : `第 ${first!.line} 行同一事项未填写`}，请改为一致；是另一事项的请改事项名称`,
          });
      const part = `${cells['sub']} ${cells['owner']}`;
      if (parts.has(part))
        errors.push({ row, field: '子任务', msg: `同一责任人的“${cells['sub']}”已在本事项中，请删去重复的一行` });
      parts.add(part);
    }
  }
  return errors;
}

/**
 * Errors for items that exist already and are not over, so that importing a sheet twice does not double them. Numbers are shown only to
 * users who may see the items.
 */
async function repeats(tx: Db, user: Viewer, lines: readonly Line[]): Promise<RowError[]> {
  const titles = [...new Set(lines.map(({ cells }) => cells['title']!))];
  const { rows } = await tx.execute<{ title: string; sn: string | null }>(
    sql`select title, min(sn) filter (where ${visible(await askerOf(tx, user))}) sn from supervise where title = any(${sql.param(titles)}::text[]) and not is_deleted and status < ${inSql(itemState.finished)} group by title`,
  );
  const known = new Map(rows.map((row) => [row.title, row.sn]));
  const first = new Set<string>();
  return lines.flatMap(({ line: row, cells }) => {
    const [title, sn] = [cells['title']!, known.get(cells['title']!)];
    if (sn === undefined || first.has(title)) return [];
    first.add(title);
    return [
      {
        row,
        field: '事项',
        msg: `已有同名的未办结事项${sn === null ? '' : ` ${sn}`}，同一张表不要导入两次；确是另一事项的请改名称`,
      },
    ];
  });
}

export const superviseImports = importHandlers(superviseImport, {
  read(lines) {
    const tried = lines.map(({ line, cells }) => ({ line, ...Row.safeParse(cells) }));
    return {
      rows: tried.flatMap((one) => (one.success ? [one.data] : [])),
      errors: tried.flatMap((one) => issuesOf(one.line, one.error, superviseImport.columns)),
    };
  },
  async check(tx, user, lines) {
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
    return { errors: [...errors, ...contradictions(lines), ...(await repeats(tx, user, lines))] };
  },
  async apply(tx, user, rows: readonly Row[]) {
    const { depts, people } = await known(tx, rows);
    for (const [title, parts] of Map.groupBy(rows, (row) => row.title)) {
      const [{ source, requirement, lead_dept }] = parts as [Row];
      const code = Number(Object.entries(superviseSource.names).find(([, label]) => label === source)![0]);
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
