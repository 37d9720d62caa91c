import { eq, sql } from 'drizzle-orm';
import type { BodyOf } from '#kernel/contract/call.ts';
import { titled } from '#kernel/contract/titles.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { refuseOn, savepoint } from '#kernel/server/db/db.ts';
import { checkVersion, touched } from '#kernel/server/db/version.ts';
import {
  attachAll,
  bytesOf,
  detachAll,
  enter,
  fileById,
  keepPicture,
  turned,
} from '#modules/platform/files/service.ts';
import { consent, originalState, photoState } from '../contract/codes.ts';
import { type photos } from '../contract/photos.ts';
import { PhotoChange, type Said } from '../contract/shapes.ts';
import { photoIs, reasonWanted, sentBefore, unchanged } from '../contract/refusals.ts';
import type { Work } from '../gallery/reading.ts';
import { photoForUpdate, requirePhoto, type Stored } from '../gallery/rows.ts';
import { pictureRule } from '../owner.ts';
import { takeDown } from '../review/review.ts';
import { photoTable } from '../tables.ts';
import { albumTaking, demandTaken, keepWords, wordsDiffer, instantOf } from './create.ts';

const isOf = (row: Stored) => (row.deleted_at ? '在回收站中' : photoState.label(row.state));

/** A returned photo that was edited since counts as answered, so its return can no longer be undone. */
const worked = (row: Stored) => (row.state === photoState.returned ? { was_state: null, was_reason: '' } : {});

/** Writes the descriptive fields of a photo; with `submit` a returned one waits for review again. */
export async function change(
  context: Work,
  id: number,
  { version, submit, ...sent }: Said & { submit?: boolean | undefined },
) {
  const { tx, user, audit } = context;
  const { row, may, seen } = await photoForUpdate(tx, user, id);
  if (!may('update')) throw photoIs(row.title, isOf(row), '编辑');
  checkVersion('照片', row, version, seen);
  const { tags, people, taken_at, ...said } = Object.fromEntries(
    Object.entries(sent).filter(([, value]) => value !== undefined),
  ) as Said;
  if (said.category_id && said.category_id !== row.category_id) await albumTaking(tx, user, said.category_id);
  // Forms send only minutes, so the camera's seconds stay if the minute is the same.
  const sameMinute = (taken_at ?? null)?.replace('T', ' ').slice(0, 16) === seen.taken_at?.slice(0, 16);
  if (taken_at && !sameMinute) demandTaken(taken_at, context.now);
  const taken =
    taken_at === undefined || sameMinute
      ? {}
      : { taken_at, taken_by_camera: false, shot_at: taken_at ? instantOf(taken_at).toISOString() : row.gmt_created };
  const again = submit && row.state === photoState.returned && row.uploader_id === user.id;
  const waits = again ? { state: photoState.pending, reason: '', round: row.round + 1, news: 1 } : {};
  const differs =
    Object.keys(taken).length > 0 ||
    Object.entries(said).some(([key, value]) => row[key as keyof Stored] !== value) ||
    (await wordsDiffer(tx, id, { tags, people }));
  if (!differs && !again) return { id };
  if (!differs && row.was_state !== null) throw unchanged(row.title);
  // A slot belongs to the album.
  const moved =
    said.category_id !== undefined && said.category_id !== row.category_id ? { top_slot: null, was_top: false } : {};
  const [after] = await savepoint(tx, () =>
    tx
      .update(photoTable)
      .set({ ...said, ...taken, ...waits, ...moved, ...worked(row), ...touched(photoTable) })
      .where(eq(photoTable.id, id))
      .returning()
      .catch(refuseOn('photo_once', () => sentBefore('所选相册', row))),
  );
  await keepWords(tx, id, { tags, people });
  const facts = (of: Stored) => titled(PhotoChange, { ...of });
  audit({
    type: '照片',
    id,
    title: row.title,
    before: facts(row),
    after: { ...facts(after!), ...(again ? { 重新提交: '是' } : {}) },
  });
  return { id };
}

/** Withdraws consent: the photo is taken down at once, and its original can no longer be downloaded. */
export async function withdrawConsent(context: Work, id: number, why: string) {
  const { tx, user, audit } = context;
  const { row, may } = await photoForUpdate(tx, user, id);
  if (why === '') throw reasonWanted('撤回授权');
  if (!may('withdraw')) throw photoIs(row.title, isOf(row), '撤回授权');
  await takeDown(context, row, `授权撤回：${why}`.slice(0, 200));
  // This cannot be undone; consent has to be obtained anew.
  const withdrawn = { consent: 0, faces: true, consent_until: null, was_state: null, was_reason: '' };
  await tx.update(photoTable).set(withdrawn).where(eq(photoTable.id, id));
  audit({
    type: '照片',
    id,
    title: row.title,
    before: { 人物授权: consent.label(row.consent) },
    after: { 人物授权: '已撤回', 原因: why },
  });
  return { id };
}

