import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { unzipSync } from 'fflate';
import sharp from 'sharp';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { notOverAll } from '#kernel/contract/refusal.ts';
import { heicOf } from '#kernel/server/testing/pictures/heic.ts';
import { canaries, tellTale } from '#kernel/server/testing/pictures/photographs.ts';
import type { Client } from '#apps/server/testing.ts';
import { keyOf } from '#modules/platform/files/store/content.ts';
import { albums } from './contract/albums.ts';
import { originals } from './contract/originals.ts';
import { photos } from './contract/photos.ts';
import { reviews } from './contract/reviews.ts';
import { photoStatistics } from './contract/statistics.ts';
import * as refused from './contract/refusals.ts';
import { openPhotos, upload, type House } from './testing/house.ts';
import { jpegOf, scene } from './testing/scene.ts';

let house: House;
beforeAll(async () => {
  house = await openPhotos();
});
afterAll(() => house.office.close());

const zip = (who: Client, ids: number[]) =>
  who.fetch('/api/photo/download/', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ ids }),
  });
const original = (who: Client, id: number) => who.fetch(`/api/photo/${id}/original/`);
const codeOf = async (answer: Response) =>
  answer.headers.get('content-type')?.includes('json')
    ? ((await answer.json()) as { code: number; msg: string })
    : { code: 0, msg: '' };
const grant = async (who: Client, id: number) => {
  const { id: request } = await who.get(originals.ask, {
    params: { id },
    body: { purpose: '校报封面', medium: '校报' },
  });
  await house.reviewer.get(originals.decide, { params: { id: request! }, body: { agree: true } });
};

test('an original is downloaded with a purpose and an approval, and counted exactly under parallel clicks', async () => {
  const { staff, colleague, reviewer, album, shown, detail } = house;
  const id = await shown(staff, await album(), { bytes: await scene(31, 2600, 1700).jpeg().toBuffer() });
  const { url } = await detail(colleague, id);
  for (const path of [url, url.replace('/preview/', '/')]) {
    const { width } = await sharp(Buffer.from(await (await colleague.fetch(path)).arrayBuffer())).metadata();
    expect(width).toBe(2048);
  }
  expect(await codeOf(await original(colleague, id))).toMatchObject({
    code: -1,
    msg: expect.stringContaining('还没有申请'),
  });
  expect(await colleague.ask(originals.ask, { params: { id }, body: { purpose: '' } })).toMatchObject({
    code: 4000,
  });
  await grant(colleague, id);
  expect(await colleague.ask(originals.ask, { params: { id }, body: { purpose: '再要' } })).toRefuse(
    refused.askedBefore,
  );
  const answers = await Promise.all(Array.from({ length: 9 }, () => original(colleague, id)));
  const went = answers.filter((one) => one.headers.get('content-type') === 'image/jpeg');
  expect(went).toHaveLength(5);
  expect((await sharp(Buffer.from(await went[0]!.arrayBuffer())).metadata()).width).toBe(2600);
  expect(await codeOf(await original(colleague, id))).toMatchObject({
    code: -1,
    msg: expect.stringContaining('5 次已用完'),
  });
  expect((await reviewer.get(originals.list, { query: { decide: true } })).value[0]).toMatchObject({
    photo_id: id,
    used: 5,
    purpose: '校报封面',
  });
  expect(await house.stranger.get(originals.list, { query: { decide: true } })).toMatchObject({
    value: [],
    total: 0,
  });
});

test('a person who is refused an original reads the reason', async () => {
  const { staff, colleague, reviewer } = house;
  const id = await house.shown(staff, await house.album());
  const request = await colleague.get(originals.ask, { params: { id }, body: { purpose: '校报封面' } });
  const refuse = (answer: string) =>
    reviewer.ask(originals.decide, { params: { id: request.id! }, body: { agree: false, answer } });
  expect((await refuse('')).msg).toBe('请填写不同意原因');
  expect(await refuse('只用于存档')).toMatchObject({ code: 0 });
  const [row] = (await colleague.get(originals.list, { query: {} })).value.filter((one) => one.photo_id === id);
  expect(row).toMatchObject({ state: 2, answer: '只用于存档' });
});

test('a manager of an album requests originals like everybody', async () => {
  const keeper = await house.hire('相册管理员');
  const id = await house.shown(house.staff, await house.album({ managers: [keeper.username] }));
  expect((await house.detail(keeper, id)).actions).not.toContain('whole');
  expect((await codeOf(await original(keeper, id))).msg).toContain('您还没有申请');
  await grant(keeper, id);
  expect((await codeOf(await original(keeper, id))).code).toBe(0);
});

