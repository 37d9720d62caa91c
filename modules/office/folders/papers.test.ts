import { sql } from 'drizzle-orm';
import { afterAll, expect, test } from 'vitest';
import type { Client } from '#apps/server/testing.ts';
import { folders } from './contract.ts';
import { every, openLibrary } from './testing/house.ts';

const {
  office: app,
  party,
  finance,
  author,
  insider,
  outsider,
  staff,
  draft,
  write,
  change,
  paper,
  found,
  read,
  confirm,
  titles,
} = await openLibrary();
afterAll(() => app.close());

test('an issue number is unique, and a regulation needs text, plausible dates and a department of its author', async () => {
  await write({ fwh: '校字〔2026〕1号' });
  const refused = async (more: object, who = author) =>
    (await who.ask(folders.createPaper, { body: draft({ status: 1, ...more }) as never })).msg;
  expect(await refused({ fwh: '校字〔2026〕1号' })).toBe('发文字号“校字〔2026〕1号”已被使用，请核对后重新填写');
  for (const fwh of ['校字[2026]1号', '校字〔２０２６〕1号', '校字 〔2026〕 1号', '校字〔2026〕1\u200b号'])
    expect(await refused({ fwh }), fwh).toMatch(/已被使用/);
  for (const content of ['', '<p>&nbsp;</p><p><br></p>', '<p>\u200b</p>'])
    expect(await refused({ content }), content).toMatch(/没有正文/);
  await write({ content: '<p><img src="/api/file/1/" alt=""></p>' });
  expect(await refused({ effective_date: '2026-05-01', expire_date: '2026-04-01' })).toMatch(/早于生效日期 2026-05-01/);
  expect(await refused({ must_read: true, publish_date: '2019-12-31', read_deadline: '2020-01-01' })).toMatch(
    /2020-01-01 已过/,
  );
  const next = String(new Date().getFullYear() + 1);
  const late = { must_read: true, publish_date: `${next}-03-02`, read_deadline: `${next}-03-01` };
  const sentence = `阅读期限 ${next}-03-01 早于发布日期 ${next}-03-02，请重新填写`;
  expect(await refused(late)).toBe(sentence);
  const id = await write({ ...late, read_deadline: `${next}-03-02`, status: 0 });
  const { version } = await author.get(folders.paper, { params: { id } });
  const body = { version, publish_date: `${next}-03-03` };
  expect((await author.ask(folders.updatePaper, { params: { id }, body })).msg).toContain('早于发布日期');
  const narrow = await app.clerk({ 'folder/papers': [...every] }, { dept: finance, dataScope: 3 });
  expect(await refused({}, narrow)).toMatch(/不在您的管理范围内/);
  await expect(write({ dept: finance, title: '自己部门的' }, narrow)).resolves.toBeGreaterThan(0);
  await write({ fwh: '' });
  await write({ fwh: '' });
});

test('a draft regulation is seen only by its authors, its text is fixed once in force, and only drafts are deleted', async () => {
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
        await app.clerk({ 'folder/papers': ['Update'] }, { dept: finance, dataScope: 3 }),
      )
    ).code,
  ).toBe(4004);
});

test('only one revision of a regulation is open at a time, and a second author is told who has it', async () => {
  const old = await write({ title: '公务用车办法' });
  const revise = (who = author) =>
    who.ask(folders.createPaper, { body: draft({ title: '公务用车办法', replace_id: old }) as never });
  const other = await app.clerk({ 'folder/papers': [...every] }, { dept: party, dataScope: 1 });
  const first = (await revise()).data.id!;
  const { alias } = (await paper(author, first)).creator_info!;
  const day = (await paper(author, first)).gmt_created.slice(0, 10);
  const second = await revise(other);
  expect([second.code, second.msg]).toEqual([
    4009,
    `“公务用车办法”的修订稿已由 ${alias} 于 ${day} 起草，一份文件同时只有一份修订稿；请在该稿上修改，或由其删除后再修订`,
  ]);
  expect((await change(first, { keywords: '用车' })).code).toBe(0);
  await author.get(folders.removePaper, { params: { id: first } });
  const both = await Promise.all([revise(), revise(other)]);
  expect(both.map(({ code }) => code).toSorted()).toEqual([0, 4009]);
  await expect(
    app.services.databases.write((tx) =>
      tx.execute(sql`insert into folder_paper (creator_id, title, category_id, dept_id, publish_date, audience, replace_id)
        select creator_id, title, category_id, dept_id, publish_date, audience, ${old}::int from folder_paper where id = ${old}`),
    ),
  ).rejects.toMatchObject({ cause: { constraint: 'folder_paper_one_revision' } });
});

