import { and, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import type { SecretBox } from '#kernel/server/secret-box.ts';
import { searchVector } from '#kernel/server/search.ts';
import type { Viewer } from '#kernel/server/viewer.ts';
import type { RowError } from '#kernel/contract/sheet.ts';
import type { AlumnusLine, AlumnusRow } from './import-rows.ts';
import { alumniWithin } from './rows.ts';
import { alumnusTable } from './tables.ts';

const rowsAtOnce = 500;

export interface AlumniServices {
  secretBox: SecretBox;
  /** Those of some numbers' marks that want no messages. */
  optedOut(tx: Db, marks: readonly string[]): Promise<ReadonlySet<string>>;
}

/**
 * Adds alumni, and brings those up to date whose student number is known. Who opted out stays opted out, and so does a number that did; a sheet without a
 * number leaves the one that is there. Whom the right does not reach stays as they are. Answers how many are kept, and how
 * many of these were known.
 */
export async function keepAlumni(
  tx: Db,
  user: Viewer,
  rows: readonly AlumnusRow[],
  { secretBox, optedOut }: AlumniServices,
): Promise<{ kept: number; updated: number }> {
  const told = { kept: 0, updated: 0 };
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce).map((row) => columnsOf(row, user, secretBox));
    const out = await optedOut(
      tx,
      some.flatMap(({ mobileMark }) => mobileMark ?? []),
    );
    const kept = await tx
      .insert(alumnusTable)
      .values(some.map((row) => ({ ...row, optOut: row.optOut || out.has(row.mobileMark ?? '') })))
      .onConflictDoUpdate({ target: alumnusTable.studentNo, set: renewed, setWhere: reached(user) })
      .returning({ version: alumnusTable.version });
    told.kept += kept.length;
    told.updated += kept.filter(({ version }) => version > 0).length;
  }
  return told;
}

function columnsOf(row: AlumnusRow, user: Viewer, box: SecretBox) {
  const { mobile } = row;
  return {
    creatorId: user.id,
    deptId: user.depts[0] ?? null,
    name: row.name,
    gender: row.gender,
    studentNo: row.student_no,
    college: row.college,
    major: row.major,
    enterYear: row.enter_year,
    graduateYear: row.graduate_year,
    className: row.class_name,
    degree: row.degree,
    mobile: mobile && box.seal(mobile),
    mobileMark: mobile && box.mark(mobile),
    mobileTail: mobile && mobile.slice(-4),
    email: row.email ?? '',
    city: row.city,
    company: row.company,
    post: row.post,
    consentSms: row.consent,
    consentAt: row.consent ? row.consent_at : null,
    consentFrom: row.consent ? row.consent_from : '',
    optOut: row.opt_out,
    remark: row.remark,
    search: searchVector({
      names: [row.name],
      texts: [row.college, row.major, row.city, row.company],
      codes: [row.student_no],
    }),
  };
}

const given = (column: string) => sql`excluded.${sql.identifier(column)}` as never;
const orKept = (column: string) =>
  sql`case when excluded.mobile is null then ${sql.identifier('alumnus')}.${sql.identifier(column)} else ${given(column)} end` as never;
const renewed = {
  name: given('name'),
  gender: given('gender'),
  college: given('college'),
  major: given('major'),
  enterYear: given('enter_year'),
  graduateYear: given('graduate_year'),
  className: given('class_name'),
  degree: given('degree'),
  email: given('email'),
  city: given('city'),
  company: given('company'),
  post: given('post'),
  consentSms: given('consent_sms'),
  consentAt: given('consent_at'),
  consentFrom: given('consent_from'),
  remark: given('remark'),
  search: given('search'),
  mobile: orKept('mobile'),
  mobileMark: orKept('mobile_mark'),
  mobileTail: orKept('mobile_tail'),
  optOut: sql`${alumnusTable.optOut} or excluded.opt_out` as never,
  modified: sql`now()` as never,
  version: sql`${alumnusTable.version} + 1` as never,
};

const reached = (user: Viewer) => alumniWithin(user, 'Create', 'alumnus/list');

/** Student numbers of alumni somebody else brought in, whom this person's right does not reach. */
export async function beyondReach(tx: Db, user: Viewer, lines: readonly AlumnusLine[]): Promise<RowError[]> {
  const numbers = lines.map(({ cells }) => cells.student_no);
  const rows = await tx
    .select({ studentNo: alumnusTable.studentNo })
    .from(alumnusTable)
    .where(
      and(sql`${alumnusTable.studentNo} = any(${sql.param(numbers)}::text[])`, sql`(${reached(user)}) is not true`),
    );
  const held = new Set(rows.map((row) => row.studentNo));
  return lines
    .filter(({ cells }) => held.has(cells.student_no))
    .map(({ line, cells }) => ({ row: line, field: '学号', msg: `学号 ${cells.student_no} 由其他部门维护，不能改动` }));
}