test('a copy carries its photographer’s name if the album says so', async () => {
  const { staff, colleague, album, shown } = house;
  const id = await shown(staff, await album({ watermark: true }));
  await grant(colleague, id);
  const [own, other] = [await original(staff, id), await original(colleague, id)];
  const bytes = await Promise.all([own, other].map(async (one) => Buffer.from(await one.arrayBuffer())));
  expect([own, other].map((one) => one.headers.get('content-type'))).toEqual(['image/jpeg', 'image/jpeg']);
  const [plain, marked] = await Promise.all(bytes.map((one) => sharp(one).resize(64).greyscale().raw().toBuffer()));
  expect(plain!.equals(marked!)).toBe(false);
});

test('a photo whose content the store has lost is named in the zip of the others, and refused alone with a sentence', async () => {
  const { staff, album, shown, office } = house;
  const category = await album();
  const ids = [];
  for (const title of ['失一', '存二', '失三']) ids.push(await shown(staff, category, { title }));
  for (const id of [ids[0], ids[2]]) {
    const { rows } = await office.db.execute<{ sha256: string }>(
      sql`select sha256 from file where id = (select file_id from photo where id = ${id})`,
    );
    await office.services.fileStore.store.remove(keyOf(rows[0]!.sha256));
  }
  const rest = unzipSync(Buffer.from(await (await zip(staff, ids)).arrayBuffer()));
  expect(Object.keys(rest)).toEqual(['002 存二.jpg', '署名.txt']);
  const credits = Buffer.from(rest['署名.txt']!).toString().split('\r\n');
  expect(credits).toHaveLength(3);
  expect(credits.filter((line) => line.endsWith('：内容已不在服务器的存储中，没有放入')).toSorted()).toEqual([
    expect.stringMatching(/^《失一》/) as string,
    expect.stringMatching(/^《失三》/) as string,
  ]);
  const { code, msg } = await codeOf(await original(staff, ids[0]!));
  expect([code, msg]).toEqual([4004, expect.stringContaining('的内容已不在服务器的存储中，请联系管理员从备份恢复')]);
});

test('withdrawn consent removes a photo at once from gallery, zip and originals, with a sentence', async () => {
  const { staff, colleague, reviewer, album, shown, wall, detail } = house;
  const category = await album();
  const id = await shown(staff, category, { faces: true, consent: 1, title: '合影' });
  await reviewer.get(reviews.top, { params: { id }, body: {} });
  await grant(colleague, id);
  expect((await original(colleague, id)).status).toBe(200);
  const { url } = await detail(colleague, id);
  expect(await staff.ask(photos.change, { params: { id }, body: { withdraw: '' } })).toRefuse(
    refused.reasonWanted,
    '撤回授权',
  );
  await staff.get(photos.change, { params: { id }, body: { withdraw: '本人要求' } });
  expect(await wall(colleague, { category })).toMatchObject({ value: [], tops: [] });
  expect(await detail(staff, id)).toMatchObject({ state: 2, reason: '授权撤回：本人要求', top: false, consent: 0 });
  expect((await codeOf(await colleague.fetch(url))).code).toBe(4004);
  expect((await codeOf(await original(colleague, id))).code).toBe(4004);
  expect((await codeOf(await zip(colleague, [id]))).code).toBe(4004);
  expect((await colleague.get(originals.list, { query: {} })).value.find((one) => one.photo_id === id)).toMatchObject({
    state: 3,
  });
  expect((await house.review(reviewer, [id], 'approve')).value[0]!.msg).toContain('未取得授权');
});

test('a photo whose consent has expired stays visible inside, but in no zip and without original', async () => {
  const { staff, colleague, album, shown, office } = house;
  const id = await shown(staff, await album(), { faces: true, consent: 2, title: '旧合影' });
  await office.services.databases.write((tx) =>
    tx.execute(sql`update photo set consent_until = current_date - 1 where id = ${id}`),
  );
  expect(await colleague.ask(photos.detail, { params: { id } })).toMatchObject({
    code: 0,
    data: { value: { consented: false } },
  });
  expect(await codeOf(await zip(colleague, [id]))).toMatchObject({
    code: -1,
    msg: refused.consentMissing(['旧合影']).message,
  });
  expect(await colleague.ask(originals.ask, { params: { id }, body: { purpose: '看' } })).toRefuse(
    refused.consentMissing,
    ['旧合影'],
  );
});

