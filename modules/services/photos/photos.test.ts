import sharp from 'sharp';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { photos } from './contract/photos.ts';
import * as refused from './contract/refusals.ts';
import { emptyTrash } from './review/news.ts';
import { openPhotos, upload, type House } from './testing/house.ts';
import { jpegOf, scene } from './testing/scene.ts';

let house: House;
beforeAll(async () => {
  house = await openPhotos();
});
afterAll(() => house.office.close());

test('up to fifty photos are created in one call with a result each, and existing ones are named', async () => {
  const { staff, album } = house;
  const category = await album();
  const bytes = await Promise.all([1, 2, 3].map((seed) => jpegOf(seed)));
  const sent = [];
  for (const one of [...bytes, bytes[0]!]) sent.push((await upload(staff, one)).data.id);
  const list = sent.map((file_id, at) => ({ file_id, title: `第 ${at + 1} 张` }));
  const { value } = await staff.get(photos.createMany, {
    body: { category_id: category, photographer: '甲', photos: [...list, { file_id: 999_999, title: '无' }] },
  });
  expect(value.map((one) => one.ok)).toEqual([true, true, true, false, false]);
  expect(value[3]).toMatchObject({ file_id: sent[3], duplicate_of: value[0]!.ok ? expect.any(Number) : 0 });
  expect(value[3]!.msg).toContain('《第 1 张》');
  expect(value[4]!.msg).toBe(refused.notAPhoto().message);
});

test('the same file twice at once becomes one photo, and the second answer names the first to those who may see it', async () => {
  const { staff, colleague, reviewer, album, send, review } = house;
  const category = await album();
  const bytes = await jpegOf(77);
  const body = async (who: typeof staff) => ({
    file_id: (await upload(who, bytes)).data.id,
    category_id: category,
    title: '同一张',
    photographer: '甲',
  });
  const both = [await body(staff), await body(staff)];
  const answers = await Promise.all(both.map((one) => staff.ask(photos.create, { body: one })));
  const made = answers.find((answer) => answer.code === 0)!;
  expect(answers.find((answer) => answer.code !== 0)).toMatchObject({ code: -1, data: { duplicate_of: made.data.id } });
  // Until it is shown, others learn only that the photo exists already.
  const again = async () => colleague.ask(photos.create, { body: await body(colleague) });
  const unnamed = await again();
  expect(unnamed).toMatchObject({ code: -1, data: { duplicate_of: null } });
  expect(unnamed.msg).not.toContain('同一张');
  const near = await scene(1077).resize(200).jpeg({ quality: 60 }).toBuffer();
  const pending = await send(staff, category, { bytes: await jpegOf(1077) });
  expect((await send(colleague, category, { bytes: near })).alike_id).toBeNull();
  await review(reviewer, [made.data.id!, pending.id], 'approve');
  expect((await again()).msg).toContain('《同一张》');
});

test('a photo cannot be dated in the future', async () => {
  const { staff, album, send, detail } = house;
  const category = await album();
  const { data } = await upload(staff, await jpegOf(78));
  const body = {
    file_id: data.id,
    category_id: category,
    title: '远方',
    photographer: '甲',
    taken_at: '2099-01-01 10:00',
  };
  const refused = { code: 4000, msg: expect.stringContaining('2099-01-01 10:00 还没有到') as string };
  expect(await staff.ask(photos.create, { body })).toMatchObject(refused);
  const { id } = await send(staff, category, { taken_at: '2001-01-02 10:00' });
  const { version } = await detail(staff, id);
  const later = { params: { id }, body: { version, taken_at: '2099-01-01 10:00' } };
  expect(await staff.ask(photos.change, later)).toMatchObject(refused);
});

test('a photo may be dated since 1990, and not before', async () => {
  const { staff, album, send, detail } = house;
  const { id } = await send(staff, await album(), { taken_at: '1995-06-01 10:00' });
  const shown = await detail(staff, id);
  expect(shown.taken_at).toBe('1995-06-01 10:00:00');
  const dated = (taken_at: string, version: number) =>
    staff.ask(photos.change, { params: { id }, body: { version, taken_at } as never });
  expect((await dated('1989-12-31 23:59', shown.version)).msg).toContain('请输入 1990 至 2099 年之间的时间');
  expect((await dated('1990-01-01 00:00', shown.version)).code).toBe(0);
});

test('a picture recompressed by a chat program is recognised as a duplicate, and a burst is not', async () => {
  const { staff, reviewer, album, send, detail } = house;
  const category = await album();
  const first = await send(staff, category, { bytes: await scene(5).jpeg({ quality: 95 }).toBuffer() });
  const again = await send(staff, category, { bytes: await scene(5).resize(200).jpeg({ quality: 60 }).toBuffer() });
  expect(again.alike_id).toBe(first.id);
  expect((await detail(reviewer, again.id)).alike).toMatchObject({
    id: first.id,
    url: expect.stringContaining('/api/file/'),
  });
  const frames = [];
  for (let n = 0; n < 12; n += 1) {
    const bytes = await scene(9)
      .modulate({ brightness: 1 + n / 400 })
      .withExif({ IFD0: { Make: 'Testkamera' }, IFD2: { DateTimeOriginal: `2025:05:05 10:00:0${Math.floor(n / 6)}` } })
      .jpeg()
      .toBuffer();
    frames.push(await send(staff, category, { bytes }));
  }
  expect(frames.map((one) => one.alike_id)).toEqual(Array(12).fill(null));
  const burst = (await staff.get(photos.list, { query: { mine: true, burst: frames[0]!.id, per_page: 50 } })).value;
  expect(burst).toHaveLength(12);
  expect(burst[0]).toMatchObject({ camera: 'Testkamera', taken_by_camera: true, shot_at: '2025-05-05 10:00:01' });
  expect(
    (await reviewer.get(photos.list, { query: { duplicate: true, category } })).value.map((one) => one.id),
  ).toEqual([again.id]);
});

test('the trash restores deleted photos for thirty days', async () => {
  const { staff, album, send, office } = house;
  const category = await album();
  const [kept, gone] = [await send(staff, category), await send(staff, category)];
  for (const { id } of [kept, gone]) await staff.get(photos.remove, { params: { id } });
  expect(await staff.get(photos.changeMany, { body: { ids: [kept.id], act: 'restore' } })).toMatchObject({
    value: [{ ok: true }],
  });
  await office.services.databases.write((tx) =>
    tx.execute(sql`update photo set deleted_at = now() - interval '31 days' where id = ${gone.id}`),
  );
  await office.services.databases.write(emptyTrash);
  const { rows } = await office.db.execute(sql`select id from photo where id in (${kept.id}, ${gone.id})`);
  expect(rows).toEqual([{ id: kept.id }]);
  expect(
    (await office.db.execute(sql`select id from file where owner_module = 'photos' and owner_id = ${String(gone.id)}`))
      .rows,
  ).toEqual([]);
});

test('a photo is rotated in every size and keeps its metadata', async () => {
  const { staff, colleague, album, send, detail } = house;
  const { id } = await send(staff, await album());
  expect(await staff.ask(photos.rotate, { params: { id }, body: { quarters: 1 } })).toMatchObject({ code: 0 });
  const row = await detail(staff, id);
  expect(row).toMatchObject({ width: 240, height: 360 });
  const { width, height } = await sharp(
    Buffer.from(await (await staff.fetch(`${row.url}&thumb=1`)).arrayBuffer()),
  ).metadata();
  expect([width, height]).toEqual([240, 360]);
  expect(await colleague.ask(photos.rotate, { params: { id }, body: { quarters: 1 } })).toMatchObject({ code: 4004 });
});
