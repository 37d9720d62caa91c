import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { access } from '#modules/platform/access/contract.ts';
import { depts } from './contract/depts.ts';
import { users } from './contract/users.ts';

// Four places: the viewer's own with one below it, and two elsewhere, with one person in each.
let app: TestOffice;
const place: Record<'own' | 'below' | 'north' | 'south', number> = { own: 0, below: 0, north: 0, south: 0 };
const people = new Map<string, { id: number; username: string }>();
beforeAll(async () => {
  app = await openTestApp();
  place.own = await app.dept('本部');
  place.below = await app.dept('本部下级', place.own);
  place.north = await app.dept('北校区');
  place.south = await app.dept('南校区', place.north);
  for (const [name, dept] of Object.entries(place)) people.set(name, await app.person({ dept, username: name }));
});
afterAll(() => app.close());

type Code = 'Retrieve' | 'Update';
/** A role made in the usual way that holds these codes on users and departments. */
async function role(codes: Code[], data_scope: number, scope_depts: number[] = []): Promise<string> {
  const menus = (await app.admin.get(access.menus)).filter((menu) =>
    ['system/user', 'system/dept'].includes(menu.component),
  );
  const offered = await Promise.all(
    menus.map((menu) => app.admin.get(access.menuButtons, { query: { menu: menu.id } })),
  );
  const buttons = offered.flat().filter((button) => codes.includes(button.code as Code));
  const code = `scope_${roles++}`;
  await app.admin.get(access.addRole, {
    body: {
      name: code,
      code,
      data_scope,
      scope_depts,
      menus: menus.map((menu) => menu.id),
      buttons: buttons.map((button) => button.id),
    } as never,
  });
  return code;
}
let roles = 0;
const holding = async (...codes: string[]): Promise<Client> =>
  app.signIn(await app.person({ dept: place.own, roles: codes, username: `viewer${roles}`, alias: `看的人${roles}` }));
/** The people of the four that a viewer finds, the same in every way to the rows. */
async function met(viewer: Client): Promise<string[]> {
  const listed = await viewer.get(users.list, { query: { per_page: 100 } });
  const names = listed.value.map((row) => row.username);
  expect(listed.total).toBe(names.length);
  for (const { username } of people.values()) {
    const found = await viewer.get(users.list, { query: { search_value: username } });
    expect(
      found.value.some((row) => row.username === username),
      username,
    ).toBe(names.includes(username));
  }
  return names.filter((name) => people.has(name)).toSorted();
}

test('a scope of chosen departments shows exactly those, not the own one or subdepartments', async () => {
  const viewer = await holding(await role(['Retrieve', 'Update'], 2, [place.north, place.below]));
  expect(await met(viewer)).toEqual(['below', 'north']);
  expect((await viewer.get(depts.list, {})).value.map((dept) => dept.id).toSorted((a, b) => a - b)).toEqual(
    [place.below, place.north].toSorted((a, b) => a - b),
  );
  const change = (name: string) =>
    viewer.ask(users.update, { params: { id: people.get(name)!.id }, body: { post: '科员' } });
  expect((await change('below')).code).toBe(0);
  expect([(await change('own')).code, (await change('south')).code]).toEqual([4004, 4004]);
});

test('two roles with the same code add their scopes, and a third without that code adds nothing', async () => {
  const viewer = await holding(
    await role(['Retrieve'], 2, [place.south]),
    await role(['Retrieve'], 4),
    await role(['Update'], 1),
  );
  expect(await met(viewer)).toEqual(['below', 'own', 'south']);
  const change = (name: string) =>
    viewer.ask(users.update, { params: { id: people.get(name)!.id }, body: { post: '主任' } });
  expect((await change('north')).code).toBe(0);
});

test('a user whose scope is their own rows sees only themselves', async () => {
  const viewer = await holding(await role(['Retrieve', 'Update'], 5));
  expect(await met(viewer)).toEqual([]);
  const { value, total } = await viewer.get(users.list, {});
  expect([value.map((row) => row.id), total]).toEqual([[viewer.userId], 1]);
  expect((await viewer.get(depts.list, {})).value).toEqual([]);
  for (const { id } of people.values())
    expect((await viewer.ask(users.update, { params: { id }, body: { post: '科长' } })).code).toBe(4004);
});
