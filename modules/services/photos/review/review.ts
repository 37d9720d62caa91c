import { dayOf } from '#kernel/contract/moment.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { houseNow } from '#kernel/server/process/clock.ts';
import { and, eq, isNull, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { holdersOfCode } from '#modules/platform/people/service.ts';
import { originalState, photoState, type State } from '../contract/codes.ts';
import { notReady, notToUndo, ownPhoto, photoIs, reasonWanted } from '../contract/refusals.ts';
import type { Work } from '../gallery/reading.ts';
import { photoForUpdate, type Stored } from '../gallery/rows.ts';
import { lockSlots, slotsOf } from './slots.ts';
import { albumTable, photoTable, scoreTable } from '../tables.ts';

export type Act = 'approve' | 'return' | 'down' | 'undo';
const acts = { approve: '采用', return: '退回', down: '下架' } as const;

/** The facts missing before a photo can be shown. */
export function lacksOf(
  row: Pick<Stored, 'title' | 'photographer' | 'faces' | 'consent' | 'consent_until'>,
  open: boolean,
): string[] {
  const over = row.consent_until !== null && row.consent_until < dayOf(houseNow());
  return [
    ...(open ? [] : ['所在相册已停用']),
    ...(row.title ? [] : ['没有标题']),
    ...(row.photographer ? [] : ['没有填写摄影']),
    ...(row.faces && row.consent === 0 ? ['有可识别的人物而未取得授权'] : []),
    ...(row.faces && row.consent > 0 && over ? ['人物授权已到期'] : []),
  ];
}

/** Reviews one photo. Idempotent. */
export async function review(
  context: Work,
  id: number,
  { act, reason, score }: { act: Act; reason: string; score?: number | undefined },
) {
  const { tx, user, now, audit } = context;
  if (act === 'undo') return takeBack(context, id);
  const { row, may } = await photoForUpdate(tx, user, id);
  const done = { approve: photoState.shown, return: photoState.returned, down: photoState.down }[act];
  if (row.state === done && !row.deleted_at) return { id };
  if (!may(act)) throw photoIs(row.title, row.deleted_at ? '在回收站中' : photoState.label(row.state), acts[act]);
  if ((act === 'return' || act === 'down') && reason === '') throw reasonWanted(acts[act]);
  const before = { 状态: photoState.label(row.state) };
  if (act === 'down') await takeDown(context, row, reason);
  else {
    const again = act === 'approve' && row.state === photoState.down;
    if (act === 'approve') {
      const album = await requireReady(tx, row);
      if (
        row.uploader_id === user.id &&
        (await holdersOfCode(tx, 'chuli', 'photo/manage')).some((one) => one.id !== user.id)
      )
        throw ownPhoto(row.title);
      const points = score ?? album.points;
      if (!again && points > 0) await tx.insert(scoreTable).values({ photo_id: id, points, reviewer_id: user.id });
    }
    await tx
      .update(photoTable)
      .set({
        ...touched(photoTable),
        ...reviewedBy(row, user),
        ...(act === 'approve' ? { reason: '', published_at: row.published_at ?? now.toISOString() } : { reason }),
        state: done,
      })
      .where(eq(photoTable.id, id));
  }
  audit({
    type: '照片',
    id,
    title: row.title,
    before,
    after: { 状态: photoState.label(done), ...(reason ? { 原因: reason } : {}) },
  });
  return { id };
}

const cleared = { top_slot: null, com_slot: null };
const reviewedBy = (row: Stored, user: Viewer) => ({
  was_top: row.top_slot !== null,
  was_com: row.com_slot !== null,
  reviewer_id: user.id,
  reviewed_at: sql`now()`,
  was_state: row.state,
  was_reason: row.reason,
  news: row.uploader_id === user.id ? 0 : 2,
});

/** Ends the showing of a photo, for any reason: it is unpinned, and its original can no longer be downloaded. */
export async function takeDown({ tx, user }: Work, row: Stored, reason: string): Promise<void> {
  await tx
    .update(photoTable)
    .set({
      ...touched(photoTable),
      ...cleared,
      state: photoState.down,
      reason,
      ...reviewedBy(row, user),
    })
    .where(eq(photoTable.id, row.id));
  await endRequests(tx, row.id);
}
/** Ends the requests for the original when a photo is no longer shown; only the latest ones can be restored. */
const endRequests = (tx: Db, id: number) =>
  tx.execute(sql`update photo_original set was_state = case when state in (${inSql(originalState.open, originalState.granted)}) then state end, state = ${inSql(originalState.over)}
    where photo_id = ${id} and (state in (${inSql(originalState.open, originalState.granted)}) or was_state is not null)`);

/** Restores the state before the last review, by the same reviewer; credits given meanwhile are reversed by rows of their own. */
async function takeBack(context: Work, id: number) {
  const { tx, user, audit } = context;
  await lockSlots(tx);
  const { row, may } = await photoForUpdate(tx, user, id);
  const was = row.was_state as State | null;
  if (was === null || !may('undo')) throw notToUndo(row.title);
  const shows = was === photoState.shown;
  if (shows) await requireReady(tx, row);
  const pending = was === photoState.pending || was === photoState.returned;
  if (row.state === photoState.shown && pending) await takePoints(context, id);
  const back = shows && row.state === photoState.down;
  const slots = {
    top_slot: back && row.was_top ? ((await slotsOf(tx, 'top', row.category_id)).free ?? null) : null,
    com_slot: back && row.was_com ? ((await slotsOf(tx, 'com', row.category_id)).free ?? null) : null,
  };
  if (!shows) await endRequests(tx, id);
  else
    await tx.execute(
      sql`update photo_original set state = was_state, was_state = null where photo_id = ${id} and was_state is not null`,
    );
  await tx
    .update(photoTable)
    .set({
      ...touched(photoTable),
      ...slots,
      ...(pending ? { published_at: null } : {}),
      state: was,
      reason: row.was_reason,
      was_state: null,
      was_reason: '',
      reviewer_id: null,
      reviewed_at: null,
      // The uploader is notified that it is shown again, because they may have been told of the take-down.
      news: shows && row.uploader_id !== user.id ? 2 : 0,
    })
    .where(eq(photoTable.id, id));
  audit({
    type: '照片',
    id,
    title: row.title,
    before: { 状态: photoState.label(row.state) },
    after: { 状态: photoState.label(was) },
  });
  return { id };
}

/** The album of a photo, if it accepts photos to show. Throws `notReady` with what the photo lacks. */
async function requireReady(tx: Db, row: Stored) {
  const [album] = await tx.select().from(albumTable).where(eq(albumTable.id, row.category_id));
  const lacks = lacksOf(row, album!.status);
  if (lacks.length > 0) throw notReady(row.title, lacks);
  return album!;
}

async function takePoints({ tx, user }: Work, id: number): Promise<void> {
  const taken = sql`not exists (select from photo_score s where s.storno_of = ${scoreTable.id})`;
  const given = await tx
    .select()
    .from(scoreTable)
    .where(and(eq(scoreTable.photo_id, id), isNull(scoreTable.storno_of), taken));
  for (const one of given)
    await tx.insert(scoreTable).values({ photo_id: id, points: -one.points, reviewer_id: user.id, storno_of: one.id });
}
