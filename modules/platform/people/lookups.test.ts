import { afterAll, expect, test } from 'vitest';
import { openSchool } from '#apps/server/testing/school.ts';
import { lookups } from './contract/lookups.ts';
import { members } from './contract/members.ts';

const school = await openSchool();
const { office: app, dept, elsewhere, staff, head, leader, librarian, colleague } = school;
afterAll(() => app.close());
const ids = (people: readonly { id: number }[]) => people.map((one) => one.id).toSorted((a, b) => a - b);

test('each department names its heads, and a form finds its approver and leader in charge', async () => {
  const all = await staff.get(lookups.deptsLeaders, {});
  const of = (id: number) => ids(all.find((one) => one.dept.id === id)!.leaders);
  expect([of(dept), of(elsewhere)]).toEqual([[head.userId], [librarian.userId]]);
  const inCharge = await staff.get(lookups.inCharge, { query: { dept } });
  expect(ids(inCharge)).toEqual([leader.userId]);
  expect(await staff.get(lookups.inCharge, { query: { dept: elsewhere } })).toEqual([]);
});

test('all departments are listed flat with their parents, and the leaders of the house are the holders of their role', async () => {
  const all = await staff.get(lookups.allDepts, {});
  expect(all.find((one) => one.id === school.below)).toMatchObject({ name: '考试中心', parentId: dept });
  expect(await staff.get(lookups.simpleDepts, { query: { search_value: '考试' } })).toMatchObject([
    { id: school.below },
  ]);
  expect(ids(await staff.get(lookups.leaders))).toEqual([school.principal.userId]);
  expect(ids(await staff.get(members.leaders))).toEqual([school.principal.userId]);
});

test('the people of a department are also found at the address spelled as in the specification', async () => {
  const people = ids(await staff.get(lookups.deptUsers, { query: { dept_id: dept } }));
  expect(people).toEqual(expect.arrayContaining([staff.userId, colleague.userId, head.userId]));
  expect(people).not.toContain(librarian.userId);
  const bare = (await (await staff.fetch(`/api/accounts/dept_user?dept_id=${dept}`)).json()) as {
    data: { id: number }[];
  };
  expect(ids(bare.data)).toEqual(people);
});

test('the people of a department, asked for without naming one, are those of one’s own departments', async () => {
  const people = ids(await staff.get(lookups.deptUsers, { query: {} }));
  expect(people).toEqual(ids(await staff.get(lookups.deptUsers, { query: { dept_id: dept } })));
});

test('a picker learns the names of people of whom it knows the user names or ids, except of those who left', async () => {
  const gone = await school.hire('钱离岗');
  const people = [head, leader, gone];
  await app.services.databases.pool.query('update app_user set is_active = false where id = $1', [gone.userId]);
  const named = (query: object) => staff.get(lookups.simpleUsers, { query: { limit: 100, ...query } });
  const expected = ids([{ id: head.userId }, { id: leader.userId }]);
  expect(ids(await named({ usernames: people.map((one) => one.username).join(',') }))).toEqual(expected);
  expect(ids(await named({ ids: people.map((one) => one.userId).join(',') }))).toEqual(expected);
  expect((await staff.ask(lookups.simpleUsers, { query: { usernames: ',' } })).code).toBe(4000);
});

test('secretaries are looked up by leader, and a leader finds the people of the departments in their charge', async () => {
  const own = await school.hire('秘书甲', { roles: ['secretary'], dept: elsewhere });
  await app.services.databases.pool.query('insert into secretary (leader_id, secretary_id) values ($1, $2)', [
    leader.userId,
    own.userId,
  ]);
  expect(ids(await staff.get(lookups.secretaries, { query: { leader: leader.userId } }))).toEqual([own.userId]);
  expect(ids(await staff.get(lookups.secretaries, { query: { leader: librarian.userId } }))).toEqual([]);
  const theirs = ids(await staff.get(lookups.leaderDeptUsers, { query: { leader: leader.userId } }));
  expect(theirs).toEqual(expect.arrayContaining([staff.userId, head.userId]));
  expect(theirs).not.toContain(librarian.userId);
});

test('a person is found whatever separates the parts of their name, and names are sorted as they are read', async () => {
  const aliases = ['买买提·艾力', '阿依古丽', '梁一', '李安', '李甲', '单小满', '9 号值班'];
  for (const alias of aliases) await app.person({ alias });
  const found = async (search_value: string) =>
    (await staff.get(lookups.allStaff, { query: { search_value } })).value.map((row) => row.alias);
  for (const typed of [
    '买买提·艾力',
    '买买提•艾力',
    '买买提艾力',
    '买买提 艾力',
    '提艾',
    'maimaitiaili',
    'mmtal',
    '艾力',
  ])
    expect(await found(typed), typed).toEqual(['买买提·艾力']);
  const picked = await staff.get(lookups.simpleUsers, { query: { search_value: '买买提艾力' } });
  expect(picked.map((one) => one.alias)).toEqual(['买买提·艾力']);
  const named = async (query: object) =>
    (await staff.get(lookups.allStaff, { query: { per_page: 100, ...query } as never })).value
      .map((row) => row.alias)
      .filter((alias) => aliases.includes(alias));
  expect(await named({ order_by: 'alias' })).toEqual([
    '9 号值班',
    '阿依古丽',
    '李安',
    '李甲',
    '梁一',
    '买买提·艾力',
    '单小满',
  ]);
  expect(await named({ letter: 'L' })).toEqual(['李安', '李甲', '梁一']);
  expect(await named({ letter: 'S' })).toEqual(['单小满']);
  expect(await named({ letter: '#' })).toEqual(['9 号值班']);
  expect((await staff.ask(lookups.allStaff, { query: { letter: 'a' } as never })).code).toBe(4000);
});
