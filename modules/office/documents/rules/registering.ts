import { and, asc, eq, ne, sql, type AnyColumn } from 'drizzle-orm';
import { dayOf } from '#kernel/contract/moment.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { isWithAuthor } from '#modules/workflow/records/service.ts';
import { notRegistrar, receivedInFuture, registeredBefore } from '../contract/refusals.ts';
import type { Stored } from '../visibility/visibility.ts';
import { documentTable, sameNumber } from '../tables.ts';
import { receiving } from './rules.ts';

/** The page of the register of incoming letters; permission to create there makes a registrar. */
export const registerPage = 'document/register';

/** Refuses incoming letters from users who do not keep the register. */
export function refuseOthersLetters(user: Viewer, docKind: number): void {
  if (docKind === receiving && !holds(user, 'Create', registerPage)) throw notRegistrar();
}

/** True if the user may not change a received letter: after registration, only registrars change its text and files. */
export const keepsAsReceived = (doc: Pick<Stored, 'doc_kind' | 'act_state'>, user: Viewer): boolean =>
  doc.doc_kind === receiving && !isWithAuthor(doc) && !holds(user, 'Create', registerPage);

type Letter = Pick<Stored, 'id' | 'doc_kind' | 'from_org' | 'from_number' | 'received_date'>;

/** Asks for confirmation of a letter that is registered already, or dated in the future; unchanged fields of `before` are not asked about again. */
export async function refuseDoubtful(tx: Db, letter: Letter, before: Letter | null, now: Date): Promise<void> {
  if (letter.doc_kind !== receiving) return;
  const changed = (key: keyof Letter) => letter[key] !== (before?.[key] ?? null);
  const { received_date: received } = letter;
  if (received !== null && changed('received_date') && received > dayOf(now)) throw receivedInFuture(received);
  if (letter.from_number === '' || !(changed('from_number') || changed('from_org'))) return;
  const t = documentTable;
  const same = (column: AnyColumn, value: string) => eq(sameNumber(column), sameNumber(sql`${value}::text`));
  // A lock on the number, so that the second of two concurrent entries is asked.
  await tx.execute(
    sql`select pg_advisory_xact_lock(hashtextextended(${sameNumber(sql`${`${letter.from_org} ${letter.from_number}`}::text`)}, 0))`,
  );
  const [earlier] = await tx
    .select({ from_org: t.from_org, from_number: t.from_number, receipt_no: t.receipt_no, at: t.received_date })
    .from(t)
    .where(
      and(
        eq(t.doc_kind, receiving),
        eq(t.is_deleted, false),
        ne(t.id, letter.id),
        same(t.from_number, letter.from_number),
        same(t.from_org, letter.from_org),
      ),
    )
    .orderBy(asc(t.id))
    .limit(1);
  if (earlier) throw registeredBefore({ ...earlier, day: earlier.at ?? '' });
}
