import type { Db } from '#kernel/server/db/db.ts';
import { linesOf } from '#kernel/server/text/rich-text.ts';
import { bodiesOf } from '#modules/office/documents/service.ts';
import { fileCards } from '#modules/platform/files/service.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { stage } from '../contract/codes.ts';
import { type ContractHtml, textMode, type TextVersion } from '../contract/texts.ts';
import { endedOf } from './ended.ts';
import { changesBetween, labelled, linesChanged } from './elements.ts';
import { frozenText, mergedText, textsOf, type Texted } from './freezing.ts';

type Shown = Texted & Parameters<typeof endedOf>[1];
const underWay: readonly number[] = [actState.ongoing, actState.finished, actState.finishAsked];

/** The watermark: for a contract that is not signed, suspended, void or over. */
export async function watermarkOf(tx: Db, row: Shown): Promise<string> {
  const { stage: at } = row;
  const ended = await endedOf(tx, row);
  if (ended) return ended.mark;
  return at === stage.drafting || at === stage.toSign ? '未生效' : '';
}

/** The text of a contract: the frozen one after sending, the present one while it is with its author. */
export async function wordsOf(tx: Db, row: Shown): Promise<{ html: string; sha256: string; standard: boolean }> {
  const frozen = row.text_version > 0 && underWay.includes(row.act_state) ? await frozenText(tx, row) : undefined;
  if (frozen) return frozen;
  const { html, standard } = await mergedText(tx, row);
  return { html, standard, sha256: '' };
}

/** Texts as lines; for uploaded files, the text that was read from them. */
const linesWith =
  (read: ReadonlyMap<number, { words: string }>) =>
  ({ file_id, html }: { file_id: number | null; html: string }): string =>
    file_id === null ? linesOf(html) : (read.get(file_id)?.words ?? '');

/** The text of a contract for reading, with the differences from its template and from the last sent one. */
export async function contractHtml(tx: Db, row: Shown, user: { id: number }): Promise<ContractHtml> {
  const { from, unfilled, standard } = await mergedText(tx, row);
  const words = await wordsOf(tx, row);
  const plain = (content: string) => labelled(content, from?.variables ?? []);
  const differs = from && row.text_mode === textMode.template && !standard;
  const last = row.text_version > 0 && !underWay.includes(row.act_state) ? await frozenText(tx, row) : undefined;
  const own = row.text_mode === textMode.file ? row.file : null;
  const held = [own, last?.file_id].flatMap((one) => one ?? []);
  const [cards, read] = [await fileCards(tx, held, user), await bodiesOf(tx, held)];
  const card = own === null ? undefined : cards.get(own);
  const lines = linesWith(read);
  const [before, now] = [last && lines(last), lines({ file_id: own, html: words.html })];
  return {
    html: words.html,
    file: card ? { card, words: read.get(card.id)?.words ?? '', losses: read.get(card.id)?.losses ?? [] } : null,
    sha256: words.sha256,
    watermark: await watermarkOf(tx, row),
    text_version: row.text_version,
    unfilled,
    standard: words.standard,
    template_diff: differs ? changesBetween(plain(from.content), plain(row.content)) : [],
    sent_diff: before && now && before !== now ? linesChanged(before, now) : [],
  };
}

/** The number of newest versions that are compared with the one before. */
const compared = 10;
/** All frozen texts of a contract, newest first, with their changes. */
export async function textVersions(tx: Db, id: number, user: { id: number }): Promise<TextVersion[]> {
  const rows = await textsOf(tx, id);
  const people = await peopleById(
    tx,
    rows.map((row) => row.creator_id),
  );
  const held = rows.flatMap((row) => row.file_id ?? []);
  const files = await fileCards(tx, held, user);
  const newest = rows.slice(0, compared + 1);
  const read = await bodiesOf(
    tx,
    newest.flatMap((row) => row.file_id ?? []),
  );
  const lines = newest.map(linesWith(read));
  return rows.map((row, at) => {
    const [now, before] = [lines[at], lines[at + 1]];
    return {
      no: row.no,
      at: row.gmt_created,
      who: people.get(row.creator_id)?.alias ?? '',
      sha256: row.sha256,
      standard: row.standard,
      locked_kept: row.locked_kept,
      html: row.html,
      file: files.get(row.file_id ?? 0) ?? null,
      diff: before && now ? linesChanged(before, now) : [],
    };
  });
}
