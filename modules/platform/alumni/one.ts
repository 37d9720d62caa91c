import { and, eq, ne, or, sql } from 'drizzle-orm';
import type { BodyOf, PermissionCode } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { titleOf } from '#kernel/contract/titles.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { refuseOn, type Db } from '#kernel/server/db/db.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import {
  alumnusFields,
  consentUnsaid,
  mostAlike,
  optOutStays,
  studentNoTaken,
  type Alike,
  type oneAlumnus,
} from './contract/one.ts';
import { columnsOf, searchOf, type AlumniServices } from './import.ts';
import { alumniWithin } from './rows.ts';
import { alumnusTable as t } from './tables.ts';

interface Work {
  tx: Db;
  user: Viewer;
  audit: Context['audit'];
}

async function reached({ tx, user }: Work, id: number, code: PermissionCode) {
  const [row] = await tx
    .select()
    .from(t)
    .where(and(eq(t.id, id), alumniWithin(user, code, 'alumnus/list')))
    .for('update');
  if (!row) throw absent('该校友');
  return row;
}

/** The log is sealed and cannot erase anybody, so it names the changed fields of an alumnus and never their values. */
const inLog = (id: number) => ({ type: '校友', id, title: `第 ${id} 号校友` });

/** Adds one alumnus; a number that wants no messages stays opted out. */
export async function addAlumnus(
  { tx, user, audit }: Work,
  { consent_sms, ...body }: BodyOf<typeof oneAlumnus.add>,
  { secretBox, optedOut }: AlumniServices,
): Promise<{ id: number }> {
  if (consent_sms && (!body.consent_at || !body.consent_from)) throw consentUnsaid();
  const row = columnsOf({ ...body, consent: consent_sms, mobile: body.mobile || null }, user, secretBox);
  const mark = row.mobile_mark;
  const refused = mark !== null && (await optedOut(tx, [mark])).has(mark);
  const [added] = await tx
    .insert(t)
    .values({ ...row, opt_out: row.opt_out || refused })
    .returning({ id: t.id })
    .catch(refuseOn('alumnus_student_no', () => studentNoTaken(row.student_no)));
  const { id } = added!;
  audit({ ...inLog(id), after: { 操作: '新增' } });
  return { id };
}

/** Alumni within reach who may be the same person: with the same number, or the same name and year. */
export function alikeAlumni(
  { tx, user }: Pick<Work, 'tx' | 'user'>,
  { name, graduate_year, mobile, except }: BodyOf<typeof oneAlumnus.alike>,
  { secretBox }: AlumniServices,
): Promise<Alike[]> {
  const sameMobile = mobile ? eq(t.mobile_mark, secretBox.keyedHash(mobile)) : sql`false`;
  const sameName = name
    ? sql`(${t.name} = ${name} and ${t.graduate_year} is not distinct from ${graduate_year}::int)`
    : sql`false`;
  return tx
    .select({
      id: t.id,
      name: t.name,
      student_no: t.student_no,
      college: t.college,
      graduate_year: t.graduate_year,
      same_mobile: sql<boolean>`coalesce(${sameMobile}, false)`,
    })
    .from(t)
    .where(
      and(
        alumniWithin(user, 'Retrieve', 'alumnus/list'),
        or(sameMobile, sameName),
        except === undefined ? undefined : ne(t.id, except),
      ),
    )
    .orderBy(sql`6 desc`, t.id)
    .limit(mostAlike);
}

/** Updates the sent fields of one alumnus. */
export async function changeAlumnus(
  work: Work,
  id: number,
  { version, mobile, without_mobile: without, ...sent }: BodyOf<typeof oneAlumnus.change>,
  { secretBox, optedOut }: AlumniServices,
): Promise<{ id: number }> {
  const { tx, audit } = work;
  const row = await reached(work, id, 'Update');
  checkVersion('校友', row, version, null);
  const given = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined)) as typeof sent;
  const next = { ...row, ...given } as typeof row;
  if (row.opt_out && given.opt_out === false) throw optOutStays();
  if (next.consent_sms && (!next.consent_at || !next.consent_from)) throw consentUnsaid();
  const said = next.consent_sms ? {} : { consent_at: null, consent_from: '' };
  const number = without
    ? { mobile: null, mobile_mark: null, mobile_tail: null }
    : mobile
      ? { mobile: secretBox.seal(mobile), mobile_mark: secretBox.keyedHash(mobile), mobile_tail: mobile.slice(-4) }
      : {};
  const mark = mobile && !without ? secretBox.keyedHash(mobile) : null;
  const refused = mark !== null && (await optedOut(tx, [mark])).has(mark);
  await tx
    .update(t)
    .set({
      ...given,
      ...said,
      ...number,
      opt_out: next.opt_out || refused,
      search: searchOf(next),
      ...touched(t),
    })
    .where(eq(t.id, id))
    .catch(refuseOn('alumnus_student_no', () => studentNoTaken(next.student_no)));
  const changed = Object.entries(given).flatMap(([key, value]) =>
    value === row[key as keyof typeof row] ? [] : [titleOf(alumnusFields[key as keyof typeof alumnusFields]) ?? key],
  );
  const numbers = without ? ['删去手机号'] : mobile ? ['手机号'] : [];
  audit({ ...inLog(id), after: { 修改: [...changed, ...numbers] } });
  return { id };
}

/** Erases one alumnus, here and in all text messages. */
export async function eraseAlumnus(work: Work, id: number, { forgetAlumnus }: AlumniServices): Promise<{ id: number }> {
  const { tx, audit } = work;
  const { mobile, mobile_mark: mark, mobile_tail, opt_out } = await reached(work, id, 'Delete');
  const others = and(eq(t.mobile_mark, mark ?? ''), sql`${t.id} <> ${id}`);
  const shared = mark !== null && (await tx.$count(t, others)) > 0;
  await forgetAlumnus(tx, { id, mobile, mobile_mark: mark, mobile_tail, opt_out, shared });
  await tx.delete(t).where(eq(t.id, id));
  audit({ ...inLog(id), after: { 操作: '删除' } });
  return { id };
}
