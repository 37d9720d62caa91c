import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestOffice, type Client, type TestOffice } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { messages } from '#modules/messages/contract.ts';
import { folders } from './contract.ts';
import type { CategoryNode } from './contract/rows.ts';
import { paperTask } from './telling.ts';

const every = ['Create', 'Retrieve', 'Update', 'Delete', 'daochu'] as const;
const tree = ['Create', 'Retrieve', 'Update', 'Delete'] as const;

let office: TestOffice;
let party: number;
let finance: number;
let section: number;
let category: number;
let author: Client;
let insider: Client;
let outsider: Client;

beforeAll(async () => {
  office = await openTestOffice();
  party = await office.dept('党政办');
  finance = await office.dept('财务处');
  section = await office.dept('会计科', finance);
  author = await office.clerk({ 'folder/papers': [...every], 'folder/category': [...tree] }, { dept: party });
  insider = await staff(section);
  outsider = await staff(party);
  category = (await author.get(folders.categories))[0]!.id;
});
afterAll(() => office.close());

const staff = (dept: number) => office.clerk({ 'folder/index': ['Retrieve'] }, { dept, dataScope: 5 });
const draft = (more: object = {}) => ({
  title: '差旅费管理办法',
  category_id: category,
  dept: party,
  publish_date: '2026-03-01',
  content: '第一章 总则\n一、为规范差旅费管理，制定本办法。',
  scope: { all: true },
  ...more,
});
const write = async (more: object = {}, who = author) =>
  (await who.get(folders.createPaper, { body: draft({ status: 1, ...more }) as never })).id!;
const change = (id: number, body: object, who = author) =>
  who.ask(folders.updatePaper, { params: { id }, body: body as never });
const paper = (who: Client, id: number) => who.get(folders.paper, { params: { id } });
const found = async (who: Client, query: object = {}) =>
  (await who.get(folders.papers, { query: { per_page: 100, ...query } as never })).value.map((row) => row.id);
const read = (who: Client, paper_id: number) => who.get(folders.read, { query: { paper_id } });
const confirm = (who: Client, paper_id: number) => who.ask(folders.answer, { body: { paper_id, confirm: true } });
const titles = async (who: Client) => (await who.get(messages.unread)).value.map((one) => one.title);
const flat = (nodes: CategoryNode[]): CategoryNode[] => nodes.flatMap((node) => [node, ...flat(node.children)]);
const sheet = async (who: Client) =>
  Buffer.from(await (await who.fetch('/api/folder/papers/?export=xlsx')).arrayBuffer());

test('a paper outside a person’s scope is nowhere for them, and everywhere for those it is meant for', async () => {
  const secret = '金丝雀办法';
  const file = await sends(author);
  const id = await write({
    title: secret,
    fwh: '财金雀〔2025〕7号',
    dept: finance,
    scope: { depts: [finance] },
    attachments: [file],
    must_read: true,
  });
  const seenBy = async (who: Client) => {
    const home = await who.get(folders.index);
    const papers = [...home.latest, ...home.hot, ...home.must_read, ...home.my_collect];
    const count = flat(home.categories).reduce((sum, node) => sum + node.count, 0);
    return {
      list: (await found(who)).includes(id),
      search: (await found(who, { search_value: secret })).includes(id),
      number: (await found(who, { search_value: '金雀' })).includes(id),
      get: (await who.ask(folders.paper, { params: { id } })).code,
      home: papers.some((row) => row.id === id),
      counted: count > 0,
      numbers: JSON.stringify(await who.get(folders.numbers)).includes('金雀'),
      depts: (await who.get(folders.simpleDepts)).some((dept) => dept.id === finance),
      read: (await who.ask(folders.read, { query: { paper_id: id } })).code,
      confirm: (await confirm(who, id)).code,
      collect: (await who.ask(folders.collect, { body: { paper_id: id } })).code,
      file: (await who.fetch(`/api/file/${file}/`)).headers.get('content-type'),
      told: (await titles(who)).some((title) => title.includes(secret)),
    };
  };
  expect(await seenBy(outsider)).toEqual({
    list: false,
    search: false,
    number: false,
    get: 4004,
    home: false,
    counted: false,
    numbers: false,
    depts: false,
    read: 4004,
    confirm: 4004,
    collect: 4004,
    file: 'application/json; charset=utf-8',
    told: false,
  });
  expect(await seenBy(insider)).toEqual({
    list: true,
    search: true,
    number: true,
    get: 0,
    home: true,
    counted: true,
    numbers: true,
    depts: true,
    read: 0,
    confirm: 0,
    collect: 0,
    file: 'text/plain',
    told: false,
  });
});

