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

test('a toggle without a state or a reason takes a shown photo down and shows it again; whoever names the state gives a reason', async () => {
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

test('a take-down that is taken back leads to the gallery again with its points, an adoption after it to the take-down', async () => {
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

test('a take-down that is taken back brings back where it was pinned and what was granted of it, as far as that is free', async () => {
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

test('a return that is taken back waits again, one that was returned before and adopted is returned as before', async () => {
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

test('a returned photo that is sent again unchanged is refused, with something changed it waits', async () => {
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

test('whoever looks after an album opens, reviews and takes back what comes to it, without a role of photos; another album is not theirs', async () => {
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