test('a zip holds the photos and their credits, and leaves out those removed while it is written', async () => {
  const { staff, colleague, album, shown, reviewer, review } = house;
  const category = await album();
  const ids = [];
  for (const [at, title] of ['甲图', '乙图', '丙图'].entries())
    ids.push(
      await shown(staff, category, {
        title,
        bytes: await sharp(randomBytes(1500 * 1500 * 3), { raw: { width: 1500, height: 1500, channels: 3 } })
          .jpeg({ quality: 100 })
          .toBuffer(),
        taken_at: `2025-01-0${3 - at} 10:00`,
      }),
    );
  const files = unzipSync(Buffer.from(await (await zip(colleague, ids)).arrayBuffer()));
  expect(Object.keys(files)).toEqual(['001 甲图.jpg', '002 乙图.jpg', '003 丙图.jpg', '署名.txt']);
  expect(Buffer.from(files['署名.txt']!).toString()).toContain('《甲图》 摄影：王摄影（教务处）');
  expect((await sharp(files['001 甲图.jpg']).metadata()).width).toBe(1500);
  const going = await zip(colleague, ids);
  const reader = going.body!.getReader();
  const parts = [(await reader.read()).value!];
  await review(reviewer, [ids[2]!], 'down', { reason: '撤下' });
  for (;;) {
    const { value, done } = await reader.read();
    if (done) break;
    parts.push(value);
  }
  const rest = unzipSync(Buffer.concat(parts));
  expect(Object.keys(rest)).toEqual(['001 甲图.jpg', '002 乙图.jpg', '署名.txt']);
  expect(Buffer.from(rest['署名.txt']!).toString()).toContain('打包时已下架，没有放入');
});

test('of a picture’s metadata only time and camera appear in any answer, file, export, row or log', async () => {
  const { staff, reviewer, album, send, review, detail, office, wall } = house;
  const category = await album();
  const { id } = await send(staff, category, { bytes: await tellTale(6), title: '无痕' });
  await review(reviewer, [id], 'approve');
  const row = await detail(staff, id);
  expect(row).toMatchObject({ camera: 'Testkamera Drei', taken_at: '2025-03-04 05:06:07', width: 96, height: 64 });
  const answers: Buffer[] = [
    Buffer.from(
      JSON.stringify([row, await wall(staff, { category }), await reviewer.get(photos.list, { query: { category } })]),
    ),
  ];
  for (const path of [
    row.url,
    `${row.url}&thumb=1`,
    `${row.url}&size=medium`,
    `${row.url}&size=large`,
    row.url.replace('/preview/', '/'),
    `/api/photo/${id}/original/`,
    `/api/photo/?export=xlsx&category=${category}`,
  ])
    answers.push(Buffer.from(await (await (path.includes('export') ? reviewer : staff).fetch(path)).arrayBuffer()));
  const unzipped = unzipSync(Buffer.from(await (await zip(staff, [id])).arrayBuffer()));
  answers.push(...Object.values(unzipped).map((one) => Buffer.from(one)));
  const sheet = unzipSync(answers.at(-Object.keys(unzipped).length - 1)!);
  answers.push(...Object.values(sheet).map((one) => Buffer.from(one)));
  for (const name of await readdir(office.folder, { recursive: true, withFileTypes: true }))
    if (name.isFile()) answers.push(readFileSync(join(name.parentPath, name.name)));
  const tables = ['photo', 'file', 'log', 'idempotency_record'];
  for (const table of tables) {
    const { rows } = await office.db.execute<{ all: string | null }>(
      sql`select string_agg(t::text, ' ') as all from ${sql.identifier(table)} t`,
    );
    answers.push(Buffer.from(rows[0]!.all ?? ''));
  }
  expect(answers.length).toBeGreaterThan(20);
  for (const bytes of answers) {
    for (const canary of canaries) expect(bytes.includes(canary, 0, 'latin1')).toBe(false);
    for (const tag of ['GPSL', 'Exif\0\0']) expect(bytes.includes(tag, 0, 'latin1')).toBe(false);
  }
});