test('an export holds what the list holds, and only with the code for it', async () => {
  const keeper = await office.clerk({ 'folder/papers': ['Retrieve', 'daochu'] }, { dept: party, dataScope: 3 });
  await write({ title: '他处的文件', dept: finance, scope: { depts: [finance] } });
  expect((await sheet(keeper)).subarray(0, 2).toString()).toBe('PK');
  expect(await found(keeper)).toEqual(await found(outsider));
  expect(JSON.parse((await sheet(outsider)).toString())).toMatchObject({ code: 4003 });
});

test('a scope reaches departments with all below, side posts, roles and people, and nobody who left', async () => {
  const beside = await staff(party);
  const role = await office.role({});
  const holder = await office.signIn(await office.person({ roles: [role] }));
  const named = await staff(party);
  await office.services.databases.write((tx) =>
    tx.execute(sql`insert into user_dept (user_id, dept_id) values (${beside.userId}, ${section})`),
  );
  const [{ id: roleId }] = (await office.db.execute<{ id: number }>(sql`select id from role where code = ${role}`))
    .rows as [{ id: number }];
  const id = await write({ scope: { depts: [finance], roles: [roleId], users: [named.userId] } });
  for (const who of [insider, beside, holder, named]) expect(await found(who)).toContain(id);
  expect(await found(outsider)).not.toContain(id);
  const { readers } = await author.get(folders.read, { query: { paper_id: id, list: true } });
  expect(readers!.total).toBe(4);
  const gone = await office.person({ active: false });
  expect((await change(id, { scope: { users: [gone.id] } })).msg).toMatch(/已离职/);
  expect((await change(id, { scope: {} })).msg).toMatch(/请选择阅读范围/);
});

test('a category kept to departments keeps its papers to them, those of categories below too', async () => {
  const kept = await author.get(folders.createCategory, { body: { name: '财务专用', scope: [finance] } });
  const below = await author.get(folders.createCategory, { body: { name: '报销', parent: kept.id! } });
  const id = await write({ category_id: below.id });
  expect(await found(insider)).toContain(id);
  expect(await found(outsider)).not.toContain(id);
  const names = async (who: Client) => flat(await who.get(folders.categories)).map((node) => node.name);
  expect(await names(insider)).toEqual(expect.arrayContaining(['财务专用', '报销']));
  expect((await names(outsider)).filter((name) => name === '财务专用' || name === '报销')).toEqual([]);
  expect(await found(insider, { category: kept.id })).toEqual([id]);
});

test('the tree has four levels, no rings and no two of one name, and what is in use stays', async () => {
  const make = (name: string, parent?: number) =>
    author.ask(folders.createCategory, { body: { name, ...(parent ? { parent } : {}) } });
  const ids: number[] = [];
  for (const name of ['甲', '乙', '丙', '丁']) ids.push((await make(name, ids.at(-1))).data.id!);
  expect((await make('戊', ids[3])).msg).toBe('分类最多 4 级，请选择更高一级的上级分类');
  expect((await make('甲')).msg).toMatch(/已有分类“甲”/);
  const move = (id: number, parent: number) => author.ask(folders.updateCategory, { params: { id }, body: { parent } });
  expect((await move(ids[0]!, ids[3]!)).msg).toMatch(/不能作为上级分类/);
  const top = (await make('顶')).data.id!;
  expect((await move(ids[0]!, top)).msg).toMatch(/最多 4 级/);
  expect((await author.ask(folders.removeCategory, { params: { id: ids[0]! } })).msg).toMatch(
    /还有 1 个分类、0 份文件/,
  );
  expect((await author.ask(folders.removeCategory, { params: { id: ids[3]! } })).code).toBe(0);
  const narrow = await office.clerk({ 'folder/category': [...tree] }, { dataScope: 3 });
  expect((await narrow.ask(folders.createCategory, { body: { name: '己' } })).code).toBe(4003);
});

