import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import type { PanelOf, RowOf } from '#kernel/contract/figures.ts';
import type { Client } from '#apps/server/testing.ts';
import { namedIn } from './papers/cited.ts';
import { folderCategories, folders } from './contract.ts';
import type { folderStatistics } from './contract/statistics.ts';
import { openLibrary } from './testing/house.ts';

const {
  office: app,
  author,
  category,
  party,
  finance,
  insider,
  write: wrote,
  paper,
  codeOf,
  read,
  confirm,
} = await openLibrary();
afterAll(() => app.close());
const outsider = await app.clerk(
  { 'folder/papers': ['Retrieve'], 'folder/statistics': ['Retrieve', 'daochu'] },
  { dept: party, dataScope: 3 },
);

const write = (more: object = {}) =>
  wrote({ dept: finance, content: '一、住宿费每天 350 元。', scope: { depts: [finance] }, ...more });
const seek = (who: Client, search_value: string, more: object = {}) =>
  who.get(folders.papers, { query: { search_value, ...more } as never });
type Dim = PanelOf<typeof folderStatistics>;
const rows = async (dim: Dim, who = author) =>
  (await who.get(folders.statistics, { query: { dim, per_page: 100 } })).value as RowOf<typeof folderStatistics>[];

test('a regulation with questions is confirmed by answering all correctly, and only its managers see the right answers', async () => {
  const quiz = [
    { question: '住宿费每天多少？', options: ['300 元', '350 元', '400 元'], answer: 1 },
    { question: '由谁解释？', options: ['财务处', '人事处'], answer: 0 },
  ];
  const id = await write({ must_read: true, quiz });
  await read(insider, id);
  expect((await paper(insider, id)).quiz).toEqual(quiz.map((one) => ({ ...one, answer: null })));
  expect((await paper(author, id)).quiz).toEqual(quiz);
  expect((await confirm(insider, id)).msg).toBe('请先回答 2 道题，再确认已读');
  expect((await confirm(insider, id, [0, 0])).msg).toBe('2 题中答对 1 题，请对照正文再答一次');
  expect((await read(insider, id)).to_confirm).toBe(true);
  expect((await confirm(insider, id, [1, 0])).code).toBe(0);
  expect((await confirm(insider, id)).code).toBe(0);
  expect((await read(insider, id)).to_confirm).toBe(false);
});

test('quiz answers are limited in attempts, and a quiz outside one’s scope is refused', async () => {
  const quiz = [{ question: '金丝雀？', options: ['是', '否'], answer: 1 }];
  const id = await write({ must_read: true, quiz });
  expect((await confirm(outsider, id, [1])).code).toBe(4004);
  expect(await codeOf(outsider, id)).toBe(4004);
  await read(insider, id);
  for (let tried = 0; tried < 5; tried += 1) expect((await confirm(insider, id, [0])).code).toBe(-1);
  expect((await confirm(insider, id, [1])).code).toBe(4029);
});

test('a question has a right answer among its options, and a regulation has at most three questions', async () => {
  const asks = async (quiz: object[]) =>
    (await author.ask(folders.createPaper, { body: { ...(await body()), quiz } as never })).code;
  const body = async () => ({
    title: '题',
    category_id: category,
    dept: finance,
    publish_date: '2026-03-01',
    scope: { all: true },
  });
  const one = { question: '问', options: ['甲', '乙'], answer: 0 };
  expect(await asks([one, one, one])).toBe(0);
  expect(await asks([one, one, one, one])).toBe(4000);
  expect(await asks([{ ...one, answer: 2 }])).toBe(4000);
  expect(await asks([{ ...one, options: ['甲'] }])).toBe(4000);
});

