import { and, eq, isNull, sql } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { absent, codes, Refusal } from '#kernel/contract/refusal.ts';
import { refuseOn, savepoint, type Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { attachAll, fileById } from '#modules/platform/files/service.ts';
import { alikeBits, burstBits, photoState } from '../contract/codes.ts';
import type { photos } from '../contract/photos.ts';
import type { Result, Said } from '../contract/shapes.ts';
import { notAPhoto, notIntoAlbum, sentBefore, takenWrong } from '../contract/refusals.ts';
import type { Work } from '../gallery/reading.ts';
import { albumsSeen, takesFrom, visibleTo } from '../gallery/visible.ts';
import { lacksOf } from '../review/review.ts';
import { albumTable, photoTable, tagTable } from '../tables.ts';

type Album = typeof albumTable.$inferSelect;
type New = BodyOf<typeof photos.create>;

/** An album that accepts photos of the user now, locked against deletion. Throws `notIntoAlbum`. */
export async function albumTaking(tx: Db, user: Viewer, id: number): Promise<Album> {
  const [found] = await tx
    .select({ album: albumTable, mine: takesFrom(user).mapWith(Boolean) })
    .from(albumTable)
    .where(and(eq(albumTable.id, id), sql`${albumTable.id} = any(array(${albumsSeen(user)}))`))
    .for('key share');
  if (!found) throw absent('相册');
  if (!found.album.status) throw notIntoAlbum(found.album.name, '相册已停用');
  if (!found.mine) throw notIntoAlbum(found.album.name, '您没有上传权限，请联系相册管理员');
  return found.album;
}

/** True if the given tags and people differ from the stored ones. */
export async function wordsDiffer(tx: Db, id: number, said: Pick<Said, 'tags' | 'people'>): Promise<boolean> {
  if (!said.tags && !said.people) return false;
  const words = await tx.select().from(tagTable).where(eq(tagTable.photo_id, id));
  const differ = (kind: string, names: readonly string[] | undefined) => {
    const there = words.filter((one) => one.kind === kind).map((one) => one.name);
    return names !== undefined && (new Set(names).size !== there.length || names.some((name) => !there.includes(name)));
  };
  return differ('tag', said.tags) || differ('person', said.people);
}

/** Writes the tags of a photo and its search vector. */
export async function keepWords(tx: Db, id: number, said: Pick<Said, 'tags' | 'people'>): Promise<void> {
  for (const [kind, names] of [
    ['tag', said.tags],
    ['person', said.people],
  ] as const) {
    if (!names) continue;
    await tx.delete(tagTable).where(and(eq(tagTable.photo_id, id), eq(tagTable.kind, kind)));
    const rows = [...new Set(names)].map((name) => ({ photo_id: id, kind, name }));
    if (rows.length > 0) await tx.insert(tagTable).values(rows);
  }
  const [row] = await tx.select().from(photoTable).where(eq(photoTable.id, id));
  const words = await tx.select().from(tagTable).where(eq(tagTable.photo_id, id));
  const named = (kind: string) => words.filter((one) => one.kind === kind).map((one) => one.name);
  const { title, description, place, photographer } = row!;
  const search = searchVector({
    texts: [title, description, place, ...named('tag')],
    names: [photographer, ...named('person')],
  });
  await tx.update(photoTable).set({ search }).where(eq(photoTable.id, id));
}

interface Near extends Record<string, unknown> {
  id: number;
  burst_id: number | null;
  bits: number;
  together: boolean;
}

/** Photos that look like a new one: those of one burst are grouped, others are shown to the reviewer. */
async function nearest(
  tx: Db,
  row: Pick<
    typeof photoTable.$inferSelect,
    'category_id' | 'phash' | 'source_sha256' | 'camera' | 'taken_at' | 'uploader_id'
  >,
) {
  const bits = sql`bit_count((phash # ${row.phash.toString()}::bigint)::bit(64))`;
  const together = sql`(uploader_id = ${row.uploader_id} and camera <> '' and camera = ${row.camera}
    and abs(extract(epoch from taken_at - ${row.taken_at}::timestamptz)) <= 2)`;
  const { rows } = await tx.execute<Near>(sql`
    select id, burst_id, ${bits}::int bits, coalesce(${together}, false) together from photo
    where deleted_at is null and ((category_id = ${row.category_id} and ${bits} <= ${burstBits}) or source_sha256 = ${row.source_sha256})
    order by 3, id limit 50`);
  const burst = rows.find((one) => one.together && one.bits <= burstBits);
  const alike = rows.find((one) => !one.together && one.bits <= alikeBits);
  return { burst_id: burst ? (burst.burst_id ?? burst.id) : null, alike_id: alike?.id ?? null };
}

/** Makes a photo of an upload. Throws `sentBefore` with the existing one if the album has the same file. */
async function make(
  context: Work,
  album: Album,
  { file_id, category_id, title, tags, people, taken_at, ...said }: New,
) {
  const { tx, user, now, audit } = context;
  const file = await fileById(tx, file_id);
  if (!file?.shot || file.uploader_id !== user.id || file.owner_module !== null) throw notAPhoto();
  const { source_sha256, placeholder, camera, width, height, ...shot } = file.shot;
  const same = and(
    eq(photoTable.category_id, category_id),
    eq(photoTable.source_sha256, source_sha256),
    isNull(photoTable.deleted_at),
  );
  if (taken_at) demandTaken(taken_at, now);
  const taken = taken_at ?? shot.taken_at;
  const facts = {
    ...said,
    file_id,
    category_id,
    title,
    camera,
    width,
    height,
    placeholder,
    source_sha256,
    phash: BigInt(shot.phash),
    size: file.size,
    uploader_id: user.id,
    dept_id: user.depts[0] ?? null,
    taken_at: taken,
    taken_by_camera: !taken_at && shot.taken_at !== null,
    shot_at: new Date(taken ? instantOf(taken) : Math.floor(now.getTime() / 1000) * 1000).toISOString(),
  };
  const near = await nearest(tx, facts);
  const open = !album.review && lacksOf({ ...facts, consent_until: facts.consent_until ?? null }, true).length === 0;
  const [row] = await savepoint(tx, () =>
    tx
      .insert(photoTable)
      .values({
        ...facts,
        ...near,
        ...(open ? { state: photoState.shown, published_at: now.toISOString() } : { news: 1 }),
      })
      .returning()
      .catch(refuseOn('photo_once', () => notAPhoto())),
  ).catch(async (error: unknown) => {
    const [there] = await tx
      .select({ id: photoTable.id, title: photoTable.title, theirs: visibleTo(user).mapWith(Boolean) })
      .from(photoTable)
      .where(same);
    throw error instanceof Refusal && there ? sentBefore(album.name, there.theirs ? there : null) : error;
  });
  const { id } = row!;
  await attachAll(tx, { fileIds: [file_id], module: 'photos', recordId: id, user });
  await keepWords(tx, id, { tags, people });
  audit({ type: '照片', id, title, after: { 相册: album.name, 状态: open ? '已上架' : '待审' } });
  const [alike] = near.alike_id
    ? await tx
        .select({ id: photoTable.id })
        .from(photoTable)
        .where(and(eq(photoTable.id, near.alike_id), visibleTo(user)))
    : [];
  return { id, state: row!.state, alike_id: alike?.id ?? null };
}

/** A time without zone is Beijing time. */
export const instantOf = (at: string): Date => (/[zZ]|[+-]\d\d(:?\d\d)?$/.test(at) ? new Date(at) : momentOf(at));

/** Refuses times more than a day ahead; camera clocks may be wrong by that much. */
export function demandTaken(at: string, now: Date): void {
  if (instantOf(at).getTime() > now.getTime() + 864e5) throw takenWrong(at);
}

export async function create(context: Work, body: New) {
  const { tx, user } = context;
  return make(context, await albumTaking(tx, user, body.category_id), body);
}

/** Creates several photos, each separately: one that is refused does not stop the others. */
export async function createMany(context: Work, { photos: sent, ...common }: BodyOf<typeof photos.createMany>) {
  const { tx, user } = context;
  const album = await albumTaking(tx, user, common.category_id);
  const value = [];
  for (const one of sent) {
    const made = await forItself(tx, () => make(context, album, { ...common, ...one }));
    const data = made.data as { duplicate_of?: number | null } | null;
    value.push({
      ...made.result,
      file_id: one.file_id,
      ...made.reply,
      ...(data && 'duplicate_of' in data ? { duplicate_of: data.duplicate_of ?? null } : {}),
    });
  }
  return { value };
}

/** The result of a step in a savepoint, so that a refusal does not stop the others of its call. */
async function forItself<T>(tx: Db, work: () => Promise<T>): Promise<{ result: Result; reply?: T; data?: unknown }> {
  try {
    return { reply: await savepoint(tx, work), result: { ok: true, code: codes.ok, msg: '成功' } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    return { result: { ok: false, code: error.code, msg: error.message }, data: error.data };
  }
}

/** Runs the same action on each of several photos, in ascending order of id, so that two calls cannot deadlock. */
export async function withEach(
  tx: Db,
  ids: readonly number[],
  work: (id: number) => Promise<unknown>,
): Promise<{ value: Result[] }> {
  const value: Result[] = [];
  for (const id of [...new Set(ids)].toSorted((a, b) => a - b))
    value.push({ ...(await forItself(tx, () => work(id))).result, id });
  return { value };
}