test('an issue number is given once; a paper needs text, sensible dates and a department of the writer', async () => {
  await write({ fwh: '校字〔2026〕1号' });
  const refused = async (more: object, who = author) =>
    (await who.ask(folders.createPaper, { body: draft({ status: 1, ...more }) as never })).msg;
  expect(await refused({ fwh: '校字〔2026〕1号' })).toBe('发文号“校字〔2026〕1号”已被使用，请核对后重新填写');
  expect(await refused({ content: '' })).toMatch(/没有正文/);
  expect(await refused({ effective_date: '2026-05-01', expire_date: '2026-04-01' })).toMatch(/早于生效日期 2026-05-01/);
  expect(await refused({ must_read: true, read_deadline: '2020-01-01' })).toMatch(/2020-01-01 已过/);
  const narrow = await office.clerk({ 'folder/papers': [...every] }, { dept: finance, dataScope: 3 });
  expect(await refused({}, narrow)).toMatch(/不在您的管理范围内/);
  await expect(write({ dept: finance, title: '自己部门的' }, narrow)).resolves.toBeGreaterThan(0);
  await write({ fwh: '' });
  await write({ fwh: '' });
});

test('a draft is its writers’ only; in force its text stays; only drafts are deleted', async () => {
  const { id } = await author.get(folders.createPaper, { body: draft({ title: '草稿' }) as never });
  expect(await found(insider)).not.toContain(id);
  expect(await paper(author, id!)).toMatchObject({ status: 0, actions: ['update', 'publish', 'delete'] });
  expect((await change(id!, { content: '改过', version: 0 })).code).toBe(0);
  expect((await change(id!, { content: '又改', version: 0 })).code).toBe(4011);
  expect((await change(id!, { status: 3 })).code).toBe(4010);
  expect((await change(id!, { status: 1 })).code).toBe(0);
  expect(await found(insider)).toContain(id);
  expect((await change(id!, { content: '偷改' })).msg).toMatch(/请发布修订版/);
  expect((await change(id!, { keywords: '差旅' })).code).toBe(0);
  expect((await author.ask(folders.removePaper, { params: { id: id! } })).msg).toMatch(/“现行有效”/);
  expect(
    (
      await change(
        id!,
        { title: '外人改' },
        await office.clerk({ 'folder/papers': ['Update'] }, { dept: finance, dataScope: 3 }),
      )
    ).code,
  ).toBe(4004);
});

test('a revision replaces on the day it is published, links both ways, and happens once', async () => {
  const old = await write({ title: '考勤办法', fwh: '校人〔2024〕3号', must_read: true });
  const reader = await staff(party);
  await read(reader, old);
  await confirm(reader, old);
  const revise = (more: object = {}) =>
    author.ask(folders.createPaper, {
      body: draft({ title: '考勤办法', replace_id: old, must_read: true, ...more }) as never,
    });
  const fresh = (await revise()).data.id!;
  const rival = (await revise()).data.id!;
  expect(await paper(reader, old)).toMatchObject({ status: 1, versions: [{ id: old }] });
  expect((await change(fresh, { status: 1 })).code).toBe(0);
  expect(await paper(reader, old)).toMatchObject({ status: 2, versions: [{ id: fresh, version_no: 2 }, { id: old }] });
  expect(await paper(reader, fresh)).toMatchObject({ status: 1, replace_id: old, my_read: false, to_confirm: true });
  expect((await change(rival, { status: 1 })).msg).toBe('“考勤办法”已有修订版，不能再次修订');
  expect((await revise()).msg).toMatch(/已有修订版/);
  expect((await change(old, { title: '改旧的' })).code).toBe(4010);
  expect((await titles(reader)).filter((title) => title === '必读文件：考勤办法')).toHaveLength(1);
});

test('a revision kept from a reader is not told to them by the paper it replaces', async () => {
  const old = await write({ title: '公开的' });
  const fresh = await write({ title: '收窄的', replace_id: old, scope: { depts: [finance] } });
  expect(JSON.stringify(await paper(outsider, old))).not.toContain('收窄的');
  expect((await paper(outsider, old)).status).toBe(2);
  expect((await paper(insider, old)).versions.map((one) => one.id)).toEqual([fresh, old]);
});