test('a bad file is refused with one sentence whatever its name, and data hidden behind a picture is removed', async () => {
  const { staff } = house;
  const heic = heicOf({ blocks: [[76, 85, 255]], columns: 1 });
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>1</script></svg>');
  const jpeg = await jpegOf(41);
  const wrong: [Buffer, string, RegExp][] = [
    [svg, '图.jpg', /^照片只接受/],
    [jpeg.subarray(0, jpeg.length / 2), '半张.jpg', /^图片已损坏/],
    [heic.subarray(0, heic.length - 200), '半张.heic', /导出为 JPEG 后再上传$/],
    [Buffer.from('%PDF-1.4'), '文.png', /^照片只接受/],
    [jpeg, '图.exe', /^不能上传“图\.exe”/],
    [Buffer.alloc(0), '空.jpg', /空的/],
  ];
  for (const [bytes, name, sentence] of wrong)
    expect(await upload(staff, bytes, name)).toMatchObject({ code: -1, msg: expect.stringMatching(sentence) });
  expect(await upload(staff, heic, '手机.HEIC')).toMatchObject({
    code: 0,
    data: { name: '手机.jpg', mime: 'image/jpeg' },
  });
  expect(await upload(staff, heic, '改了名.jpg')).toMatchObject({ code: 0 });
  const two = await upload(staff, Buffer.concat([jpeg, Buffer.from('PK\x05\x06<script>')]));
  const { url } = two.data as unknown as { url: string };
  expect(Buffer.from(await (await staff.fetch(url)).arrayBuffer()).includes('<script>')).toBe(false);
});

test('an upload in portions continues after an interruption, and becomes one photo', async () => {
  const { staff, album } = house;
  const bytes = await sharp(randomBytes(900 * 900 * 3), { raw: { width: 900, height: 900, channels: 3 } })
    .jpeg({ quality: 95 })
    .toBuffer();
  const form = new FormData();
  form.set('module', 'photos');
  form.set('size', String(bytes.length));
  form.set('file', new Blob([]), '大图.jpg');
  const begun = (await (await staff.fetch('/api/file/upload/', { method: 'POST', body: form })).json()) as {
    data: { upload_id: number };
  };
  const path = `/api/file/upload/${begun.data.upload_id}/`;
  const part = async (from: number, to: number, broken = false) => {
    const stop = new AbortController();
    const body = broken
      ? new ReadableStream({
          start(way) {
            way.enqueue(new Uint8Array(bytes.subarray(from, from + 1000)));
            setTimeout(() => stop.abort(), 50);
          },
        })
      : new Uint8Array(bytes.subarray(from, to));
    const asked = {
      method: 'PATCH',
      headers: { 'content-type': 'application/octet-stream' },
      body,
      signal: stop.signal,
      duplex: 'half',
    } as never;
    return staff.fetch(`${path}?offset=${from}`, asked).then(
      async (answer) => (await answer.json()) as { data: { offset: number; file: { id: number } | null } },
      () => null,
    );
  };
  let file: { id: number } | null = null;
  for (let tries = 0; tries < 40 && !file; tries += 1) {
    const { data } = (await (await staff.fetch(path)).json()) as {
      data: { offset: number; file: { id: number } | null };
    };
    file = data.file ?? (await part(data.offset, data.offset + 200_000, tries % 3 === 1))?.data.file ?? null;
  }
  const { id } = await staff.get(photos.create, {
    body: { file_id: file!.id, category_id: await album(), title: '断点续传' },
  });
  expect(await house.detail(staff, id!)).toMatchObject({ width: 900, height: 900 });
});

test('photo figures count uploads and adoptions by department, person, album and month', async () => {
  const { staff, stranger, album, shown, send, reviewer } = house;
  const category = await album({ points: 4 });
  await shown(staff, category);
  await send(staff, category);
  await shown(stranger, category);
  const data = (await reviewer.get(photoStatistics.call, { query: { category } })) as unknown as {
    value: { summary: object; by_dept: object[]; by_user: object[]; by_category: object[] };
  };
  expect(data.value.summary).toMatchObject({ uploaded: 3, adopted: 2, score: 8, rate: 66.7 });
  expect(data.value.by_dept).toMatchObject(
    [
      { name: '教务处', uploaded: 2, adopted: 1, score: 4 },
      { name: '图书馆', uploaded: 1, adopted: 1 },
    ].toSorted(() => 0),
  );
  expect(data.value.by_category).toMatchObject([{ uploaded: 3, score: 8 }]);
  expect(await staff.ask(photoStatistics.call, { query: {} })).toMatchObject({ code: 4003 });
});

test('albums are created only by people with a scope over everything', async () => {
  const { staff, office, dept } = house;
  expect(await staff.ask(albums.add, { body: { name: '私建' } })).toMatchObject({ code: 4003 });
  const clerk = await office.clerk({ 'photo/category': ['Create', 'Retrieve'] }, { dataScope: 4, dept });
  expect(await clerk.ask(albums.add, { body: { name: '部门建' } })).toRefuse(notOverAll, '新增相册');
});
