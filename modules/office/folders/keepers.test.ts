import { afterAll, expect, test } from 'vitest';
import { access } from '#modules/platform/access/contract.ts';
import { peopleIn } from '#modules/platform/people/service/audience.ts';
import { roleByCode } from '#modules/platform/access/service.ts';
import { leaving } from '#modules/platform/people/contract/leaves.ts';
import { rightsBeyond } from '#modules/platform/people/contract/refusals.ts';
import { users } from '#modules/platform/people/contract/users.ts';
import { folderCategories, folders } from './contract.ts';
import { openLibrary } from './testing/house.ts';

const { office: app, author, party, finance, section, category, write, change, draft } = await openLibrary();
afterAll(() => app.close());

const menusOf = async (who: typeof author) =>
  (await who.get(access.webRouter)).map((item) => item.component).filter((page) => page.startsWith('folder/'));
const own = (await author.get(folderCategories.add, { body: { name: '代管' } })).id!;
const below = (await author.get(folderCategories.add, { body: { name: '代管之下', parent: own } })).id!;
const name = (managers: string[]) => author.get(folderCategories.change, { params: { id: own }, body: { managers } });

test('a person named by a category manages its regulations from then on, without being given a role', async () => {
  const person = await app.person({ dept: finance, roles: ['staff'] });
  const keeper = await app.signIn(person);
  const inside = await write({ category_id: below, scope: { depts: [section] } });
  const elsewhere = await write({ scope: { depts: [section] } });
  expect([await menusOf(keeper), (await change(inside, { keywords: '代管' }, keeper)).code]).toEqual([
    ['folder/index', 'folder/collect'],
    4003,
  ]);

  await name([person.username]);
  // Nodes, this one included, pick it up a moment later.
  await expect.poll(() => menusOf(keeper)).toEqual(expect.arrayContaining(['folder/papers', 'folder/statistics']));
  expect((await change(inside, { keywords: '代管' }, keeper)).code).toBe(0);
  expect((await change(elsewhere, { keywords: '代管' }, keeper)).code).toBe(4004);
  const listed = await keeper.get(folders.papers, { query: { managed: true } });
  expect(listed.value.map(({ id }) => id)).toEqual([inside]);
  const filed = async (category_id: number, dept: number) =>
    keeper.ask(folders.createPaper, { body: draft({ category_id, dept }) as never });
  expect((await filed(below, party)).code).toBe(0);
  expect((await filed(category, finance)).msg).toBe('所选分类不存在、已停用或不在您的管理范围内，请重新选择');

  await name([]);
  await expect.poll(() => menusOf(keeper)).toEqual(['folder/index', 'folder/collect']);
  expect((await change(inside, { keywords: '不再' }, keeper)).code).toBe(4003);
});

test('managers of categories hold their role for audiences, and their accounts are protected from lesser administrators', async () => {
  const person = await app.person({ dept: finance });
  await name([person.username]);
  const role = (await roleByCode(app.db, 'folder_keeper'))!;
  expect(await peopleIn(app.db, { all: false, depts: [], users: [], roles: [role.id] })).toContain(person.id);
  const lesser = await app.clerk({ 'system/user': ['Retrieve', 'Update'] });
  const params = { id: person.id };
  for (const call of [leaving.open, users.resetPassword])
    expect(await lesser.ask(call, { params })).toRefuse(rightsBeyond, person.alias);
});
