import { and, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { SecretBox } from '#kernel/server/process/secret-box.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { RowError } from '#kernel/contract/sheet/sheet.ts';
import type { ErasedAlumnus } from './service.ts';
import type { AlumnusKey } from './contract/import.ts';
import { hiddenDigits, isMasked, type AlumnusLine, type AlumnusRow } from './import-rows.ts';
import { alumniWithin } from './rows.ts';
import { alumnusTable } from './tables.ts';

const rowsAtOnce = 500;

export interface AlumniServices {
  secretBox: SecretBox;
  /** Those of some number hashes that want no messages. */
  optedOut(tx: Db, marks: readonly string[]): Promise<ReadonlySet<string>>;
  /** Removes a person from the messages sent. */
  forgetAlumnus(tx: Db, of: ErasedAlumnus): Promise<void>;
}

/**
 * Adds alumni, and updates those whose student number is known, in the columns of the sheet. People and numbers that opted out stay opted out; a line
 * without a number keeps the stored one. People out of reach stay unchanged. Returns how many were saved, and how many of these were known.
 */
export async function keepAlumni(
  tx: Db,
  user: Viewer,
  rows: readonly AlumnusRow[],
  present: ReadonlySet<AlumnusKey>,
  { secretBox, optedOut }: AlumniServices,
): Promise<{ kept: number; updated: number }> {
  const counts = { kept: 0, updated: 0 };
  const set = renewedBy(present);
  for (let at = 0; at < rows.length; at += rowsAtOnce) {
    const some = rows.slice(at, at + rowsAtOnce).map((row) => columnsOf(row, user, secretBox));
    const out = await optedOut(
      tx,
      some.flatMap((row) => row.mobile_mark ?? []),
    );
    const kept = await tx
      .insert(alumnusTable)
      .values(some.map((row) => ({ ...row, opt_out: row.opt_out || out.has(row.mobile_mark ?? '') })))
      .onConflictDoUpdate({ target: alumnusTable.student_no, set, setWhere: reached(user) })
      .returning({ id, version, name, student_no, college, major, city, company });
    const updated = kept.filter((row) => row.version > 0);
    if (!searched.every((key) => present.has(key))) await searchAnew(tx, updated);
    counts.kept += kept.length;
    counts.updated += updated.length;
  }
  return counts;
}

/** A new row in the name of the importing person. */
export function columnsOf(row: AlumnusRow, user: Viewer, box: SecretBox) {
  const { mobile } = row;
  return {
    creator_id: user.id,
    dept_id: user.depts[0] ?? null,
    name: row.name,
    gender: row.gender,
    student_no: row.student_no,
    college: row.college,
    major: row.major,
    enter_year: row.enter_year,
    graduate_year: row.graduate_year,
    class_name: row.class_name,
    degree: row.degree,
    mobile: mobile && box.seal(mobile),
    mobile_mark: mobile && box.keyedHash(mobile),
    mobile_tail: mobile && mobile.slice(-4),
    email: row.email ?? '',
    city: row.city,
    company: row.company,
    post: row.post,
    consent_sms: row.consent,
    consent_at: row.consent ? row.consent_at : null,
    consent_from: row.consent ? row.consent_from : '',
    opt_out: row.opt_out,
    remark: row.remark,
    search: searchOf(row),
  };
}

type Found = Pick<typeof alumnusTable.$inferSelect, 'name' | 'student_no' | 'college' | 'major' | 'city' | 'company'>;
const { id, version, name, student_no, college, major, city, company } = alumnusTable;
const searched = ['college', 'major', 'city', 'company'] as const;
export const searchOf = (row: Found) =>
  searchVector({ names: [row.name], texts: searched.map((key) => row[key]), codes: [row.student_no] });

/** Rebuilds the search words from the stored row, because a sheet may hold only a part of it. */
async function searchAnew(tx: Db, rows: readonly ({ id: number } & Found)[]): Promise<void> {
  const ids = rows.map((row) => row.id);
  await tx.execute(sql`
    update alumnus set search = given.search::tsvector
    from unnest(${sql.param(ids)}::int[], ${sql.param(rows.map(searchOf))}::text[]) given(id, search)
    where alumnus.id = given.id`);
}

/** The table columns that a sheet's column updates. */
const renewed = {
  name: ['name'],
  student_no: [],
  gender: ['gender'],
  college: ['college'],
  major: ['major'],
  enter_year: ['enter_year'],
  graduate_year: ['graduate_year'],
  class_name: ['class_name'],
  degree: ['degree'],
  mobile: [],
  email: ['email'],
  city: ['city'],
  company: ['company'],
  post: ['post'],
  consent: ['consent_sms', 'consent_at', 'consent_from'],
  consent_at: [],
  consent_from: [],
  opt_out: [],
  remark: ['remark'],
} as const satisfies Record<AlumnusKey, readonly (keyof typeof alumnusTable.$inferInsert)[]>;

const given = (column: string) => sql`excluded.${sql.identifier(column)}`;
const orKept = (column: string) =>
  sql`case when excluded.mobile is null then ${sql.identifier('alumnus')}.${sql.identifier(column)} else ${given(column)} end`;

function renewedBy(present: ReadonlySet<AlumnusKey>) {
  const columns = [...present].flatMap((key) => renewed[key]);
  return {
    ...Object.fromEntries(columns.map((column) => [column, given(alumnusTable[column].name)])),
    search: given('search'),
    mobile: orKept('mobile'),
    mobile_mark: orKept('mobile_mark'),
    mobile_tail: orKept('mobile_tail'),
    opt_out: sql`${alumnusTable.opt_out} or excluded.opt_out`,
    gmt_modified: sql`now()`,
    version: sql`${alumnusTable.version} + 1`,
  };
}

const reached = (user: Viewer) => alumniWithin(user, 'Create', 'alumnus/list');

/** Student numbers of alumni imported by others, whom this person's permission does not reach. */
export async function beyondReach(tx: Db, user: Viewer, lines: readonly AlumnusLine[]): Promise<RowError[]> {
  const numbers = lines.map(({ cells }) => cells.student_no);
  const rows = await tx
    .select({ student_no: alumnusTable.student_no })
    .from(alumnusTable)
    .where(
      and(sql`${alumnusTable.student_no} = any(${sql.param(numbers)}::text[])`, sql`(${reached(user)}) is not true`),
    );
  const held = new Set(rows.map((row) => row.student_no));
  return lines
    .filter(({ cells }) => held.has(cells.student_no))
    .map(({ line, cells }) => ({ row: line, field: '学号', msg: `学号 ${cells.student_no} 由其他部门维护，不能改动` }));
}

/** Numbers with hidden digits, as exported, that differ from the stored number of this alumnus: it is not known which is meant. */
export async function maskedElsewhere(tx: Db, user: Viewer, lines: readonly AlumnusLine[]): Promise<RowError[]> {
  const masked = lines.filter(({ cells }) => isMasked(cells.mobile));
  if (masked.length === 0) return [];
  const numbers = masked.map(({ cells }) => cells.student_no);
  const rows = await tx
    .select({ student_no: alumnusTable.student_no, tail: alumnusTable.mobile_tail })
    .from(alumnusTable)
    .where(and(sql`${alumnusTable.student_no} = any(${sql.param(numbers)}::text[])`, reached(user)));
  const tails = new Map(rows.map((row) => [row.student_no, row.tail]));
  return masked
    .filter(({ cells }) => `${hiddenDigits}${tails.get(cells.student_no) ?? ''}` !== cells.mobile)
    .map(({ line, cells }) => ({
      row: line,
      field: '手机',
      msg: `“${cells.mobile}”隐去了前 7 位，请填写完整的手机号，或清空这一格`,
    }));
}
