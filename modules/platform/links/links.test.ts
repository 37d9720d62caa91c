import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayOf } from '#kernel/contract/moment.ts';
import type { Client } from '#apps/server/testing.ts';
import { distributions } from '#modules/office/distributions/contract.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { openSchool, type School } from '#modules/office/documents/testing/school.ts';
import { folderCategories, folders } from '#modules/office/folders/contract.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import { links } from './contract.ts';

let school: School;
let keeper: Client;
let category: number;
beforeAll(async () => {
  school = await openSchool();
  keeper = await school.office.clerk(
    { 'folder/papers': ['Create', 'Retrieve', 'Update'], 'document/list': ['Retrieve'] },
    { dept: school.dept },
  );
  category = (await keeper.get(folderCategories.list))[0]!.id;
}, 180_000);
afterAll(() => school.office.close());

const paper = async (more: object = {}) =>
  (
    await keeper.get(folders.createPaper, {
      body: {
        title: '考试工作办法',
        category_id: category,
        dept: school.dept,
        publish_date: '2026-03-01',
        content: '一、总则',
        scope: { all: true },
        status: 1,
        ...more,
      } as never,
    })
  ).id!;
const document = (id: number) => ({ module: 'documents', id });
const ofPaper = (id: number) => ({ module: 'folders', id });
type Ref = ReturnType<typeof document>;
const join = (who: Client, from: Ref, to: Ref, type: 'related' | 'result' = 'related') =>
  who.ask(links.create, {
    body: { from_module: from.module, from_id: from.id, to_module: to.module, to_id: to.id, type },
  });
const linked = (who: Client, query: Ref) => who.ask(links.list, { query });
const line = (who: Client, query: Ref) => who.ask(links.timeline, { query });

test('a link between two records is shown once on both sides with its meaning, and can be removed', async () => {
  const { clerk, write } = school;
  const { id } = await write({ title: '关于考试安排的通知' });
  const order = await paper();
  expect((await join(clerk, document(id), ofPaper(order), 'result')).code).toBe(0);
  expect((await join(clerk, ofPaper(order), document(id))).msg).toMatch(/已有关联/);
  expect((await join(clerk, document(id), document(id))).msg).toMatch(/自己/);
  const side = async (query: Ref) =>
    (await linked(clerk, query)).data.value.map(({ name, record }) => [name, record.title, record.page]);
  expect(await side(document(id))).toEqual([['结果', '考试工作办法', `/folder/detail/${order}`]]);
  expect(await side(ofPaper(order))).toEqual([['来源', '关于考试安排的通知', `/document/detail/${id}`]]);
  const { value } = (await linked(clerk, document(id))).data;
  expect((await clerk.ask(links.remove, { params: { id: value[0]!.id } })).code).toBe(0);
  expect(await side(ofPaper(order))).toEqual([]);
});

test('a recipient of a document cannot change its links, and nobody can change those a document makes itself', async () => {
  const { author, clerk, stranger, write, goOn } = school;
  const asked = await write();
  await goOn(asked.ticket_id);
  const answer = await write({ reply_to_id: asked.id });
  await goOn(answer.ticket_id);
  for (const { id: document_id } of [asked, answer]) {
    const recipients = { users: [stranger.userId] } as never;
    await clerk.get(distributions.create, { body: { document_id, recipients } });
  }
  const order = await paper();
  const made = (await linked(stranger, document(asked.id))).data.value;
  expect(made.map((one) => [one.name, one.record.id])).toEqual([['答复', answer.id]]);
  const drop = (who: Client) => who.ask(links.remove, { params: { id: made[0]!.id } });
  expect((await drop(stranger)).code).toBe(4003);
  expect((await join(stranger, document(asked.id), ofPaper(order))).code).toBe(4003);
  expect((await join(stranger, ofPaper(order), document(asked.id))).code).toBe(4003);
  for (const who of [author, clerk]) {
    const kept = await drop(who);
    expect([kept.code, kept.msg]).toEqual([-1, expect.stringContaining('不能在这里取消')]);
  }
  expect((await linked(stranger, document(asked.id))).data.value).toEqual(made);
});

test('a person who does not see the other record neither learns of a link to it nor makes or removes one', async () => {
  const { clerk, stranger, write } = school;
  const canary = await write({ title: '关于金丝雀的通知' });
  const hidden = await paper({ title: '金丝雀办法', scope: { depts: [school.below] } });
  const open = await paper();
  await join(clerk, document(canary.id), ofPaper(open));
  await join(keeper, ofPaper(hidden), ofPaper(open));
  const told = JSON.stringify([await linked(stranger, ofPaper(open)), await line(stranger, ofPaper(open))]);
  expect(told).not.toContain('金丝雀');
  expect((await linked(stranger, ofPaper(open))).data.value).toEqual([]);
  expect((await line(stranger, ofPaper(open))).data.records).toBe(1);
  for (const ref of [document(canary.id), ofPaper(hidden), { module: 'nothing', id: 1 }, ofPaper(999_999)]) {
    for (const call of [linked, line]) expect((await call(stranger, ref)).code).toBe(4004);
    expect((await join(stranger, ofPaper(open), ref)).code).toBe(4004);
    expect((await join(stranger, ref, ofPaper(open))).code).toBe(4004);
  }
  for (const module of ['documents', 'folders', 'tickets']) {
    const found = await stranger.get(links.candidates, { query: { module, search_value: '金丝雀' } });
    expect(found).toEqual([]);
  }
  const { value } = (await linked(clerk, ofPaper(open))).data;
  const [made] = value.filter((one) => one.record.title === '关于金丝雀的通知');
  expect((await stranger.ask(links.remove, { params: { id: made!.id } })).code).toBe(4004);
  expect((await clerk.ask(links.remove, { params: { id: made!.id } })).code).toBe(0);
});

