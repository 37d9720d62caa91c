import { and, eq, sql } from 'drizzle-orm';
import { dayOf, daysLater } from '#kernel/contract/moment.ts';
import { absent } from '#kernel/contract/refusal.ts';
import type { BodyOf, QueryOf } from '#kernel/contract/call.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { refuseOn, savepoint } from '#kernel/server/db/db.ts';
import { touched } from '#kernel/server/db/version.ts';
import { holds, type Viewer } from '#kernel/server/access/viewer.ts';
import { pageFrom, pageWithin } from '#kernel/server/list/paging.ts';
import { fileById, fileUrl, nameOfWatermarked, watermarked, wholeFile } from '#modules/platform/files/service.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { headsOf, holdersOfCode } from '#modules/platform/people/service.ts';
import { originalDays, originalState, originalTimes, photoState } from './contract/codes.ts';
import { Original, originals } from './contract/originals.ts';
import {
  askedBefore,
  consentMissing,
  decidedBefore,
  notYours,
  originalOver,
  photoIs,
  reasonWanted,
} from './contract/refusals.ts';
import type { Work } from './gallery/reading.ts';
import { requirePhoto } from './gallery/rows.ts';
import { reaches } from './gallery/visible.ts';
import { photoNews } from './review/news.ts';
import { originalTable } from './tables.ts';

interface Row extends Record<string, unknown>, Omit<Original, 'url' | 'actions'> {
  file_id: number;
  mine: boolean;
  decides: boolean;
}

/** Condition: the user decides on originals of the photo and may download it without a request; album managers only review. */
const decidesOn = (user: Viewer) => (holds(user, 'chuli', 'photo/manage') ? reaches(user, 'chuli') : sql`false`);

/** My requests, or those I may decide. */
export async function requests({ query }: { query: QueryOf<typeof originals.list> }, { tx, user }: Work) {
  const { decide, state, per_page } = query;
  const decides = decidesOn(user);
  const where = sql`${decide ? decides : sql`o.user_id = ${user.id}`} and ${state === undefined ? sql`true` : sql`o.state = ${state}`}`;
  const from = sql`from photo_original o join photo on photo.id = o.photo_id where ${where}`;
  const { rows: total } = await tx.execute<{ n: number }>(sql`select count(*)::int n ${from}`);
  const counted = { total: total[0]!.n, capped: false };
  const page = pageWithin(query, counted);
  const { rows } = await tx.execute<Row>(sql`
    select o.id, o.photo_id, photo.title, photo.file_id, (select alias from app_user u where u.id = o.user_id) user_name, o.purpose, o.medium,
      case when o.state = ${inSql(originalState.granted)} and o.expires_at <= now() then 3 else o.state end state, o.answer, o.used, o.allowed,
      to_char(o.expires_at, 'YYYY-MM-DD HH24:MI:SS') expires_at, to_char(o.gmt_created, 'YYYY-MM-DD HH24:MI:SS') gmt_created,
      o.user_id = ${user.id} mine, ${decides} decides
    ${from} order by o.id desc limit ${per_page} offset ${(page - 1) * per_page}`);
  const value = rows.map(({ file_id, mine, decides: may, ...row }) => ({
    ...row,
    url: fileUrl(tx, file_id, user),
    actions: [
      ...(may && row.state === originalState.open ? ['decide'] : []),
      ...(mine && row.state === originalState.granted && row.used < row.allowed ? ['fetch'] : []),
    ],
  }));
  return pageFrom(query, page, value, counted);
}

export async function askOriginal({ tx, user, audit }: Work, id: number, body: BodyOf<typeof originals.ask>) {
  const row = await requirePhoto(tx, user, id);
  if (!row.actions.includes('original'))
    throw photoIs(row.title, row.deleted_at ? '在回收站中' : photoState.label(row.state), '申请原图');
  if (!row.consented) throw consentMissing([row.title]);
  // A request that has expired or is used up ends, so that another may be made.
  await tx.execute(sql`update photo_original set state = ${inSql(originalState.over)} where photo_id = ${id} and user_id = ${user.id}
    and state = ${inSql(originalState.granted)} and (expires_at <= now() or used >= allowed)`);
  const [made] = await savepoint(tx, () =>
    tx
      .insert(originalTable)
      .values({ ...body, photo_id: id, user_id: user.id, allowed: originalTimes })
      .returning({ id: originalTable.id })
      .catch(refuseOn('photo_original_open', () => askedBefore(row.title))),
  );
  audit({ type: '原图申请', id: made!.id, title: row.title, after: { 用途: body.purpose, 媒介: body.medium } });
  const [photo] = (await tx.execute<{ dept_id: number | null }>(sql`select dept_id from photo where id = ${id}`)).rows;
  const heads = photo?.dept_id ? await headsOf(tx, [photo.dept_id]) : [];
  const to = [...(await holdersOfCode(tx, 'chuli', 'photo/manage')), ...heads].map((one) => one.id);
  const title = `${user.alias}申请《${row.title}》的原图`;
  const said = { title, content: `用途：${body.purpose}`, by: user.id };
  await announce(tx, photoNews.PHOTO_ORIGINAL, { id: made!.id }, said, to);
  return { id: made!.id };
}

