import { and, asc, eq, inArray, isNotNull, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { AlumnusFilter } from './contract/filter.ts';
import { alumniLike, alumniWithin } from './rows.ts';
import { alumnusTable } from './tables.ts';

/** An alumnus as a recipient; the number is sealed. */
export interface AlumnusToText {
  id: number;
  name: string;
  mobile: string | null;
  /** True if they agreed to messages and have not revoked it. */
  agrees: boolean;
  optedOut: boolean;
}

/** An alumnus to be erased, locked. */
export interface ErasedAlumnus {
  id: number;
  /** Sealed. */
  mobile: string | null;
  mobile_mark: string | null;
  mobile_tail: string | null;
  opt_out: boolean;
  /** True if another alumnus has the same number. */
  shared: boolean;
}

interface Meant {
  ids: readonly number[];
  filter: AlumnusFilter | undefined;
}

function meantBy(viewer: Viewer, { ids, filter }: Meant): SQL | undefined {
  const named = inArray(alumnusTable.id, [...ids, 0]);
  const meant = filter ? sql`(${named} or (${alumniLike(filter) ?? sql`true`}))` : named;
  return and(meant, alumniWithin(viewer, 'Create', 'sms/send'));
}

/** The number of alumni chosen by id and filter, within reach of a sender on the page `sms/send`. */
export const countAlumniToText = (tx: Db, viewer: Viewer, meant: Meant): Promise<number> =>
  tx.$count(alumnusTable, meantBy(viewer, meant));

/** The alumni themselves, at most `limit`. */
export async function alumniToText(tx: Db, viewer: Viewer, meant: Meant, limit: number): Promise<AlumnusToText[]> {
  if (meant.ids.length === 0 && !meant.filter) return [];
  const rows = await tx
    .select({
      id: alumnusTable.id,
      name: alumnusTable.name,
      mobile: alumnusTable.mobile,
      consent: alumnusTable.consent_sms,
      optedOut: alumnusTable.opt_out,
    })
    .from(alumnusTable)
    .where(meantBy(viewer, meant))
    .orderBy(asc(alumnusTable.id))
    .limit(limit);
  return rows.map(({ consent, ...row }) => ({ ...row, agrees: consent && !row.optedOut }));
}

/** Those of some alumni within reach of a sender on the page `sms/send`. */
export async function alumniReached(tx: Db, viewer: Viewer, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await tx
    .select({ id: alumnusTable.id })
    .from(alumnusTable)
    .where(meantBy(viewer, { ids, filter: undefined }));
  return new Set(rows.map((row) => row.id));
}

/** True if an alumnus still agrees to messages. */
export async function alumnusAgrees(tx: Db, id: number): Promise<boolean> {
  const [row] = await tx
    .select({ id: alumnusTable.id })
    .from(alumnusTable)
    .where(and(eq(alumnusTable.id, id), alumnusTable.consent_sms, eq(alumnusTable.opt_out, false)));
  return row !== undefined;
}

/** Those number hashes whose alumnus wants no messages. */
export const alumniOptedOut = (tx: Db, marks: readonly string[]): Promise<string[]> =>
  marksOf(tx, marks, sql`bool_or(${alumnusTable.opt_out})`);

/** Those number hashes that belong to alumni, none of whom agreed to messages. */
export const alumniWithoutConsent = (tx: Db, marks: readonly string[]): Promise<string[]> =>
  marksOf(tx, marks, sql`not bool_or(${alumnusTable.consent_sms})`);

async function marksOf(tx: Db, marks: readonly string[], which: SQL): Promise<string[]> {
  const rows = await tx
    .select({ mark: alumnusTable.mobile_mark })
    .from(alumnusTable)
    .where(inArray(alumnusTable.mobile_mark, [...marks]))
    .groupBy(alumnusTable.mobile_mark)
    .having(which);
  return rows.flatMap(({ mark }) => mark ?? []);
}

/** Clears the numbers after the sealing key was lost: nobody can read or find them again. Returns how many there were. */
export async function forgetMobiles(tx: Db): Promise<number> {
  const { rowCount } = await tx
    .update(alumnusTable)
    .set({ mobile: null, mobile_mark: null, mobile_tail: null })
    .where(isNotNull(alumnusTable.mobile));
  return rowCount ?? 0;
}

/** Opts out the alumni with a number, whatever they agreed to before; with `out` false they revoke that. */
export async function optOutAlumni(tx: Db, mobileMark: string, out: boolean): Promise<void> {
  await tx
    .update(alumnusTable)
    .set({ opt_out: out, gmt_modified: sql`now()` })
    .where(eq(alumnusTable.mobile_mark, mobileMark));
}