test('a revision replaces the old version once, on the day it is published, and both link to each other', async () => {
  const old = await write({ title: '考勤办法', fwh: '校人〔2024〕3号', must_read: true });
  const reader = await staff(party);
  await read(reader, old);
  await confirm(reader, old);
  const revise = (more: object = {}) =>
    author.ask(folders.createPaper, {
      body: draft({ title: '考勤办法', replace_id: old, must_read: true, ...more }) as never,
    });
  const fresh = (await revise()).data.id!;
  expect(await paper(reader, old)).toMatchObject({ status: 1, versions: [{ id: old }] });
  expect((await change(fresh, { status: 1 })).code).toBe(0);
  expect(await paper(reader, old)).toMatchObject({ status: 2, versions: [{ id: fresh, version_no: 2 }, { id: old }] });
  expect(await paper(reader, fresh)).toMatchObject({ status: 1, replace_id: old, my_read: false, to_confirm: true });
  expect((await revise()).msg).toBe('“考勤办法”已有修订版，不能再次修订');
  expect((await change(old, { title: '改旧的' })).code).toBe(4010);
  expect((await titles(reader)).filter((title) => title === '必读文件：考勤办法')).toHaveLength(1);
});

test('a replaced regulation does not reveal its revision to a reader outside the revision’s scope', async () => {
  const old = await write({ title: '公开的' });
  const fresh = await write({ title: '收窄的', replace_id: old, scope: { depts: [finance] } });
  expect(JSON.stringify(await paper(outsider, old))).not.toContain('收窄的');
  expect((await paper(outsider, old)).status).toBe(2);
  expect((await paper(insider, old)).versions.map((one) => one.id)).toEqual([fresh, old]);
});

test('a regulation is refused publication before its date or for an empty audience, and repeal before its publication', async () => {
  const next = new Date().getFullYear() + 1;
  const early = await author.ask(folders.createPaper, {
    body: draft({ status: 1, publish_date: `${next}-01-05` }) as never,
  });
  expect(early.msg).toContain(`发布日期 ${next}-01-05 还没有到`);
  const id = await write({ publish_date: '2026-03-02' });
  expect((await change(id, { status: 3, repeal_reason: '过时', repeal_date: '2020-01-30' })).msg).toContain(
    '早于发布日期 2026-03-02',
  );
  expect((await change(id, { status: 3, repeal_reason: '过时', repeal_date: `${next}-01-05` })).msg).toContain(
    `废止日期 ${next}-01-05 还没有到`,
  );
  const over = await author.ask(folders.createPaper, {
    body: draft({ status: 1, publish_date: '2026-03-02', expire_date: '2026-03-03' }) as never,
  });
  expect(over.msg).toContain('失效日期 2026-03-03 已过');
  const scope = { all: false, depts: [await app.dept('还没有人的部门')], roles: [], users: [] };
  const nobody = await author.ask(folders.createPaper, { body: draft({ status: 1, must_read: true, scope }) as never });
  expect(nobody.msg).toContain('这份必读文件没有人会读到');
});

test('a repeal needs a reason and a day, and the regulation is shown as repealed', async () => {
  const id = await write({ title: '旧章' });
  expect((await change(id, { status: 3, repeal_reason: '过时' })).msg).toMatch(/废止原因和废止日期/);
  expect((await change(id, { status: 3, repeal_reason: '过时', repeal_date: '2026-06-01' })).code).toBe(0);
  expect(await paper(insider, id)).toMatchObject({ status: 3, repeal_reason: '过时', repeal_date: '2026-06-01' });
  expect(await found(insider, { status: 1 })).not.toContain(id);
  expect((await change(id, { title: '再改' })).msg).toMatch(/“已废止”/);
});

test('a bookmark is stored once, removed by its own id or the regulation’s, and belongs to its person', async () => {
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

test('regulations are found by issue number, year, department and state', async () => {
  const id = await write({ title: '印章办法', fwh: '校办发〔2023〕12号' });
  expect((await insider.get(folders.numbers)).value).toContainEqual({ prefix: '校办发', years: [2023], count: 1 });
  expect(await insider.get(folders.numbers, { query: { type: 'service_account' } })).toEqual({ value: [] });
  expect(await found(insider, { fwh: '校办发', year: 2023 })).toEqual([id]);
  expect(await found(insider, { fwh: '校办发', year: 2022 })).toEqual([]);
  expect(await found(insider, { dept: party, search_value: '印章' })).toEqual([id]);
});