test('a repeal needs its reason and its day, and the paper is shown as repealed', async () => {
  const id = await write({ title: '旧章' });
  expect((await change(id, { status: 3, repeal_reason: '过时' })).msg).toMatch(/废止原因和废止日期/);
  expect((await change(id, { status: 3, repeal_reason: '过时', repeal_date: '2026-06-01' })).code).toBe(0);
  expect(await paper(insider, id)).toMatchObject({ status: 3, repeal_reason: '过时', repeal_date: '2026-06-01' });
  expect(await found(insider, { status: 1 })).not.toContain(id);
  expect((await change(id, { title: '再改' })).msg).toMatch(/“已废止”/);
});

test('a must-read paper stays on the badge until it was opened and confirmed, and urging reaches only the rest', async () => {
  const hall = await office.dept('礼堂');
  const [quick, slow] = [await staff(hall), await staff(hall)];
  const id = await write({ title: '消防须知', must_read: true, scope: { depts: [hall] } });
  const badge = async (who: Client) =>
    (await who.get(folders.papers, { query: { to_confirm: true, search_value: '消防' } })).total;
  expect([await badge(quick), await titles(quick)]).toEqual([1, ['必读文件：消防须知']]);
  expect((await confirm(quick, id)).msg).toBe('请先打开文件阅读，再确认已读');
  expect(await read(quick, id)).toMatchObject({ times: 1, to_confirm: true, readers: null });
  expect(await badge(quick)).toBe(1);
  expect((await confirm(quick, id)).code).toBe(0);
  expect((await confirm(quick, id)).code).toBe(0);
  expect([await badge(quick), await titles(quick)]).toEqual([0, []]);
  const { readers } = await author.get(folders.read, { query: { paper_id: id, list: true } });
  expect(readers).toEqual({
    total: 2,
    read: 1,
    confirmed: 1,
    depts: [
      {
        dept_id: hall,
        dept_name: '礼堂',
        total: 2,
        read: 1,
        confirmed: 1,
        done: [{ id: quick.userId, alias: expect.any(String) }],
        unread: [{ id: slow.userId, alias: expect.any(String) }],
      },
    ],
  });
  const rated = await author.get(folders.papers, { query: { managed: true, search_value: '消防须知' } });
  expect(rated.value).toMatchObject([{ read_rate: 50, read_count: 1 }]);
  expect((await slow.ask(folders.read, { query: { paper_id: id, list: true } })).code).toBe(4003);
  const urge = (who: Client) => who.ask(folders.answer, { body: { paper_id: id, urge: true } });
  expect((await urge(slow)).code).toBe(4003);
  expect((await urge(author)).data).toEqual({ count: 1 });
  expect(await titles(slow)).toEqual(['请尽快阅读：消防须知', '必读文件：消防须知']);
  expect(await titles(quick)).toEqual([]);
  await change(id, { must_read: false });
  expect([await badge(slow), await titles(slow)]).toEqual([0, []]);
});

test('whoever has not confirmed hears of the deadline three days, one day and on the day before it, once each', async () => {
  const hall = await office.dept('体育馆');
  const [done, late] = [await staff(hall), await staff(hall)];
  const id = await write({ title: '防汛预案', must_read: true, read_deadline: '2030-06-10', scope: { depts: [hall] } });
  await read(done, id);
  await confirm(done, id);
  const task = paperTask(office.services.databases);
  const heard = async (day: string) => {
    const job = { attempt: 1, now: new Date(`${day}T08:20:00+08:00`) };
    await task.run(null, job);
    await task.run(null, job);
    return (await titles(late)).length;
  };
  expect(await heard('2030-06-06')).toBe(1);
  expect(await heard('2030-06-07')).toBe(2);
  expect(await heard('2030-06-08')).toBe(2);
  expect(await heard('2030-06-09')).toBe(3);
  expect(await heard('2030-06-10')).toBe(4);
  expect(await heard('2030-06-11')).toBe(4);
  expect((await titles(late))[0]).toBe('必读文件今天到期：防汛预案');
  expect(await titles(done)).toEqual([]);
});

