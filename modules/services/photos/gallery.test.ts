import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counted } from '#apps/server/testing/counted.ts';
import { absent } from '#kernel/contract/refusal.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { albums } from './contract/albums.ts';
import { originals } from './contract/originals.ts';
import { photos } from './contract/photos.ts';
import * as refused from './contract/refusals.ts';
import { openPhotos, upload, type House } from './testing/house.ts';
import { jpegOf } from './testing/scene.ts';

let house: House;
beforeAll(async () => {
  house = await openPhotos();
});
afterAll(() => house.office.close());

test('views count once a person and day under fifty opens, a like pressed in two windows once', async () => {
  const { staff, colleague, album, shown, detail } = house;
  const id = await shown(staff, await album());
  await Promise.all(Array.from({ length: 50 }, () => detail(colleague, id)));
  expect((await detail(staff, id)).view_count).toBe(1);
  expect((await detail(colleague, id)).view_count).toBe(2);
  await Promise.all([1, 2].map(() => colleague.get(photos.like, { params: { id }, body: { liked: true } })));
  expect(await detail(colleague, id)).toMatchObject({ like_count: 1, liked: true });
  expect(await colleague.get(photos.like, { params: { id }, body: {} })).toEqual({ liked: false, like_count: 0 });
});

test('a waiting, returned, removed or trashed photo is hidden everywhere from all but its own people', async () => {
  const { staff, colleague, reviewer, album, send, review, wall } = house;
  const category = await album();
  const ids = [];
  for (const title of ['待审金丝雀', '退回金丝雀', '下架金丝雀', '删除金丝雀'])
    ids.push(
      (await send(staff, category, { title, tags: ['金丝雀'], people: ['金丝雀人'], photographer: '金丝雀师' })).id,
    );
  await review(reviewer, [ids[1]!], 'return', { reason: '不' });
  await review(reviewer, [ids[2]!, ids[3]!], 'approve');
  const url = (await wall(colleague, { category })).value.map((one) => one.url);
  await review(reviewer, [ids[2]!], 'down', { reason: '不' });
  await reviewer.get(photos.remove, { params: { id: ids[3]! } });
  const seen = async (who: typeof staff) =>
    JSON.stringify([
      await wall(who),
      await wall(who, { search_value: '金丝雀' }),
      await wall(who, { tag: '金丝雀' }),
      await who.get(photos.tags, { query: {} }),
      await who.get(photos.tags, { query: { kind: 'person' } }),
      await who.get(photos.list, { query: {} }),
      await who.get(photos.count, { query: {} }),
      (await who.get(albums.list, { query: {} })).find((one) => one.id === category),
    ]);
  expect(await seen(colleague)).not.toContain('金丝雀');
  expect((await colleague.get(photos.count, { query: {} })).total).toBe(0);
  expect((await colleague.get(albums.list, { query: {} })).find((one) => one.id === category)).toMatchObject({
    count: 0,
    cover_url: null,
  });
  for (const id of ids) {
    expect(await colleague.ask(photos.detail, { params: { id } })).toMatchObject({ code: 4004 });
    expect(await colleague.ask(photos.like, { params: { id }, body: {} })).toMatchObject({ code: 4004 });
    expect(await colleague.ask(originals.ask, { params: { id }, body: { purpose: '看' } })).toMatchObject({
      code: 4004,
    });
    expect(await colleague.ask(photos.remove, { params: { id } })).toMatchObject({ code: 4004 });
  }
  for (const one of url) expect(((await (await colleague.fetch(one)).json()) as { code: number }).code).not.toBe(0);
  const zip = await colleague.fetch('/api/photo/download/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids: [ids[0]] }),
  });
  expect(((await zip.json()) as { code: number }).code).toBe(4004);
  expect((await staff.get(photos.list, { query: { mine: true, category } })).total).toBe(3);
  expect((await staff.get(photos.list, { query: { mine: true, trash: true, category } })).total).toBe(1);
});

test('an album outside a person’s audience is hidden from them with everything below it', async () => {
  const { staff, stranger, reviewer, album, shown, wall, dept, detail } = house;
  const kept = await album({ audience: { depts: [dept] }, uploaders: { depts: [dept] } });
  const { id: below } = await reviewer.get(albums.add, { body: { name: '内页', parent: kept } });
  const open = await album();
  const [hidden, before, after] = [
    await shown(staff, below!, { title: '不外传' }),
    await shown(staff, open),
    await shown(staff, open),
  ];
  const tree = JSON.stringify(await stranger.get(albums.list, { query: {} }));
  expect(tree).not.toContain('内页');
  expect(JSON.stringify(await wall(stranger))).not.toContain('不外传');
  expect(JSON.stringify(await stranger.get(photos.users, { query: {} }))).not.toContain('"count":9999');
  expect(await stranger.ask(photos.detail, { params: { id: hidden } })).toMatchObject({ code: 4004 });
  const [newer, older] = [await detail(stranger, after), await detail(stranger, before)];
  expect([newer.prev, newer.next, older.prev]).not.toContain(hidden);
  expect(
    await stranger.ask(photos.create, {
      body: { file_id: (await upload(stranger, await jpegOf(901))).data.id, category_id: below!, title: 'x' },
    }),
  ).toRefuse(absent, '相册');
});

test('an empty album is shown to its uploaders, and says that uploads will be reviewed', async () => {
  const { staff, stranger, album, dept } = house;
  const category = await album({ audience: { users: [house.reviewer.userId] }, uploaders: { depts: [dept] } });
  const of = async (who: typeof staff) =>
    (await who.get(albums.list, { query: {} })).find((one) => one.id === category);
  expect(await of(staff)).toMatchObject({ count: 0, may_upload: true, review: true });
  expect(await of(stranger)).toBeUndefined();
});

