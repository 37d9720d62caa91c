import { and, asc, inArray, or, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { paperStatus, type Outdated } from './contract/rows.ts';
import { visibleTo, type Looker } from './scope.ts';
import { paperTable } from './tables.ts';

const most = 10;
// Issue numbers are written with brackets of all kinds and with blanks or without.
const marks = '[\\s〔〕\\[\\]［］（）()【】]';
const plain = (text: string) => text.replace(new RegExp(marks, 'g'), '');

/**
 * Papers that a text cites by issue number or by title in 《》 and that were revised or repealed, as far as a person sees them. A
 * title that is in force again under another number is no warning.
 */
export async function outdatedIn(tx: Db, viewer: Looker, text: string): Promise<Outdated[]> {
  if (!/[号《]/.test(text)) return [];
  const { id, title, fwh, status } = paperTable;
  return tx
    .select({ id, title, fwh, status })
    .from(paperTable)
    .where(
      and(
        inArray(status, [paperStatus.revised, paperStatus.repealed]),
        or(
          sql`${fwh} <> '' and strpos(${plain(text)}, regexp_replace(${fwh}, ${marks}, '', 'g')) > 0`,
          sql`strpos(${text}, '《' || ${title} || '》') > 0 and not exists (
            select 1 from folder_paper n where n.title = ${title} and n.status = ${paperStatus.inForce})`,
        ),
        visibleTo(viewer),
      ),
    )
    .orderBy(asc(id))
    .limit(most);
}