test('a timeline follows links of links by time, and stops at records the reader does not see', async () => {
  const { author, clerk, head, write, handle } = school;
  const first = await write({ title: '关于开题的通知' });
  await handle(head, first.ticket_id, 3);
  const second = await write({ title: '关于结题的通知' });
  const order = await paper({ title: '课题办法' });
  await join(clerk, document(first.id), document(second.id));
  await join(clerk, document(second.id), ofPaper(order));
  const { value, records, more } = (await line(clerk, document(first.id))).data;
  expect([records, more]).toEqual([3, false]);
  expect(value.map((row) => row.at)).toEqual(
    value
      .map((row) => row.at)
      .toSorted()
      .reverse(),
  );
  const said = value.map((row) => `${row.record.title} ${row.who} ${row.what}`);
  expect(said).toEqual(
    expect.arrayContaining([
      '关于开题的通知 张拟稿 拟稿：提交',
      expect.stringMatching(/^关于开题的通知 李处长 部门核稿：/),
      expect.stringMatching(/^关于结题的通知 张拟稿 拟稿：/),
      expect.stringMatching(/^课题办法 .* 起草$/),
      '课题办法  发布',
    ]),
  );
  // A date that somebody entered is not the time of the event.
  const repeal = {
    status: 3,
    repeal_reason: '另有规定',
    repeal_date: dayOf(new Date()),
  } as const;
  expect((await keeper.ask(folders.updatePaper, { params: { id: order }, body: repeal as never })).code).toBe(0);
  const ofOrder = (await line(clerk, ofPaper(order))).data.value.filter((row) => row.record.module === 'folders');
  expect(ofOrder.map((row) => row.what)).toEqual(['废止：另有规定', '发布', '起草']);
  expect(ofOrder.map((row) => row.at.length)).toEqual([19, 19, 19]);
  // Without the middle one, the other end cannot be reached.
  const lone = await author.get(folders.papers, { query: { search_value: '课题办法' } });
  expect(lone.total).toBe(1);
  const outsider = school.stranger;
  expect((await line(outsider, ofPaper(order))).data.records).toBe(1);
});

test('a record with many links shows the newest and says there are more, and no pair is linked twice', async () => {
  const { clerk, write } = school;
  const busy = await paper({ title: '忙碌的办法' });
  const first = await write({ title: '第一份通知' });
  expect((await join(clerk, document(first.id), ofPaper(busy))).code).toBe(0);
  await school.office.services.databases.write((tx) =>
    tx.execute(sql`
      with made as (insert into folder_paper (creator_id, title, category_id, dept_id, publish_date, status, audience, content)
        select ${keeper.userId}, '旧办法 ' || n, ${category}, ${school.dept}, '2020-01-01', 1, '{a0}', '一' from generate_series(1, 200) n returning id)
      insert into record_link (from_module, from_id, to_module, to_id, type, creator_id)
        select 'folders', ${busy}, 'folders', id, 'related', ${keeper.userId} from made`),
  );
  const last = await paper({ title: '最后的办法' });
  expect((await join(clerk, ofPaper(last), ofPaper(busy))).code).toBe(0);
  const { value, more } = (await linked(clerk, ofPaper(busy))).data;
  expect([value[0]!.record.title, value.length, more]).toEqual(['最后的办法', 200, true]);
  expect((await linked(clerk, document(first.id))).data).toMatchObject({ value: [{ name: '相关' }], more: false });
  expect((await join(clerk, ofPaper(busy), document(first.id))).msg).toMatch(/已有关联/);
});

test('a secret record can be linked with nothing and appears in no timeline', async () => {
  const { office: app, author, clerk, write } = school;
  const allow = (allow_secret: boolean) => app.admin.get(settings.saveSite, { body: { allow_secret } });
  const open = await write({ title: '关于公开的通知' });
  await allow(true);
  try {
    const { id } = await write({
      title: '关于秘密的通知',
      submit: false,
      secret_level: 1,
      secret_period: '10年',
      copy_no: '000001',
    });
    expect((await author.ask(documents.get, { params: { id } })).code).toBe(0);
    expect((await join(author, document(open.id), document(id))).code).toBe(4004);
    expect((await linked(author, document(id))).code).toBe(4004);
    expect(await author.get(links.candidates, { query: { module: 'documents', search_value: '秘密' } })).toEqual([]);
    const body = { secret_level: 1, secret_period: '10年', copy_no: '000002' };
    const plain = await write({ title: '关于后来秘密的通知', submit: false });
    await join(author, document(plain.id), document(open.id));
    await author.get(documents.update, { params: { id: plain.id }, body });
    const told = JSON.stringify([await linked(author, document(open.id)), await line(author, document(open.id))]);
    expect(told).not.toContain('秘密');
    expect((await clerk.ask(links.list, { query: document(open.id) })).code).toBe(0);
  } finally {
    await allow(false);
  }
});