export async function decideOriginal(
  { tx, user, now, audit }: Work,
  id: number,
  { agree, answer }: BodyOf<typeof originals.decide>,
) {
  const [row] = await tx.select().from(originalTable).where(eq(originalTable.id, id)).for('update');
  if (!row) throw absent('该申请');
  const photo = await requirePhoto(tx, user, row.photo_id, '该申请');
  const { rows } = await tx.execute(sql`select from photo where photo.id = ${row.photo_id} and ${decidesOn(user)}`);
  if (rows.length === 0)
    throw row.user_id === user.id ? notYours('决定原图申请', '审核这张照片的人') : absent('该申请');
  if (row.state !== originalState.open) throw decidedBefore(originalState.label(row.state));
  if (!agree && !answer) throw reasonWanted('不同意');
  if (agree && !photo.consented) throw consentMissing([photo.title]);
  const expires_at = daysLater(now, originalDays).toISOString();
  await tx
    .update(originalTable)
    .set({
      state: agree ? originalState.granted : originalState.refused,
      answer,
      decided_by: user.id,
      decided_at: now.toISOString(),
      ...(agree ? { expires_at } : {}),
      ...touched(originalTable),
    })
    .where(eq(originalTable.id, id));
  audit({ type: '原图申请', id, title: photo.title, after: { 决定: agree ? '同意' : '不同意', 答复: answer } });
  const said = {
    title: `《${photo.title}》的原图申请${agree ? '已同意' : '未同意'}`,
    content: agree ? `${originalDays} 天内可下载 ${originalTimes} 次。` : answer,
    occasion: 'decided',
    page: `/photo/detail/${row.photo_id}`,
    by: user.id,
  };
  await announce(tx, photoNews.PHOTO_ORIGINAL, { id }, said, [row.user_id]);
  return { id };
}

/** Downloads the original for a granted request; each download counts, also concurrent ones. Uploaders and reviewers need no request. */
export async function fetchOriginal({ tx, user, now, audit, services }: Work, id: number) {
  const photo = await requirePhoto(tx, user, id);
  const { rows } = await tx.execute<{ file_id: number; watermark: boolean; free: boolean }>(sql`
    select photo.file_id, c.watermark, (photo.uploader_id = ${user.id} or ${decidesOn(user)}) free
    from photo join photo_category c on c.id = photo.category_id where photo.id = ${id}`);
  const { file_id, watermark, free } = rows[0]!;
  if (!free) await take(tx, user.id, photo);
  await tx.execute(sql`update photo set download_count = download_count + 1 where id = ${id}`);
  audit({ type: '照片', id, title: photo.title, after: { 下载: '原图' } });
  const file = (await fileById(tx, file_id))!;
  const whole = wholeFile(services.fileStore, file);
  if (!watermark || free) return { ...whole, name: file.name };
  const words = `${user.alias} ${user.username} ${dayOf(now)}`;
  const copy = await watermarked(services.fileStore, file, whole, { words, by: user.id });
  return { ...copy, name: nameOfWatermarked(file, copy) };
}

async function take(
  tx: Db,
  userId: number,
  photo: { id: number; title: string; state: number; deleted_at: string | null; consented: boolean },
) {
  if (photo.state !== originalState.granted || photo.deleted_at) throw originalOver('照片已不在图库中');
  if (!photo.consented) throw consentMissing([photo.title]);
  const mine = and(eq(originalTable.photo_id, photo.id), eq(originalTable.user_id, userId));
  const taken = await tx
    .update(originalTable)
    .set({ used: sql`${originalTable.used} + 1` })
    .where(and(mine, eq(originalTable.state, originalState.granted), sql`used < allowed and expires_at > now()`))
    .returning({ id: originalTable.id });
  if (taken.length > 0) return;
  const [last] = await tx
    .select()
    .from(originalTable)
    .where(mine)
    .orderBy(sql`id desc`)
    .limit(1);
  if (!last) throw originalOver('您还没有申请');
  if (last.state === originalState.granted)
    throw originalOver(last.used >= last.allowed ? `可下载的 ${last.allowed} 次已用完` : '申请已过期');
  throw originalOver(`申请${originalState.label(last.state)}`);
}
