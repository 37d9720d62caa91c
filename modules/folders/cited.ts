import { and, asc, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { paperStatus, type Outdated } from './contract/rows.ts';
import { visibleTo, type Looker } from './scope.ts';
import { isOddNumber, paperTable, plainNumber } from './tables.ts';

const most = 10;
const mostOfNumber = 60;
const mostOfTitle = 150;
// Issue numbers are written with brackets of all kinds and with blanks or without.
const marks = /[\s〔〕[\]［］（）()【】]/g;
const plain = (text: string) => text.replace(marks, '');

/** All that may be a number in a plain text: what ends with `6号`, as far back as a number can reach. */
function numbersIn(text: string): string[] {
  const found = new Set<string>();
  for (const { index } of text.matchAll(/[0-9〇零一二三四五六七八九十百]号/g))
    for (let from = Math.max(0, index + 2 - mostOfNumber); from <= index; from += 1)
      found.add(text.slice(from, index + 2));
  return [...found];
}

/** All that may be a title in a text: what stands in 《》, which may stand in each other. */
function titlesIn(text: string): string[] {
  const found = new Set<string>();
  for (const { index } of text.matchAll(/《/g)) {
    const near = text.slice(index + 1, index + 2 + mostOfTitle);
    for (const { index: end } of near.matchAll(/》/g)) found.add(near.slice(0, end));
  }
  found.delete('');
  return [...found];
}

/** Papers, whoever sees them, whose number or title may stand in a text: found by index, not by reading every paper's. */
export function namedIn(text: string): SQL {
  const { id, fwh, title } = paperTable;
  const list = (texts: readonly string[]) => sql`${sql.param([...texts])}::text[]`;
  return sql`select ${id} from ${paperTable} where ${plainNumber(fwh)} = any(${list(numbersIn(plain(text)))})
    union select ${id} from ${paperTable} where ${isOddNumber(fwh)} and strpos(${plain(text)}, ${plainNumber(fwh)}) > 0
    union select ${id} from ${paperTable} where ${title} = any(${list(titlesIn(text))})`;
}

/**
 * Papers that a text cites by issue number or by title in 《》 and that were revised or repealed, as far as a person sees them. A
 * title that is in force again under another number is no warning, nor is a number that is the end of another paper's.
 */
export async function outdatedIn(tx: Db, viewer: Looker, text: string): Promise<Outdated[]> {
  if (!/[号《]/.test(text)) return [];
  const { rows } = await tx.execute<{ id: number }>(namedIn(text));
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const { id, title, fwh, status } = paperTable;
  const outdated = inArray(status, [paperStatus.revised, paperStatus.repealed]);
  const seen = and(outdated, visibleTo(viewer));
  const numbered = sql`${fwh} <> '' and strpos(${plain(text)}, ${plainNumber(fwh)}) > 0`;
  const titled = sql`strpos(${text}, '《' || ${title} || '》') > 0 and not exists (
    select 1 from folder_paper n where n.title = ${title} and n.status = ${paperStatus.inForce})`;
  const found = await tx
    .select({ id, title, fwh, status, titled: sql<boolean>`(${titled})`, seen: sql<boolean>`(${seen})` })
    .from(paperTable)
    .where(and(inArray(id, ids), or(numbered, and(titled, seen))))
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
