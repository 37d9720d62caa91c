import { sql, type SQL } from 'drizzle-orm';
import { matchPath } from 'react-router';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { registry } from '#apps/web/pages.ts';
import { menuOf } from '#apps/web/shell/menu.ts';
import { access } from '#modules/platform/access/contract.ts';
import { messages, newsType } from '#modules/platform/messages/contract.ts';
import { newsGroups, newsKinds, ways, type NewsKind } from '#modules/platform/messages/contract/kinds.ts';
import { hearersIn, newsAbout, tellOf } from '#modules/platform/messages/service.ts';
import { openTestApp, type Client, type TestOffice } from './testing.ts';

// Tries every notification that the modules declare, as its receiver meets it.
let app: TestOffice;
let kinds: readonly NewsKind[];
beforeAll(async () => {
  app = await openTestApp();
  kinds = app.services.product.news;
});
afterAll(() => app.close());

const run = (statement: SQL) => app.services.databases.write((tx) => tx.execute(statement));
const isChinese = (text: string) => /\p{Script=Han}/u.test(text);
/** Sends one of every kind, each about a record of its own. */
const tellAll = (people: readonly number[], by: number | null = null) =>
  app.services.databases.write(async (tx) => {
    for (const [nth, kind] of kinds.entries())
      await tellOf(tx, newsAbout(kind, { id: nth + 1, occasion: String(by) }, { content: '内容', by }), people);
  });
async function boxOf(who: Client) {
  const page = (nth: number) => who.get(messages.unread, { query: { page: nth, per_page: 100 } });
  const first = await page(1);
  const rest = Array.from({ length: Math.ceil(first.total / 100) - 1 }, (_one, nth) => page(nth + 2));
  return [first, ...(await Promise.all(rest))].flatMap(({ value }) => value).toReversed();
}
/** Returns a function that tells whether an address belongs to a page, by the routes. */
async function routes(): Promise<(address: string) => boolean> {
  const { all } = menuOf(await app.admin.get(access.webRouter), []);
  const pages = all.filter(({ component }) => component && Object.hasOwn(registry.pages, component));
  const paths = [...registry.fixed, ...pages].map(({ path }) => path);
  return (address) => paths.some((path) => matchPath(path, address.split('?')[0]!));
}

test('a message of every declared kind arrives with a Chinese title and a type, and links to an existing page', async () => {
  const reader = await app.signIn(await app.person());
  await tellAll([reader.userId]);
  const box = await boxOf(reader);
  expect(box).toHaveLength(kinds.length);
  const leads = await routes();
  const strange = kinds.flatMap((kind, nth) => {
    const { title, type, web_path } = box[nth]!;
    return leads(web_path) && isChinese(title) && newsType.label(type) !== ''
      ? []
      : [{ kind: kind.event, title, type, web_path }];
  });
  expect(strange).toEqual([]);
  const { by_type } = await reader.get(messages.unreadCount);
  const ofType = async (type: string) =>
    (await reader.get(messages.unread, { query: { type: Number(type), per_page: 1 } })).total;
  for (const [type, count] of Object.entries(by_type)) expect([type, await ofType(type)]).toEqual([type, count]);
});

test('every kind of waiting item is handled on an existing page', async () => {
  const leads = await routes();
  expect(app.services.product.waits.filter(({ path }) => !leads(path)).map(({ key, path }) => [key, path])).toEqual([]);
});

test('every declared kind of message is in everybody’s settings under one Chinese name, with a choice of channels', async () => {
  const reader = await app.signIn(await app.person());
  const { groups, defaults } = await reader.get(messages.preference);
  const shown = groups.flatMap(({ events }) => events);
  const declared = kinds.flatMap(({ choices }) => choices.map(({ event, name }) => ({ event, name })));
  expect(new Set(shown.map(({ event }) => event))).toEqual(new Set(declared.map(({ event }) => event)));
  expect(declared.filter((one) => !shown.some(({ event, name }) => event === one.event && name === one.name))).toEqual(
    [],
  );
  expect(shown.filter(({ name }) => !isChinese(name))).toEqual([]);
  expect(groups.map(({ title }) => title)).toEqual([...newsGroups]);
  expect(new Set(Object.keys(defaults))).toEqual(new Set(shown.map(({ event }) => event)));
  const all = Object.fromEntries(shown.map(({ event }) => [event, Object.keys(ways) as (keyof typeof ways)[]]));
  await reader.get(messages.keepPreference, { body: { events: all } });
  expect((await reader.get(messages.preference)).events).toEqual(all);
});

test('a person gets no message about their own action unless it asks something of them, and a leaver gets none', async () => {
  const [actor, other] = [await app.signIn(await app.person()), await app.signIn(await app.person())];
  const gone = await app.person();
  await run(sql`update app_user set is_active = false where id = ${gone.id}`);
  await tellAll([actor.userId, other.userId, gone.id], actor.userId);
  expect(await boxOf(other)).toHaveLength(kinds.length);
  const { rows } = await app.db.execute(sql`select 1 from msg_user where user_id = ${gone.id}`);
  expect(rows).toEqual([]);
  const own = await app.db.execute<{ event: string }>(
    sql`select distinct event from msg join msg_user u on u.msg_id = msg.id where u.user_id = ${actor.userId} order by 1`,
  );
  expect(own.rows.map(({ event }) => event)).toEqual([
    'DIST',
    'DOC_NOTICE',
    'HANDED_OVER',
    'MEET_NOTICE',
    'NEW_DEVICE_LOGIN',
    'PHONE_CHANGED',
    'PWD_RESET',
    'ROLE_ENDS',
    'SECOND_STEP',
    'WECHAT',
  ]);
});

test('recipients given as a person, a role or a department part get a message once each', async () => {
  const dept = await app.dept('印务处');
  const code = await app.role({});
  const [clerk, head] = [await app.person({ dept, roles: [code] }), await app.person({ dept, roles: [code] })];
  await run(sql`insert into dept_person (dept_id, user_id, part) values (${dept}, ${head.id}, 'leader')`);
  const meant = (tx: Parameters<typeof hearersIn>[0]) =>
    hearersIn(tx, [clerk.id, null, { role: code }, { dept, part: 'leader' }, { dept: null, part: 'head' }]);
  const found = await app.services.databases.write(meant);
  expect(found.toSorted((a, b) => a - b)).toEqual([clerk.id, head.id]);
});

test('a kind of message without a link cannot be declared', () => {
  const kinds = { LOST: { name: '无处可去', head: '无处可去' } };
  expect(() => newsKinds({ module: 'x', type: newsType.system, group: '系统', kinds })).toThrow('LOST leads nowhere');
});