test('an album without review shows uploads at once, and a disabled one accepts none', async () => {
  const { staff, reviewer, album, send } = house;
  const category = await album({ review: false });
  expect((await send(staff, category)).state).toBe(1);
  expect((await send(staff, category, { photographer: '' })).state).toBe(0);
  await reviewer.get(albums.patch, { params: { id: category }, body: { status: false } });
  const { data } = await upload(staff, await jpegOf(902));
  expect(
    await staff.ask(photos.create, { body: { file_id: data.id, category_id: category, title: 'x' } }),
  ).toMatchObject({ code: -1, msg: expect.stringContaining('已停用') });
  expect(await reviewer.ask(albums.remove, { params: { id: category } })).toMatchObject({
    code: -1,
    msg: expect.stringContaining('2 张照片'),
  });
});

test('renaming an album keeps the settings that were not sent', async () => {
  const { reviewer, staff, album } = house;
  const id = await album({ description: '校庆', watermark: true });
  const save = (who: typeof staff) => who.ask(albums.change, { params: { id }, body: { name: '校庆七十年' } as never });
  expect((await save(staff)).code).toBe(4003);
  expect((await save(reviewer)).code).toBe(0);
  expect((await reviewer.get(albums.list)).find((one) => one.id === id)).toMatchObject({
    name: '校庆七十年',
    description: '校庆',
    watermark: true,
  });
});

test('an album deleted while a photo is uploaded to it: one of the two comes first and the other is refused', async () => {
  const { staff, reviewer, album } = house;
  const category = await album();
  const { data } = await upload(staff, await jpegOf(903));
  const answers = await Promise.all([
    reviewer.ask(albums.remove, { params: { id: category } }),
    staff.ask(photos.create, { body: { file_id: data.id, category_id: category, title: 'x' } }),
  ]);
  expect(answers.filter((one) => one.code === 0)).toHaveLength(1);
  expect(answers.map((one) => one.status)).toEqual([200, 200]);
});

test('paging through an album of twenty thousand costs the same on every page, with at most three statements and no repeats', async () => {
  const { staff, album, send, wall, office, colleague } = house;
  const category = await album({ review: false });
  const { id } = await send(staff, category);
  await office.services.databases.write(async (tx) => {
    await tx.execute(sql`insert into file (name, ext, mime, size, sha256, uploader_id, module, owner_module, owner_id, shot)
      select f.name, f.ext, f.mime, f.size, f.sha256, f.uploader_id, 'many', 'photos', n::text, f.shot
      from photo p join file f on f.id = p.file_id cross join generate_series(1, 20000) n where p.id = ${id}`);
    await tx.execute(sql`insert into photo (category_id, file_id, title, photographer, uploader_id, dept_id, shot_at, width, height, size, placeholder,
        source_sha256, phash, state, search)
      select ${category}, f.id, '大量 ' || f.owner_id, '甲', p.uploader_id, p.dept_id, timestamptz '2024-01-01' + make_interval(mins => f.owner_id::int / 3),
        p.width, p.height, p.size, p.placeholder, lpad(f.owner_id, 64, '0'), f.owner_id::bigint * 7919, 1, ${searchVector({ texts: ['大量'] })}::tsvector
      from photo p cross join file f where p.id = ${id} and f.module = 'many'`);
    await tx.execute(sql`analyze photo`);
  });
  const seen = new Set<number>();
  let cursor: string | undefined;
  const times: number[] = [];
  for (let n = 0; n < 40; n += 1) {
    const from = performance.now();
    const { value, next } = await wall(colleague, { category, ...(cursor ? { cursor } : {}) });
    times.push(performance.now() - from);
    for (const one of value) seen.add(one.id);
    cursor = next!;
  }
  expect(seen.size).toBe(40 * 60);
  const middle = (some: number[]) => some.toSorted((a, b) => a - b)[Math.floor(some.length / 2)]!;
  // Compares late with early pages of the same run: reading from the start each time, page forty would cost many times as much.
  expect(middle(times.slice(30))).toBeLessThan(middle(times.slice(1, 11)) * 3 + 20);
  const statements = await counted(colleague, () => wall(colleague, { category }));
  expect(statements.filter((text) => !/^(begin|commit)/.test(text)).length, statements.join('\n')).toBeLessThanOrEqual(
    3,
  );
});

test('the cover of an album is one of its own shown photos, and is replaced by the newest once it is removed', async () => {
  const { staff, reviewer, album, shown, send, review } = house;
  const [category, other] = [await album(), await album()];
  const [first, second, foreign] = [
    await shown(staff, category, { taken_at: '2025-01-01 10:00' }),
    await shown(staff, category, { taken_at: '2025-02-01 10:00' }),
    await shown(staff, other),
  ];
  const { id: waits } = await send(staff, category);
  const set = (cover: number | null) => reviewer.ask(albums.patch, { params: { id: category }, body: { cover } });
  for (const wrong of [foreign, waits, 999_999]) expect(await set(wrong)).toRefuse(refused.notACover);
  const coverIs = async () => {
    const found = (await staff.get(albums.list, { query: {} })).find((one) => one.id === category)!;
    const { rows } = await house.office.db.execute<{ id: number }>(
      sql`select id from photo where file_id = ${Number(/file\/(\d+)/.exec(found.cover_url!)![1])}`,
    );
    return rows[0]!.id;
  };
  expect(await coverIs()).toBe(second);
  expect(await set(first)).toMatchObject({ code: 0 });
  expect(await coverIs()).toBe(first);
  await review(reviewer, [first], 'down', { reason: '不' });
  expect(await coverIs()).toBe(second);
});
