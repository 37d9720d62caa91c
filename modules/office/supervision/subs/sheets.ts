import { and, eq, gte, isNotNull, isNull } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { momentOf, yearOf } from '#kernel/contract/moment.ts';
import { nextNumber } from '#kernel/server/db/numbering.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { sheetColour, subState } from '../contract/codes.ts';
import { answerNeeded, checkedBefore, dueWrong, noSheets, notAllowed, tooManySheets } from '../contract/refusals.ts';
import type { sheets } from '../contract/hung.ts';
import { closeSheetNews, peopleOf, superviseNews, ownOccasion, urged, type By } from '../record/news.ts';
import { demand, openItem } from '../record/rights.ts';
import { named, subLight } from '../record/columns.ts';
import { at } from '../record/settle.ts';
import { isUnanswered } from '../record/sub-rows.ts';
import { requireSub, type Asker, type Item, type Sub } from '../record/visibility.ts';
import { sheetTable, subTable } from '../tables.ts';
import { numberOf, receives } from './hung.ts';

/** Writes a sheet for each part, numbered without gaps: the year's counter is locked until the transaction ends. */
export async function issueSheets(
  by: By,
  item: Item,
  subs: readonly Sub[],
  { colour, content, answer_by }: { colour: number; content: string; answer_by: string | null },
): Promise<{ id: number; no: string }[]> {
  const { tx, user, now } = by;
  const year = yearOf(now);
  const made: { id: number; no: string }[] = [];
  for (const sub of subs) {
    const seq = await nextNumber(tx, 'supervise_sheet', '', String(year));
    const of = { supervise_id: item.id, sub_id: sub.id, dept: sub.dept, owner: sub.owner, issuer: user.id };
    const [row] = await tx
      .insert(sheetTable)
      .values({ ...of, year, seq, colour, content, answer_by })
      .returning({ id: sheetTable.id });
    const no = numberOf({ year, seq });
    made.push({ id: row!.id, no });
    if (colour === sheetColour.white) continue;
    const to = await peopleOf(by, sub, false);
    await askForAnswer(by, item, sub, { id: row!.id, year, seq, colour, content }, to);
    await urged(by, item, to);
  }
  return made;
}

/** Tells some people, who have the part of a sheet, that it asks for their answer. */
async function askForAnswer(
  by: By,
  item: Item,
  sub: Sub,
  {
    id,
    year,
    seq,
    colour,
    content,
  }: Pick<typeof sheetTable.$inferSelect, 'id' | 'year' | 'seq' | 'colour' | 'content'>,
  to: readonly number[],
): Promise<void> {
  const says = `${sheetColour.label(colour)}色督办单 ${numberOf({ year, seq })}：${content}`;
  await announce(
    by.tx,
    superviseNews.SUP_SHEET,
    [item, sub],
    { content: says, by: by.user.id, occasion: ownOccasion(id), level: colour === sheetColour.red ? 2 : 1 },
    to,
  );
}

/** Sheets without an answer wait for whoever has the part now; the paper itself keeps the name to which it was written. */
export async function passSheets(by: By, item: Item, sub: Sub): Promise<void> {
  const open = await by.tx
    .select()
    .from(sheetTable)
    .where(and(eq(sheetTable.sub_id, sub.id), isUnanswered))
    .orderBy(sheetTable.id);
  const to = open.length > 0 ? await peopleOf(by, sub, false) : [];
  for (const sheet of open) await askForAnswer(by, item, sub, sheet, to);
}

export async function writeSheets(by: By, asker: Asker, id: number, body: BodyOf<typeof sheets.issue>) {
  const { item, subs, actions } = await openItem(by.tx, asker, id);
  demand(actions, 'sheet', item);
  refuseOver(by, body);
  const chosen = [...new Set(body.sub_ids)].map((one) => {
    const sub = subs.find((known) => known.id === one);
    if (!sub) throw absent('督办任务');
    if (sub.status === subState.finished || sub.status === subState.cancelled) demand([], 'sheet', sub);
    return sub;
  });
  const made = await issueSheets(by, item, chosen, body);
  logSheets(by, item, made, body.content);
  return made;
}

