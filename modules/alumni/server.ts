import { and, inArray, sql, type SQL } from 'drizzle-orm';
import { columnsMissing, rowsWrong } from '#kernel/contract/sheet.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, staged, type ServerModule } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { columnsIn, ignoredIn, linesOf } from '#kernel/server/export/sheet-lines.ts';
import { readSheet } from '#kernel/server/export/sheet-reader.ts';
import { writeSheet } from '#kernel/server/export/sheet-writer.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { alumni, maxAlumniRows, reasonWanted } from './contract.ts';
import { alumniColumns, checkLines, wrongLines } from './import-rows.ts';
import { beyondReach, keepAlumni, type AlumniServices } from './import.ts';
import { alumniLike, alumniWithin } from './rows.ts';
import { alumnusTable } from './tables.ts';

const pages = ['alumnus/list', 'sms/send'] as const;
const groupsShown = 200;

export function alumniModule(services: AlumniServices): ServerModule {
  return implement('alumni', alumni, {
    async count({ query }, { tx, user }) {
      const where = and(alumniWithin(user, 'Retrieve', ...pages), alumniLike(query));
      const [numbers] = await tx
        .select({
          total: sql<number>`count(*)::int`,
          with_mobile: sql<number>`count(${alumnusTable.mobile})::int`,
          consented: sql<number>`(count(*) filter (where ${canText}))::int`,
        })
        .from(alumnusTable)
        .where(where);
      return {
        ...(numbers ?? { total: 0, with_mobile: 0, consented: 0 }),
        by_college: await grouped(tx, sql`${alumnusTable.college}`, where),
        by_major: await grouped(tx, sql`${alumnusTable.major}`, where),
        by_enter_year: await grouped(tx, sql`coalesce(${alumnusTable.enter_year}::text, '')`, where),
        by_degree: await grouped(tx, sql`${alumnusTable.degree}`, where),
        by_year: await grouped(tx, sql`coalesce(${alumnusTable.graduate_year}::text, '')`, where),
        by_city: await grouped(tx, sql`${alumnusTable.city}`, where),
      };
    },

    async choose({ query }, { tx, user }) {
      if (query.export && !query.reason) throw reasonWanted();
      const chosen = query.ids ? inArray(alumnusTable.id, query.ids) : undefined;
      const keeps = holds(user, 'Retrieve', 'alumnus/list');
      const kept = (column: typeof alumnusTable.email | typeof alumnusTable.remark) =>
        keeps ? sql<string>`${column}` : sql<string>`''`;
      const select = tx
        .select({
          id: alumnusTable.id,
          name: alumnusTable.name,
          gender: alumnusTable.gender,
          student_no: alumnusTable.student_no,
          college: alumnusTable.college,
          major: alumnusTable.major,
          enter_year: alumnusTable.enter_year,
          graduate_year: alumnusTable.graduate_year,
          class_name: alumnusTable.class_name,
          degree: alumnusTable.degree,
          city: alumnusTable.city,
          company: alumnusTable.company,
          post: alumnusTable.post,
          email: kept(alumnusTable.email),
          mobile_masked: sql<string>`coalesce('*******' || ${alumnusTable.mobile_tail}, '')`,
          can_sms: sql<boolean>`coalesce(${canText}, false)`,
          consent_at: sql<string | null>`to_char(${alumnusTable.consent_at}, 'YYYY-MM-DD')`,
          consent_from: alumnusTable.consent_from,
          opt_out: alumnusTable.opt_out,
          remark: kept(alumnusTable.remark),
        })
        .from(alumnusTable)
        .where(and(alumniWithin(user, 'Retrieve', ...pages), alumniLike(query), chosen));
      return pageOf(tx, query, select.$dynamic(), {
        by: {
          gmt_created: alumnusTable.gmt_created,
          name: alumnusTable.name,
          graduate_year: alumnusTable.graduate_year,
          college: alumnusTable.college,
        },
        first: 'gmt_created',
        descending: true,
        tie: alumnusTable.id,
      });
    },

    import: staged(alumni.import, {
      before: ({ file }) => checked(file.bytes),
      async run({ query, prepared: { lines, rows, errors, ignored, present } }, { tx, user, audit }) {
        const beyond = await beyondReach(tx, user, lines);
        const wrong = [...errors, ...beyond];
        const valid = lines.length - new Set(wrong.map(({ row }) => row)).size;
        const told = { total: lines.length, valid, imported: 0, updated: 0, errors: wrong, ignored };
        if (query.dry_run) return told;
        if (wrong.length > 0) throw rowsWrong('校友', wrong, told.total, told.valid);
        const { kept, updated } = await keepAlumni(tx, user, rows, present, services);
        if (kept < rows.length) {
          // Brought in by another department since they were looked for.
          const late = await beyondReach(tx, user, lines);
          throw rowsWrong('校友', late, told.total, told.total - late.length);
        }
        audit({ type: '校友', title: `导入 ${rows.length} 人`, after: { 人数: rows.length, 更新: updated } });
        return { ...told, imported: rows.length, updated };
      },
    }),

    importErrors: staged(alumni.importErrors, {
      before: ({ file }) => checked(file.bytes),
      async run({ prepared: { lines, errors } }, { tx, user }) {
        const wrong = [...errors, ...(await beyondReach(tx, user, lines))];
        return { type: sheetType, name: '校友导入错误行.xlsx', bytes: wrongLines(lines, wrong) };
      },
    }),

    importTemplate: () => ({
      type: sheetType,
      name: '校友导入模板.xlsx',
      bytes: writeSheet({
        title: '校友',
        columns: alumniColumns.map(({ title, example }) => ({ title, kind: 'text' as const, value: () => example })),
        rows: [1],
      }),
    }),
  });
}

const sheetType = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';

/** As many as all columns take would be thousands; people fill in dozens. */
const lettersInLine = 400;

async function checked(bytes: Buffer) {
  const sheet = await readSheet(bytes, {
    maxRows: maxAlumniRows + 1,
    maxColumns: 40,
    maxLetters: maxAlumniRows * lettersInLine,
    maxUnpacked: 24 * 2 ** 20,
  });
  const lines = linesOf(sheet, alumniColumns, '校友');
  const present = columnsIn(sheet, alumniColumns);
  if (!present.has('consent') && (present.has('consent_at') || present.has('consent_from')))
    throw columnsMissing(['同意短信']);
  return { lines, present, ignored: ignoredIn(sheet, alumniColumns), ...checkLines(lines) };
}

const canText = sql`(${alumnusTable.mobile} is not null and ${alumnusTable.consent_sms} and not ${alumnusTable.opt_out})`;

function grouped(tx: Db, name: SQL, where: SQL | undefined) {
  return tx
    .select({ name: sql<string>`${name}`, count: sql<number>`count(*)::int` })
    .from(alumnusTable)
    .where(where)
    .groupBy(sql`1`)
    .orderBy(sql`2 desc, 1`)
    .limit(groupsShown);
}
