import { and, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { RowError } from '#kernel/contract/sheet.ts';
import type { AlumnusKey } from './contract/import.ts';
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
 * Adds alumni, and brings those up to date whose student number is known, in the columns that stand in the sheet. Who opted out stays opted out, and so does
 * a number that did; a line without a number leaves the one that is there. Whom the right does not reach stays as they are. Answers how many are kept, and how
 * many of these were known.
 */
export async function keepAlumni(
  tx: Db,
  user: Viewer,
  rows: readonly AlumnusRow[],
  present: ReadonlySet<AlumnusKey>,
  { secretBox, optedOut }: AlumniServices,
): Promise<{ kept: number; updated: number }> {
  const told = { kept: 0, updated: 0 };
  const set = renewedBy(present);
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce).map((row) => columnsOf(row, user, secretBox));
    const out = await optedOut(
      tx,
      some.flatMap(({ mobileMark }) => mobileMark ?? []),
    );
    const kept = await tx
      .insert(alumnusTable)
      .values(some.map((row) => ({ ...row, optOut: row.optOut || out.has(row.mobileMark ?? '') })))
      .onConflictDoUpdate({ target: alumnusTable.studentNo, set, setWhere: reached(user) })
      .returning({ id, version, name, studentNo, college, major, city, company });
    const updated = kept.filter((row) => row.version > 0);
    if (!searched.every((key) => present.has(key))) await searchAnew(tx, updated);
    told.kept += kept.length;
    told.updated += updated.length;
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
    search: searchOf({ ...row, studentNo: row.student_no }),
  };
}

type Found = Pick<typeof alumnusTable.$inferSelect, 'name' | 'studentNo' | 'college' | 'major' | 'city' | 'company'>;
const { id, version, name, studentNo, college, major, city, company } = alumnusTable;
const searched = ['college', 'major', 'city', 'company'] as const;
const searchOf = (row: Found) =>
  searchVector({ names: [row.name], texts: searched.map((key) => row[key]), codes: [row.studentNo] });

/** What somebody is found by, from what is kept of them and not from a sheet that holds a part of it. */
async function searchAnew(tx: Db, rows: readonly ({ id: number } & Found)[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  await tx.execute(sql`
    update alumnus set search = given.search::tsvector
    from unnest(${sql.param(ids)}::int[], ${sql.param(rows.map(searchOf))}::text[]) given(id, search)
    where alumnus.id = given.id`);
}

/** What a column of the sheet says anew of somebody who is known. */
const renewed = {
  name: ['name'],
  student_no: [],
  gender: ['gender'],
  college: ['college'],
  major: ['major'],
  enter_year: ['enterYear'],
  graduate_year: ['graduateYear'],
  class_name: ['className'],
  degree: ['degree'],
  mobile: [],
  email: ['email'],
  city: ['city'],
  company: ['company'],
  post: ['post'],
  consent: ['consentSms', 'consentAt', 'consentFrom'],
  consent_at: [],
  consent_from: [],
  opt_out: [],
  remark: ['remark'],
} as const satisfies Record<AlumnusKey, readonly (keyof typeof alumnusTable.$inferInsert)[]>;

const given = (column: string) => sql`excluded.${sql.identifier(column)}` as never;
const orKept = (column: string) =>
  sql`case when excluded.mobile is null then ${sql.identifier('alumnus')}.${sql.identifier(column)} else ${given(column)} end` as never;

function renewedBy(present: ReadonlySet<AlumnusKey>) {
  const columns = [...present].flatMap((key) => renewed[key]);
  return {
    ...Object.fromEntries(columns.map((column) => [column, given(alumnusTable[column].name)])),
    search: given('search'),
    mobile: orKept('mobile'),
    mobileMark: orKept('mobile_mark'),
    mobileTail: orKept('mobile_tail'),
    optOut: sql`${alumnusTable.optOut} or excluded.opt_out` as never,
    modified: sql`now()` as never,
    version: sql`${alumnusTable.version} + 1` as never,
  };
}

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
