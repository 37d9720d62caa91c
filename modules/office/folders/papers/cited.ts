import { and, asc, inArray, or, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { paperStatus } from '../contract/list.ts';
import type { Outdated } from '../contract/papers.ts';
import type { PaperViewer } from './audience.ts';
import { papers } from './record.ts';
import { isOddNumber, paperTable, plainNumber } from '../tables.ts';

const max = 10;
const mostOfNumber = 60;
const mostOfTitle = 150;
const mostPlaces = 300;
/** The nesting depth of titles within titles. */
const mostInEachOther = 5;
// Issue numbers are written with various brackets, and with or without blanks.
const marks = /[\s〔〕[\]［］（）()【】]/g;
const plain = (text: string) => text.replace(marks, '');

/** The distinct stretches of a text around a sign, up to a limit that no letter exceeds. */
function places(text: string, sign: RegExp, stretch: (index: number) => string): Set<string> {
  const found = new Set<string>();
  for (const { index } of text.matchAll(sign)) {
    if (found.size === mostPlaces) break;
    found.add(stretch(index));
  }
  return found;
}

/** All candidate issue numbers in a plain text: strings ending in `6号`, as long as a number can be. */
function numbersIn(text: string): string[] {
  const ends = places(text, /[0-9〇零一二三四五六七八九十百]号/g, (index) =>
    text.slice(Math.max(0, index + 2 - mostOfNumber), index + 2),
  );
  const found = new Set<string>();
  for (const end of ends) for (let from = 0; from <= end.length - 2; from += 1) found.add(end.slice(from));
  return [...found];
}

/** All candidate titles in a text: strings in 《》, which may be nested. */
function titlesIn(text: string): string[] {
  const found = new Set<string>();
  for (const near of places(text, /《/g, (index) => text.slice(index + 1, index + 2 + mostOfTitle)))
    for (
      let end = near.indexOf('》'), nth = 0;
      end >= 0 && nth < mostInEachOther;
      end = near.indexOf('》', end + 1), nth += 1
    )
      found.add(near.slice(0, end));
  found.delete('');
  return [...found];
}

/** Papers whose number or title may stand in a text, whoever may see them; uses the index instead of reading every paper. */
export function namedIn(text: string): SQL {
  const { id, fwh, title } = paperTable;
  const list = (texts: readonly string[]) => sql`${sql.param([...texts])}::text[]`;
  return sql`select ${id} from ${paperTable} where ${plainNumber(fwh)} = any(${list(numbersIn(plain(text)))})
    union select ${id} from ${paperTable} where ${isOddNumber(fwh)} and strpos(${plain(text)}, ${plainNumber(fwh)}) > 0
    union select ${id} from ${paperTable} where ${title} = any(${list(titlesIn(text))})`;
}

/**
 * Papers that a text cites by issue number or by title in 《》 and that were revised or repealed, if the viewer may see them. A title that is
 * in force again under another number gives no warning, nor does a number that is the end of another paper's.
 */
export async function outdatedIn(tx: Db, viewer: PaperViewer, text: string): Promise<Outdated[]> {
  if (!/[号《]/.test(text)) return [];
  const { rows } = await tx.execute<{ id: number }>(namedIn(text));
  if (rows.length === 0) return [];
  const ids = rows.map((row) => row.id);
  const { id, title, fwh, status } = paperTable;
  const outdated = inArray(status, [paperStatus.revised, paperStatus.repealed]);
  const seen = and(outdated, papers.visible(tx, viewer));
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
    .slice(0, max)
    .map(({ titled: _titled, seen: _seen, ...paper }) => paper);
}

/** Papers whose number still stands in a text after longer numbers that contain it are removed. */
function byNumber(text: string, found: readonly { id: number; fwh: string }[]): Set<number> {
  const numbers = found
    .map(({ id, fwh }) => ({ id, number: plain(fwh) }))
    .filter(({ number }) => number !== '')
    .toSorted((a, b) => b.number.length - a.number.length);
  let left = text;
  const named = new Set<number>();
  for (const { id, number } of numbers) {
    if (!left.includes(number)) continue;
    named.add(id);
    left = left.replaceAll(number, '\n');
  }
  return named;
}