test('searches without results are counted for managers without the person; filters and the palette do not count', async () => {
  await write({ title: '金丝雀报销细则' });
  for (const word of ['食堂', ' 食堂 ', 'WIFI', 'wifi']) await seek(insider, word);
  await seek(insider, '校车', { category });
  await seek(insider, '校车', { aside: true });
  await seek(insider, '鞋');
  await seek(insider, '金丝雀');
  await seek(insider, '停车', { status: 1 });
  const found = async () => (await rows('miss')).map((row) => [row.name, row.count]);
  expect(await found()).toEqual([
    ['wifi', 2],
    ['食堂', 2],
    ['停车', 1],
  ]);
  expect((await insider.ask(folders.statistics, { query: { dim: 'miss' } })).code).toBe(4003);
});

test('figures cover only the regulations that the viewer manages', async () => {
  const late = await write({ title: '金丝雀消防办法', must_read: true });
  const old = await write({ title: '金丝雀旧规', publish_date: '2020-01-01' });
  await app.services.databases.pool.query(`update folder_paper set expire_date = '2021-01-01' where id = $1`, [old]);
  await app.services.databases.pool.query(`update folder_paper set read_deadline = '2026-01-01' where id = $1`, [late]);
  await read(insider, late);
  const named = (found: { name: string }[], name: string) => found.find((row) => row.name === name);
  expect(named(await rows('must_read'), '金丝雀消防办法')).toMatchObject({
    total: 1,
    done: 0,
    rate: 0,
    day: '2026-01-01',
  });
  expect(await rows('overdue')).toMatchObject([{ name: '会计科', count: 1 }]);
  expect(await rows('expired')).toMatchObject([{ name: '金丝雀旧规', day: '2021-01-01' }]);
  expect((await rows('status')).map((row) => row.name)).toEqual(['草稿', '现行有效']);
  await confirm(insider, late);
  expect(named(await rows('must_read'), '金丝雀消防办法')).toMatchObject({ total: 1, done: 1, rate: 100 });
  expect(await rows('overdue')).toEqual([]);
  for (const by of ['category', 'dept', 'status', 'must_read', 'overdue', 'expired'] as const)
    expect([by, await rows(by, outsider)]).toEqual([by, []]);
  const sheet = await author.fetch('/api/folder/statistics/?dim=dept&export=xlsx');
  expect(
    Buffer.from(await sheet.arrayBuffer())
      .subarray(0, 2)
      .toString(),
  ).toBe('PK');
});

test('the reading rate of a regulation for everybody leaves out people who have left', async () => {
  const id = await write({ title: '全体须知', must_read: true, scope: { all: true } });
  const rate = async () => (await rows('must_read')).find((row) => row.key === String(id))!;
  const before = await rate();
  const leaver = await app.person({ dept: finance });
  const reader = await app.signIn(leaver);
  await read(reader, id);
  await confirm(reader, id);
  expect(await rate()).toMatchObject({ total: before.total + 1, done: 1 });
  await app.services.databases.pool.query('update app_user set is_active = false where id = $1', [leaver.id]);
  expect(await rate()).toMatchObject({ total: before.total, done: 0 });
});

test('a regulation warns of cited regulations that are out of force, as far as the reader sees them', async () => {
  const repeal = (id: number) =>
    author.get(folders.updatePaper, {
      params: { id },
      body: { status: 3, repeal_reason: '过时', repeal_date: '2026-06-01' },
    });
  await repeal(await write({ title: '旧办法', fwh: '校财〔2019〕6号', scope: { all: true } }));
  await repeal(await write({ title: '金丝雀旧办法', fwh: '校财〔2019〕8号' }));
  const content = '依据校财〔2019〕6 号、校财[2019]8号和《金丝雀旧办法》制定。';
  const id = await write({ title: '新办法', content, scope: { all: true } });
  const reader = await app.clerk({ 'folder/index': ['Retrieve'] }, { dept: party, dataScope: 5 });
  const cited = async (who: Client) => (await paper(who, id)).outdated.map((one) => one.title);
  expect(await cited(reader)).toEqual(['旧办法']);
  expect(await cited(insider)).toEqual(['旧办法', '金丝雀旧办法']);
});

