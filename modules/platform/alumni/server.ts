import { and, inArray, sql, type SQL } from 'drizzle-orm';
import type { PermissionCode } from '#kernel/contract/call.ts';
import { rowsWrong } from '#kernel/contract/sheet/sheet.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement, type ServerModule } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import { importHandlers } from '#kernel/server/import/handlers.ts';
import { holds } from '#kernel/server/access/viewer.ts';
import { alumni, reasonWanted } from './contract.ts';
import { alumniImport } from './contract/import.ts';
import { hiddenDigits, readLines } from './import-rows.ts';
import { beyondReach, keepAlumni, maskedElsewhere, type AlumniServices } from './import.ts';
import { addAlumnus, alikeAlumni, changeAlumnus, eraseAlumnus } from './one.ts';
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
      // Rows readable on two pages are changed on one, within its own scope.
      const offered = (code: PermissionCode, action: string) =>
        holds(user, code, 'alumnus/list')
          ? sql`case when ${alumniWithin(user, code, 'alumnus/list')} then ${action}::text end`
          : sql`null::text`;
      const select = tx
        .select({
          id: alumnusTable.id,
          version: alumnusTable.version,
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
          mobile_masked: sql<string>`coalesce(${hiddenDigits} || ${alumnusTable.mobile_tail}, '')`,
          can_sms: sql<boolean>`coalesce(${canText}, false)`,
          consent_sms: alumnusTable.consent_sms,
          consent_at: sql<string | null>`to_char(${alumnusTable.consent_at}, 'YYYY-MM-DD')`,
          consent_from: alumnusTable.consent_from,
          opt_out: alumnusTable.opt_out,
          remark: kept(alumnusTable.remark),
          actions: sql<
            string[]
          >`array_remove(array[${offered('Update', 'update')}, ${offered('Delete', 'delete')}], null)`,
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

    add: ({ body }, work) => addAlumnus(work, body, services),
    alike: ({ body }, work) => alikeAlumni(work, body, services),
    change: ({ params, body }, work) => changeAlumnus(work, params.id, body, services),
    erase: ({ params }, work) => eraseAlumnus(work, params.id, services),

    ...importHandlers(alumniImport, {
      read: readLines,
      check: async (tx, user, lines) => ({
        errors: [...(await beyondReach(tx, user, lines)), ...(await maskedElsewhere(tx, user, lines))],
      }),
      async apply(tx, user, rows, { present, lines }) {
        const { kept, updated } = await keepAlumni(tx, user, rows, present, services);
        if (kept < rows.length) {
          // Entered by another department since the check.
          const late = await beyondReach(tx, user, lines);
          throw rowsWrong('校友', late, lines.length, lines.length - late.length);
        }
        return { updated };
      },
      nothing: { updated: 0 },
      logged: (rows, { updated }) => ({ 人数: rows.length, 更新: updated }),
    }),
  });
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
