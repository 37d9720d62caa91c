import { and, sql, type SQL } from 'drizzle-orm';
import { rowsWrong } from '#kernel/contract/sheet.ts';
import type { Db } from '#kernel/server/db.ts';
import { implement, staged, type ServerModule } from '#kernel/server/implement.ts';
import { pageOf } from '#kernel/server/paging.ts';
import type { SecretBox } from '#kernel/server/secret-box.ts';
import { linesOf } from '#kernel/server/sheet-lines.ts';
import { readSheet } from '#kernel/server/sheet-reader.ts';
import { writeSheet } from '#kernel/server/sheet-writer.ts';
import { alumni, maxAlumniRows, reasonWanted } from './contract.ts';
import { alumniColumns, checkLines } from './import-rows.ts';
import { beyondReach, keepAlumni } from './import.ts';
import { alumniLike, alumniWithin } from './rows.ts';
import { alumnusTable } from './tables.ts';

const pages = ['alumnus/list', 'sms/send'] as const;
const groupsShown = 200;

export function alumniModule({ secretBox }: { secretBox: SecretBox }): ServerModule {
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
        by_year: await grouped(tx, sql`coalesce(${alumnusTable.graduateYear}::text, '')`, where),
        by_city: await grouped(tx, sql`${alumnusTable.city}`, where),
      };
    },

    async choose({ query }, { tx, user }) {
      if (query.export && !query.reason) throw reasonWanted();
      const select = tx
        .select({
          id: alumnusTable.id,
          name: alumnusTable.name,
          student_no: alumnusTable.studentNo,
          college: alumnusTable.college,
          major: alumnusTable.major,
          enter_year: alumnusTable.enterYear,
          graduate_year: alumnusTable.graduateYear,
          degree: alumnusTable.degree,
          city: alumnusTable.city,
          company: alumnusTable.company,
          mobile_masked: sql<string>`coalesce('*******' || ${alumnusTable.mobileTail}, '')`,
          can_sms: sql<boolean>`coalesce(${canText}, false)`,
          consent_from: alumnusTable.consentFrom,
          opt_out: alumnusTable.optOut,
        })
        .from(alumnusTable)
        .where(and(alumniWithin(user, 'Retrieve', ...pages), alumniLike(query)));
      return pageOf(tx, query, select.$dynamic(), {
        by: {
          gmt_created: alumnusTable.created,
          name: alumnusTable.name,
          graduate_year: alumnusTable.graduateYear,
          college: alumnusTable.college,
        },
        first: 'gmt_created',
        descending: true,
        tie: alumnusTable.id,
      });
    },

    import: staged(alumni.import, {
      async before({ file }) {
        const sheet = await readSheet(file.bytes, { maxRows: maxAlumniRows + 1, maxColumns: 40 });
        const lines = linesOf(sheet, alumniColumns, '校友');
        return { lines, ...checkLines(lines) };
      },
      async run({ query, prepared: { lines, rows, errors } }, { tx, user, audit }) {
        const beyond = await beyondReach(tx, user, lines);
        const wrong = [...errors, ...beyond];
        const valid = lines.length - new Set(wrong.map(({ row }) => row)).size;
        const told = { total: lines.length, valid, imported: 0, updated: 0, errors: wrong };
        if (query.dry_run) return told;
        if (wrong.length > 0) throw rowsWrong('校友', wrong, told.total, told.valid);
        const { kept, updated } = await keepAlumni(tx, user, rows, secretBox);
        if (kept < rows.length) {
          // Brought in by another department since they were looked for.
          const late = await beyondReach(tx, user, lines);
          throw rowsWrong('校友', late, told.total, told.total - late.length);
        }
        audit({ type: '校友', title: `导入 ${rows.length} 人`, after: { 人数: rows.length, 更新: updated } });
        return { ...told, imported: rows.length, updated };
      },
    }),

    importTemplate: () => ({
      type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      name: '校友导入模板.xlsx',
      bytes: writeSheet({
        title: '校友',
        columns: alumniColumns.map(({ title, example }) => ({ title, kind: 'text' as const, value: () => example })),
        rows: [1],
      }),
    }),
  });
}

const canText = sql`(${alumnusTable.mobile} is not null and ${alumnusTable.consentSms} and not ${alumnusTable.optOut})`;

function grouped(tx: Db, name: SQL, where: SQL | undefined) {
  return tx
    .select({ name: sql<string>`${name}`, count: sql<number>`count(*)::int` })
    .from(alumnusTable)
    .where(where)
    .groupBy(sql`1`)
    .orderBy(sql`2 desc, 1`)
    .limit(groupsShown);
}
