import sharp from 'sharp';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counted } from '#apps/server/testing/counted.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { albums } from './contract/albums.ts';
import { photos } from './contract/photos.ts';
import * as refused from './contract/refusals.ts';
import { tellPhotoNews, emptyTrash } from './review/news.ts';
import { jpegOf, openPhotos, scene, upload, type House } from './testing/house.ts';

let house: House;
beforeAll(async () => {
  house = await openPhotos();
});
afterAll(() => house.office.close());

test('a photo is sent, waits, is adopted by somebody else and hangs in the gallery', async () => {
  const { staff, colleague, reviewer, album, send, review, wall, detail } = house;
  const category = await album({ points: 3 });
  const { id, state } = await send(staff, category, { title: '银杏', tags: ['校园', '秋'], people: ['李四'] });
  expect(state).toBe(0);
  expect((await wall(colleague, { category })).value).toEqual([]);
  expect(await colleague.ask(photos.detail, { params: { id } })).toMatchObject({ code: 4004 });
  expect(await review(reviewer, [id], 'approve')).toMatchObject({ value: [{ id, ok: true }] });
  const { value, total, next } = await wall(colleague, { category });
  expect(value).toMatchObject([{ id, title: '银杏', width: 360, height: 240, state: 1, photographer: '王摄影' }]);
  expect([total, next]).toEqual([1, null]);
  expect(await detail(colleague, id)).toMatchObject({
    tags: ['校园', '秋'],
    people: ['李四'],
    score: 3,
    actions: ['original'],
  });
  for (const size of ['&thumb=1', '&size=medium', '&size=large', '']) {
    const picture = await colleague.fetch(value[0]!.url + size);
    expect(picture.headers.get('content-type'), size).toMatch(/^image\//);
    expect(picture.headers.get('cache-control'), size).toBe('private, max-age=300');
  }
  for (const search_value of ['银杏', 'wangsheying', '李四', 'lisi'])
    expect((await wall(colleague, { search_value })).value.map((one) => one.id)).toContain(id);
  expect((await colleague.get(photos.tags, { query: { category } })).value).toContainEqual({ name: '秋', count: 1 });
});

test('fifty are one call with a result for each, and what is there already is named', async () => {
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

test('the same file twice at one moment becomes one photo, and the second answer names the first', async () => {
  const { staff, colleague, album } = house;
  const category = await album();
  const bytes = await jpegOf(77);
  const body = async (who: typeof staff) => ({
    file_id: (await upload(who, bytes)).data.id,
    category_id: category,
    title: '同一张',
    photographer: '甲',
  });
  const [one, other] = [await body(staff), await body(colleague)];
  const answers = await Promise.all([
    staff.ask(photos.create, { body: one }),
    colleague.ask(photos.create, { body: other }),
  ]);
  const made = answers.find((answer) => answer.code === 0)!;
  expect(answers.find((answer) => answer.code !== 0)).toMatchObject({ code: -1, data: { duplicate_of: made.data.id } });
});

test('a picture that came back from a chat program is recognised, a burst is no duplicate', async () => {
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

test('nobody approves the own photo while another reviewer exists', async () => {
  const { reviewer, second, album, send, review } = house;
  const { id } = await send(reviewer, await album());
  expect((await review(reviewer, [id], 'approve')).value[0]).toMatchObject({
    ok: false,
    msg: refused
      .ownPhoto('')
      .message.replace('《》', (await house.detail(reviewer, id)).title.replace(/^/, '《') + '》'),
  });
  expect((await review(second, [id], 'approve')).value[0]).toMatchObject({ ok: true });
});

test('what a photo lacks is named, and a reason is asked for', async () => {
  const { staff, reviewer, album, send, review } = house;
  const { id } = await send(staff, await album(), { photographer: '', faces: true, title: '合影' });
  expect((await review(reviewer, [id], 'approve')).value[0]!.msg).toBe(
    refused.notReady('合影', ['没有填写摄影', '有可识别的人物而未取得授权']).message,
  );
  expect((await review(reviewer, [id], 'return')).value[0]!.msg).toBe(refused.reasonWanted('退回').message);
  await review(reviewer, [id], 'return', { reason: '缺少授权' });
  expect(
    await staff.ask(photos.change, { params: { id }, body: { photographer: '甲', consent: 2, submit: true } }),
  ).toMatchObject({ code: 0 });
  expect((await house.detail(staff, id)).state).toBe(0);
  await review(reviewer, [id], 'approve');
  expect(await staff.ask(photos.change, { params: { id }, body: { title: '改' } })).toRefuse(
    refused.photoIs,
    '合影',
    '已上架',
    '编辑',
  );
});

test('a mistaken review is taken back with its points, and nobody hears of it', async () => {
  const { staff, reviewer, second, album, send, review, detail, office } = house;
  const ids = [];
  const category = await album({ points: 2 });
  for (let n = 0; n < 3; n += 1) ids.push((await send(staff, category)).id);
  await office.services.databases.write((tx) => tx.execute(sql`update photo set news = 0`));
  await review(reviewer, ids.slice(0, 2), 'approve');
  await review(reviewer, ids.slice(2), 'return', { reason: '画面模糊' });
  expect((await review(second, [ids[0]!], 'undo')).value[0]).toMatchObject({ ok: false });
  await review(reviewer, [ids[0]!], 'undo');
  expect(await detail(reviewer, ids[0]!)).toMatchObject({ state: 0, score: 0 });
  expect(await detail(reviewer, ids[1]!)).toMatchObject({ state: 1, score: 2 });
  const later = () =>
    office.services.databases.write((tx) =>
      tx.execute(sql`update photo set gmt_modified = gmt_modified - interval '10 minutes' where news > 0`),
    );
  const told = async () =>
    (
      await office.db.execute<{ title: string }>(sql`select m.title from msg m join msg_user r on r.msg_id = m.id
      where m.type = 13 and r.user_id = ${staff.userId} order by m.id`)
    ).rows.map((one) => one.title);
  await office.services.databases.write(tellPhotoNews);
  expect(await told()).toEqual([]);
  await later();
  await office.services.databases.write(tellPhotoNews);
  await office.services.databases.write(tellPhotoNews);
  expect(await told()).toEqual(['照片审核结果：1 张采用，1 张退回']);
});

test('two who review one photo at once: it is done once, and counts once', async () => {
  const { staff, reviewer, second, album, send, review, detail } = house;
  const { id } = await send(staff, await album({ points: 1 }));
  await Promise.all([reviewer, second].map((who) => review(who, [id], 'approve')));
  expect(await detail(reviewer, id)).toMatchObject({ state: 1, score: 1 });
});

test('one approves while its uploader deletes: one of them comes first, and the other is told', async () => {
  const { staff, reviewer, album, send, review } = house;
  const { id } = await send(staff, await album());
  const [approved, gone] = await Promise.all([
    review(reviewer, [id], 'approve'),
    staff.ask(photos.remove, { params: { id } }),
  ]);
  expect([approved.value[0]!.ok, gone.code === 0]).toContain(false);
  expect([approved.value[0]!.ok, gone.code === 0]).toContain(true);
});

test('the sixth pinned photo is refused with the names of the five, also when two press at once', async () => {
  const { staff, reviewer, second, album, shown, wall } = house;
  const category = await album();
  const ids = [];
  for (let n = 0; n < 7; n += 1) ids.push(await shown(staff, category, { title: `张${n}` }));
  for (const id of ids.slice(0, 4)) await reviewer.get(photos.top, { params: { id }, body: { top: true } });
  const press = (who: typeof staff, id: number) => who.ask(photos.top, { params: { id }, body: { top: true } });
  const two = await Promise.all([press(reviewer, ids[4]!), press(second, ids[5]!)]);
  expect(two.map((one) => one.code).toSorted()).toEqual([0, 4009]);
  expect(await press(reviewer, ids[6]!)).toMatchObject({
    code: 4009,
    msg: expect.stringMatching(/《张0》、《张1》、《张2》、《张3》、《张[45]》/),
  });
  await press(reviewer, ids[0]!);
  expect((await wall(staff, { category })).tops).toHaveLength(5);
  await reviewer.get(photos.top, { params: { id: ids[0]! }, body: {} });
  expect((await wall(staff, { category })).tops).toHaveLength(4);
});

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

test('what waits, was returned, taken down or trashed is in nobody’s gallery, count, search, tags, zip or address but its own people’s', async () => {
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
    expect(await colleague.ask(photos.askOriginal, { params: { id }, body: { purpose: '看' } })).toMatchObject({
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

test('an album that is not for me is not there, nor is anything below it', async () => {
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
  ).toRefuse(refused.notIntoAlbum);
});

test('an empty album I may upload to is there for me, and says that what I send waits', async () => {
  const { staff, stranger, album, dept } = house;
  const category = await album({ audience: { users: [house.reviewer.userId] }, uploaders: { depts: [dept] } });
  const of = async (who: typeof staff) =>
    (await who.get(albums.list, { query: {} })).find((one) => one.id === category);
  expect(await of(staff)).toMatchObject({ count: 0, may_upload: true, review: true });
  expect(await of(stranger)).toBeUndefined();
});

test('an album without review shows what comes at once; one that is switched off takes nothing', async () => {
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

test('an album is deleted while a photo comes into it: one of them comes first', async () => {
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

test('the trash gives back what was thrown away, for thirty days', async () => {
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

test('a photo is turned in every size, and keeps what is known of it', async () => {
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

test('an album of twenty thousand: the tenth screen costs what the first does, each photo comes once, three statements at most', async () => {
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
  expect(middle(times.slice(30))).toBeLessThan(middle(times.slice(1, 11)) * 2 + 10);
  const statements = await counted(colleague, () => wall(colleague, { category }));
  expect(statements.filter((text) => !/^(begin|commit)/.test(text)).length, statements.join('\n')).toBeLessThanOrEqual(
    3,
  );
});