test('the writer of a paper that expires within sixty days is asked once what shall become of it', async () => {
  const writer = await office.clerk({ 'folder/papers': [...every] }, { dept: party });
  await write({ title: '试行办法', expire_date: '2031-08-01' }, writer);
  const task = paperTask(office.services.databases);
  for (const day of ['2031-05-01', '2031-06-20', '2031-06-21'])
    await task.run(null, { attempt: 1, now: new Date(`${day}T08:20:00+08:00`) });
  expect((await titles(writer)).filter((title) => title.startsWith('制度文件即将失效'))).toEqual([
    '制度文件即将失效：试行办法',
  ]);
});

test('a bookmark is kept once, is dropped by its own id or its paper’s, and is nobody else’s', async () => {
  const id = await write({ title: '收藏的' });
  const keep = () => insider.get(folders.collect, { body: { paper_id: id } });
  const first = await keep();
  expect(await keep()).toEqual(first);
  expect(await found(insider, { collected: true })).toContain(id);
  expect((await insider.get(folders.index)).my_collect[0]).toMatchObject({
    id,
    collect_id: first.id,
    collect_count: 1,
  });
  const drop = (who: Client, which: number) => who.ask(folders.uncollect, { params: { id: which } });
  expect((await drop(outsider, first.id)).code).toBe(4004);
  expect((await drop(insider, first.id)).code).toBe(0);
  await keep();
  expect((await drop(insider, id)).code).toBe(0);
  expect(await paper(insider, id)).toMatchObject({ collect_id: null, collect_count: 0 });
});

test('papers are found by issue number, year, department and state', async () => {
  const id = await write({ title: '印章办法', fwh: '校办发〔2023〕12号' });
  expect((await insider.get(folders.numbers)).value).toContainEqual({ prefix: '校办发', years: [2023], count: 1 });
  expect(await insider.get(folders.numbers, { query: { type: 'service_account' } })).toEqual({ value: [] });
  expect(await found(insider, { fwh: '校办发', year: 2023 })).toEqual([id]);
  expect(await found(insider, { fwh: '校办发', year: 2022 })).toEqual([]);
  expect(await found(insider, { dept: party, search_value: '印章' })).toEqual([id]);
});

test('who looks after a category looks after its papers, whatever department publishes them', async () => {
  const keeper = await office.person({ username: 'keeper', dept: finance });
  const role = await office.role({ 'folder/papers': [...every] }, 5);
  await office.services.databases.write((tx) =>
    tx.execute(sql`insert into user_role (user_id, role_id) select ${keeper.id}, id from role where code = ${role}`),
  );
  const who = await office.signIn(keeper);
  const { id: own } = await author.get(folders.createCategory, { body: { name: '代管', managers: ['keeper'] } });
  const inside = await write({ category_id: own!, scope: { depts: [section] } });
  const elsewhere = await write({ scope: { depts: [section] } });
  expect((await change(inside, { keywords: '代管' }, who)).code).toBe(0);
  expect((await change(elsewhere, { keywords: '代管' }, who)).code).toBe(4004);
});

test('lists and the home page take the same few statements, however many papers there are', async ({ skip }) => {
  skip(process.env['NODES'] !== undefined, 'counted in this process, and another node answers every second call');
  const list = (query: object) => counted(author, () => author.get(folders.papers, { query: query as never }));
  const counts = {
    one: (await list({ per_page: 1 })).length,
    many: (await list({ per_page: 100 })).length,
    managed: (await list({ per_page: 100, managed: true })).length,
    index: (await counted(insider, () => insider.get(folders.index))).length,
  };
  expect(counts).toEqual({ one: 3, many: 3, managed: 4, index: 6 });
});

async function sends(who: Client): Promise<number> {
  const sent = new FormData();
  sent.set('module', 'folders');
  sent.set('file', new Blob(['附件内容']), '附件.txt');
  const response = await who.fetch('/api/file/upload/', { method: 'POST', body: sent });
  const { code, msg, data } = (await response.json()) as { code: number; msg: string; data: { id: number } };
  if (code !== 0) throw new Error(msg);
  return data.id;
}