test('a number that is only the end of another regulation’s number is not taken for a citation', async () => {
  const old = await write({ title: '学院旧办法', fwh: '院发〔2020〕3号', scope: { all: true } });
  await author.get(folders.updatePaper, {
    params: { id: old },
    body: { status: 3, repeal_reason: '过时', repeal_date: '2026-06-01' },
  });
  await write({ title: '书院办法', fwh: '书院发〔2020〕3号', scope: { all: true } });
  const cited = async (content: string) => {
    const id = await write({ title: '引用办法', content, scope: { all: true } });
    return (await paper(author, id)).outdated.map((one) => one.title);
  };
  expect(await cited('按书院发〔2020〕3号执行。')).toEqual([]);
  expect(await cited('按书院发〔2020〕3号和院发〔2020〕3 号执行。')).toEqual(['学院旧办法']);
});

test('citations are found by an index among many regulations, in any spelling of number and title', async () => {
  const repealed = async (more: object) => {
    const id = await write({ ...more, scope: { all: true } });
    const body = { status: 3, repeal_reason: '过时', repeal_date: '2026-06-01' } as const;
    await author.get(folders.updatePaper, { params: { id }, body });
  };
  await repealed({ title: '写法一', fwh: '校研 [2018] 12 号' });
  await repealed({ title: '写法二', fwh: 'QB/T 2018-7' });
  await repealed({ title: '写法三', fwh: '校研〔二〇一八〕十二号' });
  await repealed({ title: '转发《某规定》的办法', fwh: '' });
  await app.services.databases.pool.query(
    `insert into folder_paper (creator_id, title, fwh, category_id, dept_id, publish_date, status, audience, content)
      select 1, '制度' || n, '校史〔2001〕' || n || '号', $1, $2, '2020-01-01', 1, '{a0}', '一' from generate_series(1, 3000) n`,
    [category, party],
  );
  await app.services.databases.pool.query('analyze folder_paper');
  const content = '按校研〔2018〕12号、QB/T 2018-7、校研（二〇一八）十二号和《转发《某规定》的办法》执行。';
  const id = await write({ title: '引用写法', content, scope: { all: true } });
  expect((await paper(author, id)).outdated.map((one) => one.title)).toEqual([
    '写法一',
    '写法二',
    '写法三',
    '转发《某规定》的办法',
  ]);
  const { rows: plan } = await app.db.execute<{ 'QUERY PLAN': string }>(sql`explain ${namedIn(content)}`);
  expect(plan.map((row) => row['QUERY PLAN']).filter((line) => line.includes('Seq Scan'))).toEqual([]);
});

test('truncated figures say so, and cannot be exported', async () => {
  const { pool } = app.services.databases;
  const fill =
    'insert into folder_search_miss (day, word, times) select current_date, $1 || n, 1 from generate_series(1, $2) n';
  await pool.query(fill, ['少', 990]);
  const asked = async () => author.get(folders.statistics, { query: { dim: 'miss', per_page: 100, page: 10 } });
  const before = await asked();
  expect([before.total_capped, before.page]).toEqual([undefined, 10]);
  await pool.query(fill, ['多', 100]);
  const after = await asked();
  expect([after.total, after.total_capped, (after.value as unknown[]).length]).toEqual([1000, true, 100]);
  const sheet = await author.fetch('/api/folder/statistics/?dim=miss&export=xlsx');
  expect(((await sheet.json()) as { msg: string }).msg).toContain('1000');
});

test('the code of a category is unique', async () => {
  const keeper = await app.clerk({ 'folder/category': ['Create', 'Retrieve', 'Update'] }, { dept: party });
  const make = (name: string, code: string) => keeper.ask(folderCategories.add, { body: { name, code } });
  expect((await make('甲类', 'A1')).code).toBe(0);
  expect((await make('乙类', 'A1')).msg).toBe('分类编码“A1”已被使用，请换一个');
  expect((await make('丙类', '')).code).toBe(0);
  expect((await make('丁类', '')).code).toBe(0);
});