/** Moves a photo into the trash, and out of it. */
export async function remove(context: Work, id: number) {
  const { tx, user, now, audit } = context;
  const { row, may } = await photoForUpdate(tx, user, id);
  if (!may('delete')) throw photoIs(row.title, isOf(row), '删除');
  const gone = { deleted_at: now.toISOString(), deleted_by: user.id, top_slot: null, com_slot: null };
  await tx
    .update(photoTable)
    .set({ ...gone, ...touched(photoTable) })
    .where(eq(photoTable.id, id));
  await tx.execute(
    sql`update photo_original set state = ${inSql(originalState.over)} where photo_id = ${id} and state in (${inSql(originalState.open, originalState.granted)})`,
  );
  audit({
    type: '照片',
    id,
    title: row.title,
    before: { 状态: photoState.label(row.state) },
    after: { 状态: '回收站' },
  });
  return { id };
}

export async function restore(context: Work, id: number) {
  const { tx, user, audit } = context;
  const { row, may, seen } = await photoForUpdate(tx, user, id);
  if (!may('restore')) throw photoIs(row.title, isOf(row), '还原');
  await savepoint(tx, () =>
    tx
      .update(photoTable)
      .set({ deleted_at: null, deleted_by: null, ...touched(photoTable) })
      .where(eq(photoTable.id, id))
      .catch(refuseOn('photo_once', () => sentBefore(seen.category_name, row))),
  );
  audit({
    type: '照片',
    id,
    title: row.title,
    before: { 状态: '回收站' },
    after: { 状态: photoState.label(row.state) },
  });
  return { id };
}

export async function changeOne(context: Work, id: number, { act, set = {} }: BodyOf<typeof photos.changeMany>) {
  if (act === 'remove') return remove(context, id);
  if (act === 'restore') return restore(context, id);
  const { withdraw, ...said } = set;
  return withdraw === undefined ? change(context, id, said) : withdrawConsent(context, id, withdraw);
}

export async function like({ tx, user }: Work, id: number, liked?: boolean) {
  const row = await requirePhoto(tx, user, id);
  if (row.state !== photoState.shown || row.deleted_at) throw photoIs(row.title, photoState.label(row.state), '点赞');
  await tx.execute(sql`select from photo where id = ${id} for update`);
  const there = sql`select from photo_like where photo_id = ${id} and user_id = ${user.id}`;
  const { rows } = await tx.execute<{ has: boolean }>(sql`select exists (${there}) has`);
  const wanted = liked ?? !rows[0]!.has;
  if (wanted !== rows[0]!.has) {
    await tx.execute(
      wanted
        ? sql`insert into photo_like (photo_id, user_id) values (${id}, ${user.id})`
        : sql`delete from photo_like where photo_id = ${id} and user_id = ${user.id}`,
    );
    await tx.execute(sql`update photo set like_count = like_count + ${wanted ? 1 : -1} where id = ${id}`);
  }
  const [after] = await tx.select({ like_count: photoTable.like_count }).from(photoTable).where(eq(photoTable.id, id));
  return { liked: wanted, like_count: after!.like_count };
}

/** Redraws the picture turned, before any transaction begins. */
export async function turnedFile(
  { services, user, read }: Pick<Work, 'services' | 'user'> & { read: Work['tx'] },
  id: number,
  quarters: number,
) {
  const row = await requirePhoto(read, user, id);
  if (!row.actions.includes('rotate')) throw photoIs(row.title, photoState.label(row.state), '旋转');
  const { rows } = await read.execute<{ file_id: number }>(sql`select file_id from photo where id = ${id}`);
  const file = await fileById(read, rows[0]!.file_id);
  const bytes = await bytesOf(services.fileStore, file!);
  const made = await turned(bytes, { quarters, name: file!.name, shot: file!.shot!, rule: pictureRule, by: user.id });
  await keepPicture(services.fileStore, made);
  return { made, from: file!.id };
}

export async function rotate(context: Work, id: number, { made, from }: Awaited<ReturnType<typeof turnedFile>>) {
  const { tx, user, audit } = context;
  const { row, may, seen } = await photoForUpdate(tx, user, id);
  if (!may('rotate')) throw photoIs(row.title, isOf(row), '旋转');
  if (row.file_id !== from) checkVersion('照片', row, -1, seen);
  const file_id = await enter(tx, made, { module: 'photos', uploader_id: user.id });
  await attachAll(tx, { fileIds: [file_id], module: 'photos', recordId: id, user });
  const { width, height, phash, placeholder } = made.shot!;
  const drawn = { file_id, width, height, placeholder, size: made.size, phash: BigInt(phash) };
  await tx
    .update(photoTable)
    .set({ ...drawn, ...worked(row), ...touched(photoTable) })
    .where(eq(photoTable.id, id));
  await detachAll(tx, { fileIds: [from], module: 'photos', recordId: id });
  audit({ type: '照片', id, title: row.title, after: { 旋转: '是' } });
  return { id };
}