/**
 * 督办单 for open or late parts of several items: all of them, or none. All items are locked before the counter, so that its holder waits for
 * no item.
 */
export async function writeSeveral(by: By, asker: Asker, body: BodyOf<typeof sheets.several>) {
  const { supervise_ids, whom, ...paper } = body;
  refuseOver(by, paper);
  const chosen: { item: Item; subs: Sub[] }[] = [];
  for (const id of [...new Set(supervise_ids)].toSorted((a, b) => a - b)) {
    const { item, subs, actions } = await openItem(by.tx, asker, id);
    demand(actions, 'sheet', item);
    const lit = await by.tx
      .select({ id: subTable.id })
      .from(subTable)
      .where(and(eq(subTable.supervise_id, id), isNotNull(subTable.issued_at), gte(subLight, whom)));
    const ids = new Set(lit.map((row) => row.id));
    chosen.push({ item, subs: subs.filter((sub) => ids.has(sub.id)) });
  }
  const count = chosen.reduce((sum, { subs }) => sum + subs.length, 0);
  if (count > mostAtOnce) throw tooManySheets(mostAtOnce);
  if (count === 0) throw noSheets();
  const made: { id: number; no: string }[] = [];
  for (const { item, subs } of chosen) {
    const sent = await issueSheets(by, item, subs, paper);
    logSheets(by, item, sent, paper.content);
    made.push(...sent);
  }
  return made;
}
const mostAtOnce = 200;
const refuseOver = (by: By, { answer_by }: { answer_by: string }) => {
  if (momentOf(answer_by) <= by.now) throw dueWrong('答复', answer_by.slice(0, 16), '已经过去');
};
const logSheets = (by: By, { id, title }: Item, made: readonly { no: string }[], content: string) =>
  by.audit({ type: '督办单', id, title, after: { 督办单: made.map((one) => one.no).join('、'), 内容: content } });

export async function requireSheet(tx: Db, asker: Asker, id: number) {
  const [row] = await tx.select().from(sheetTable).where(eq(sheetTable.id, id));
  if (!row) throw absent('督办单');
  const { item, sub, inside } = await requireSub(tx, asker, row.sub_id, false, '督办单');
  if (!inside) throw absent('督办单');
  return { row, item, sub };
}

/** 签收 and 答复: at once or in two steps, each once. A sheet signed for without an answer can still be answered. */
export async function receiveSheet(by: By, asker: Asker, id: number, { answer }: BodyOf<typeof sheets.receive>) {
  const { tx, user, now, audit } = by;
  const { row, item, sub } = await requireSheet(tx, asker, id);
  const no = numberOf(row);
  const answers = row.received_at !== null && row.answer === '' && answer !== '';
  const act = answers ? '答复' : '签收';
  if (!receives(asker, row, sub)) throw notAllowed(`督办单 ${no}`, '待签收', act, '责任人或承办部门负责人');
  if (row.received_at !== null && row.answer === '' && row.colour !== sheetColour.white && !answers)
    throw answerNeeded();
  const open = answers
    ? and(eq(sheetTable.answer, ''), isNotNull(sheetTable.received_at))
    : isNull(sheetTable.received_at);
  const [done] = await tx
    .update(sheetTable)
    .set({ answer, ...(answers ? {} : { received_at: at(now), received_by: user.id }) })
    .where(and(eq(sheetTable.id, id), open))
    .returning();
  if (!done)
    throw checkedBefore(
      (await named(tx, [(await requireSheet(tx, asker, id)).row], ['received_by']))[0]!.received_by_info?.alias ?? '',
    );
  if (done.answer !== '' || done.colour === sheetColour.white) await closeSheetNews(by, sub.id, id);
  if (row.colour !== sheetColour.white)
    await announce(
      by.tx,
      superviseNews.SUP_DECIDED,
      [item, sub],
      {
        content: `${user.alias}${act}了督办单 ${no}${answer && `：${answer}`}`,
        by: by.user.id,
        occasion: `sheet-${id}-${act}`,
      },
      [row.issuer],
    );
  audit({ type: '督办单', id, title: no, after: { [act]: user.alias, 答复: answer } });
  return { id, status: sub.status };
}
