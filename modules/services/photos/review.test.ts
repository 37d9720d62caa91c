import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { originals } from './contract/originals.ts';
import { photos } from './contract/photos.ts';
import { reviews, toggledBare } from './contract/reviews.ts';
import * as refused from './contract/refusals.ts';
import { waiting as waitingCalls } from '#modules/platform/waits/contract.ts';
import { tellPhotoNews } from './review/news.ts';
import { openPhotos, type House } from './testing/house.ts';

let house: House;
beforeAll(async () => {
  house = await openPhotos();
});
afterAll(() => house.office.close());

test('a photo is uploaded, waits, is approved by somebody else and appears in the gallery', async () => {
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

test('nobody approves their own photo while another reviewer exists', async () => {
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

test('toggling a photo without a state needs no reason, and naming the state does', async () => {
  const { staff, reviewer, album, send, review } = house;
  const { id } = await send(staff, await album());
  await review(reviewer, [id], 'approve');
  const toggle = (body: object) => reviewer.ask(reviews.setState, { params: { id }, body: body as never });
  expect(await toggle({ state: 2 })).toMatchObject({ msg: refused.reasonWanted('下架').message });
  expect(await toggle({})).toMatchObject({ code: 0 });
  expect(await house.detail(staff, id)).toMatchObject({ state: 2, reason: toggledBare });
  expect(await toggle({})).toMatchObject({ code: 0 });
  expect((await house.detail(staff, id)).state).toBe(1);
});

test('a review names what a photo lacks, and a return needs a reason', async () => {
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

test('an undone review returns its points and notifies nobody', async () => {
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

test('of two simultaneous reviews of one photo one takes effect and counts', async () => {
  const { staff, reviewer, second, album, send, review, detail } = house;
  const { id } = await send(staff, await album({ points: 1 }));
  await Promise.all([reviewer, second].map((who) => review(who, [id], 'approve')));
  expect(await detail(reviewer, id)).toMatchObject({ state: 1, score: 1 });
});

test('an approval and a deletion of one photo at once: one comes first, and the other is told', async () => {
  const { staff, reviewer, album, send, review } = house;
  const { id } = await send(staff, await album());
  const [approved, gone] = await Promise.all([
    review(reviewer, [id], 'approve'),
    staff.ask(photos.remove, { params: { id } }),
  ]);
  expect([approved.value[0]!.ok, gone.code === 0]).toContain(false);
  expect([approved.value[0]!.ok, gone.code === 0]).toContain(true);
});

test('a sixth pinned photo is refused with the names of the five, also with two presses at once', async () => {
  const { staff, reviewer, second, album, shown, wall } = house;
  const category = await album();
  const ids = [];
  for (let n = 0; n < 7; n += 1) ids.push(await shown(staff, category, { title: `张${n}` }));
  for (const id of ids.slice(0, 4)) await reviewer.get(reviews.top, { params: { id }, body: { top: true } });
  const press = (who: typeof staff, id: number) => who.ask(reviews.top, { params: { id }, body: { top: true } });
  const two = await Promise.all([press(reviewer, ids[4]!), press(second, ids[5]!)]);
  expect(two.map((one) => one.code).toSorted()).toEqual([0, 4009]);
  expect(await press(reviewer, ids[6]!)).toMatchObject({
    code: 4009,
    msg: expect.stringMatching(/《张0》、《张1》、《张2》、《张3》、《张[45]》/),
  });
  await press(reviewer, ids[0]!);
  expect((await wall(staff, { category })).tops).toHaveLength(5);
  await reviewer.get(reviews.top, { params: { id: ids[0]! }, body: {} });
  expect((await wall(staff, { category })).tops).toHaveLength(4);
});

test('undoing a removal returns a photo to the gallery with its points, and undoing an approval returns it to removed', async () => {
  const { staff, reviewer, album, shown, review, detail, wall } = house;
  const category = await album({ points: 2 });
  const id = await shown(staff, category);
  const { published_at: since } = (await house.office.db.execute(sql`select published_at from photo where id = ${id}`))
    .rows[0]!;
  await review(reviewer, [id], 'down', { reason: '误操作' });
  expect((await review(reviewer, [id], 'undo')).value[0]).toMatchObject({ ok: true });
  expect(await detail(reviewer, id)).toMatchObject({ state: 1, reason: '', score: 2 });
  expect((await wall(staff, { category })).total).toBe(1);
  expect((await house.office.db.execute(sql`select published_at from photo where id = ${id}`)).rows[0]).toEqual({
    published_at: since,
  });
  expect((await review(reviewer, [id], 'undo')).value[0]).toMatchObject({ ok: false });
  await review(reviewer, [id], 'down', { reason: '另有安排' });
  await review(reviewer, [id], 'approve');
  await review(reviewer, [id], 'undo');
  expect(await detail(reviewer, id)).toMatchObject({ state: 2, reason: '另有安排', score: 2 });
});

test('undoing a removal restores its pin and granted originals, as far as places are free', async () => {
  const { staff, colleague, reviewer, second, album, shown, review, detail } = house;
  const category = await album();
  const ids: number[] = [];
  for (let n = 0; n < 6; n += 1) ids.push(await shown(staff, category));
  const [id, late] = [ids[0]!, ids[5]!];
  const pin = (one: number) => reviewer.get(reviews.top, { params: { id: one }, body: { top: true } });
  const ask = (who: typeof staff) => who.get(originals.ask, { params: { id }, body: { purpose: '校报' } });
  const requestsOf = async (who: typeof staff) =>
    (await who.get(originals.list, { query: {} })).value.filter((one) => one.photo_id === id).map((one) => one.state);
  for (const one of ids.slice(0, 5)) await pin(one);
  await reviewer.get(reviews.com, { params: { id }, body: { com: true } });
  await reviewer.get(originals.decide, { params: { id: (await ask(colleague)).id! }, body: { agree: true } });
  await ask(second);
  await review(reviewer, [id], 'down', { reason: '误操作' });
  expect(await detail(reviewer, id)).toMatchObject({ top: false, com: false });
  expect([await requestsOf(colleague), await requestsOf(second)]).toEqual([[3], [3]]);
  await review(reviewer, [id], 'undo');
  expect(await detail(reviewer, id)).toMatchObject({ state: 1, top: true, com: true });
  expect([await requestsOf(colleague), await requestsOf(second)]).toEqual([[1], [0]]);
  // Its slot is taken by another photo meanwhile; adoption credits end with the take-down.
  await review(reviewer, [id], 'down', { reason: '误操作' });
  await pin(late);
  await review(reviewer, [id], 'undo');
  expect(await detail(reviewer, id)).toMatchObject({ state: 1, top: false, com: true });
  await review(reviewer, [id], 'down', { reason: '另有安排' });
  await review(reviewer, [id], 'approve');
  await ask(second);
  await review(reviewer, [id], 'undo');
  expect([await requestsOf(colleague), await requestsOf(second)]).toEqual([[3], [3, 3]]);
});

test('undoing a return makes a photo wait again, and undoing an approval after a return restores the return', async () => {
  const { staff, reviewer, album, send, review, detail } = house;
  const { id } = await send(staff, await album());
  await review(reviewer, [id], 'return', { reason: '画面模糊' });
  await review(reviewer, [id], 'undo');
  expect(await detail(reviewer, id)).toMatchObject({ state: 0, reason: '' });
  await review(reviewer, [id], 'return', { reason: '缺少说明' });
  await review(reviewer, [id], 'approve');
  await review(reviewer, [id], 'undo');
  expect(await detail(reviewer, id)).toMatchObject({ state: 3, reason: '缺少说明', score: 0 });
});

test('a returned photo is refused when it is resubmitted unchanged, and waits when something changed', async () => {
  const { staff, reviewer, album, send, review, detail } = house;
  const { id } = await send(staff, await album(), { title: '湖', tags: ['秋'], taken_at: '2025-01-02 10:20:30' });
  await review(reviewer, [id], 'return', { reason: '缺少说明' });
  const again = (more: object) => staff.ask(photos.change, { params: { id }, body: { submit: true, ...more } });
  expect(await again({})).toRefuse(refused.unchanged, '湖');
  expect(await again({ title: '湖', tags: ['秋'], description: '', taken_at: '2025-01-02 10:20' })).toRefuse(
    refused.unchanged,
    '湖',
  );
  expect(await again({ title: '湖', description: '摄于湖畔' })).toMatchObject({ code: 0 });
  expect(await detail(staff, id)).toMatchObject({ state: 0, taken_at: '2025-01-02 10:20:30' });
  await review(reviewer, [id], 'return', { reason: '缺少说明' });
  expect(await again({ title: '湖' })).toRefuse(refused.unchanged, '湖');
  await staff.get(photos.change, { params: { id }, body: { place: '湖畔' } });
  expect(await again({})).toMatchObject({ code: 0 });
});

test('an album’s manager sees, reviews and undoes its photos without a photo role, and not those of another album', async () => {
  const keeper = await house.hire('管相册的');
  const mine = await house.album({ managers: [keeper.username] });
  const others = await house.album();
  const { id } = await house.send(house.staff, mine);
  const { id: far } = await house.send(house.staff, others);
  const waiting = (await keeper.get(waitingCalls.list, { query: { per_page: 100 } })).value;
  expect(waiting.filter((row) => row.web_path.startsWith('/photo/'))).toMatchObject([
    { web_path: `/photo/detail/${id}` },
  ]);
  expect((await house.detail(keeper, id)).actions).toEqual(expect.arrayContaining(['approve', 'return']));
  expect((await house.detail(keeper, id)).actions).not.toContain('top');
  const approve = (photo: number) => keeper.get(reviews.review, { body: { ids: [photo], act: 'approve' } });
  expect((await approve(id)).value).toMatchObject([{ ok: true }]);
  expect((await approve(far)).value).toMatchObject([{ ok: false }]);
  await house.office.services.databases.pool.query(
    `update photo set news = case when id = $1 then 1 else 0 end, gmt_modified = now() - interval '10 minutes' where uploader_id = $2`,
    [id, house.staff.userId],
  );
  await house.office.services.databases.write(tellPhotoNews);
  const { rows } = await house.office.services.databases.pool.query(
    `select web_path from msg join msg_user on msg_id = msg.id where user_id = $1 and event = 'PHOTO_PENDING'`,
    [keeper.userId],
  );
  expect(rows).toEqual([{ web_path: `/photo/detail/${id}` }]);
});
