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
 * title that is in force again under another number is no warning, nor is a number that is the end of another paper's.
 */
export async function outdatedIn(tx: Db, viewer: Looker, text: string): Promise<Outdated[]> {
  if (!/[号《]/.test(text)) return [];
  const { id, title, fwh, status } = paperTable;
  const outdated = inArray(status, [paperStatus.revised, paperStatus.repealed]);
  const seen = and(outdated, visibleTo(viewer));
  const numbered = sql`${fwh} <> '' and strpos(${plain(text)}, regexp_replace(${fwh}, ${marks}, '', 'g')) > 0`;
  const titled = sql`strpos(${text}, '《' || ${title} || '》') > 0 and not exists (
    select 1 from folder_paper n where n.title = ${title} and n.status = ${paperStatus.inForce})`;
  const found = await tx
    .select({ id, title, fwh, status, titled: sql<boolean>`(${titled})`, seen: sql<boolean>`(${seen})` })
    .from(paperTable)
    .where(or(numbered, and(titled, seen)))
    .orderBy(asc(id));
  const meant = byNumber(plain(text), found);
  return found
    .filter((paper) => paper.seen && (paper.titled || meant.has(paper.id)))
    .slice(0, most)
    .map(({ titled: _titled, seen: _seen, ...paper }) => paper);
}

/** Papers whose number still stands in a text without the longer numbers that it holds. */
function byNumber(text: string, papers: readonly { id: number; fwh: string }[]): Set<number> {
  const numbers = papers
    .map(({ id, fwh }) => ({ id, number: plain(fwh) }))
    .filter(({ number }) => number !== '')
    .toSorted((a, b) => b.number.length - a.number.length);
  let left = text;
  const found = new Set<number>();
  for (const { id, number } of numbers) {
    if (!left.includes(number)) continue;
    found.add(id);
    left = left.replaceAll(number, '\n');
  }
  return found;
}
