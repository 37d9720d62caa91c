import { readFileSync } from 'node:fs';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { signedIn, type Call } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import type { Mounted, ServerModule } from '#kernel/server/http/implement.ts';
import { dataScope as scopes } from '#modules/platform/access/contract/roles.ts';
import { audit } from '#modules/platform/audit/contract.ts';
import { roles } from './modules.ts';
import { grantOf, grantsAsked, viewersOf, wrongAdmissions } from './testing/admission.ts';
import { ask, bodyFor, each, named, nowhere } from './testing/asking.ts';
import { appOf, openWalk, unlimited } from './testing/walk.ts';
import type { TestOffice } from './testing.ts';

vi.setConfig({ testTimeout: unlimited });

let app: TestOffice;
let mounted: readonly Mounted[];
beforeAll(async () => {
  ({ app, mounted } = await openWalk());
});
afterAll(() => app.close());

/** A table in `docs/`, written from the product by `npm test -- apps/server/inventory.test.ts -u` and reviewed as a difference. */
async function expectTable(file: string, rows: readonly (readonly string[])[]): Promise<void> {
  const text = rows.map((cells) => `${cells.join('\t')}\n`).join('');
  await expect(text).toMatchFileSnapshot(`../../docs/${file}`);
}
/** The calls that the specification names, as listed in `docs/specification.md`. */
const specified = [
  ...readFileSync(new URL('../../docs/specification.md', import.meta.url), 'utf8').matchAll(
    /^\|[^|]+\| `((?:GET|POST|PUT|PATCH|DELETE) )([^`]+)` +\|/gm,
  ),
].map(([, method, path]) => `${method}/api/${path}`);
const wordOf = ({ access }: Call) => {
  if (access.kind === 'grant') return access.code;
  return access.kind === 'protocol' ? access.name : access.kind;
};

test('every module has a Chinese name in the operation log, and the page offers no others', async () => {
  const { logNames } = app.services.product;
  const { value } = await app.admin.get(audit.modules, {});
  expect(value.map(({ value: name }) => name).toSorted()).toEqual(Object.keys(logNames).toSorted());
  expect(Object.keys(logNames).toSorted()).toEqual([...new Set(mounted.map(({ module }) => module))].toSorted());
  expect(Object.values(logNames).filter((name) => !/\p{Script=Han}/u.test(name))).toEqual([]);
  expect(new Set(Object.values(logNames)).size).toBe(Object.keys(logNames).length);
});

/** The addresses of a mounted call: its path and its aliases. */
const addressesOf = ({ call }: Mounted): string[] =>
  [call.path, ...(call.aliases ?? [])].map((path) => `${call.method} ${path}`);

describe('the inventory of the product', () => {
  test('lists every call with who may call it, and whether the specification names it', async () => {
    const known = new Set(specified);
    const rows = mounted.flatMap((one) =>
      addressesOf(one).map((address) => {
        const { access } = one.call;
        const pages = access.kind === 'grant' ? access.pages.toSorted().join('|') : '';
        const origin = known.has(address) ? 'S' : '+';
        return [one.module, ...address.split(' '), origin, wordOf(one.call), pages, one.call.summary];
      }),
    );
    await expectTable('calls.tsv', [['module', 'method', 'path', 'origin', 'access', 'pages', 'summary'], ...rows]);
  });

  test('has every call of the specification except one that a decision leaves out', () => {
    const have = new Set(mounted.flatMap(addressesOf));
    expect(specified.length).toBeGreaterThan(300);
    expect(specified.filter((address) => !have.has(address))).toEqual(['DELETE /api/contract/performance/']);
  });

  test('has no two calls at one address', () => {
    const all = mounted.flatMap(addressesOf);
    expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([]);
  });
});

/** The menus of a new organisation in the order in which they are seeded. */
async function seededMenus(): Promise<readonly (readonly string[])[]> {
  const { rows } = await app.db.execute<Record<string, string>>(sql`
    select m.built_in as key, coalesce(p.built_in, '') as parent, m.name as title, m.web_path as path,
      coalesce(nullif(m.icon, ''), '-') as icon,
      coalesce((select string_agg(b.code, ',' order by o.order_id) from menu_button o join button b on b.id = o.button_id
        where o.menu_id = m.id), '') as codes
    from menu m left join menu p on p.id = m.parent_id order by m.id`);
  return rows.map(({ key, parent, title, path, icon, codes: offered }) => [
    key!,
    parent!,
    title!,
    path!,
    icon!,
    offered!,
  ]);
}

test('the menus of a new system are listed with title, parent, address, icon and codes', async () => {
  await expectTable('menus.tsv', [['key', 'parent', 'title', 'web_path', 'icon', 'codes'], ...(await seededMenus())]);
});

describe('the grants of the seeded roles', () => {
  test('are listed with the scope of each role', async () => {
    const rows = roles.map(({ code, name, dataScope, text }) => [code, name, scopes.label(dataScope), text]);
    await expectTable('roles.tsv', [['code', 'name', 'data_scope', 'grants'], ...rows]);
  });

  const table = roles.map(({ code, text }) => ({
    code,
    grants: text.split(' ').map((grant) => grant.split(':') as [string, string]),
  }));
  const gives = (role: string, page: string, code: string) =>
    table
      .filter((row) => row.code === role || row.code === 'reception')
      .flatMap((row) => row.grants)
      .some(([pages, held]) => {
        const matches =
          pages === '*' || pages === page || (pages.endsWith('/*') && page.startsWith(pages.slice(0, -1)));
        return matches && (held === '*' || held.split(',').includes(code));
      });

  test('equal the permissions that the roles’ members have on every page', async () => {
    const offered = (await seededMenus()).flatMap(([key, , , , , of]) =>
      of === '' ? [] : of!.split(',').map((code) => ({ page: key!, code })),
    );
    for (const { code: role } of table) {
      const { token } = await app.signIn(await app.person({ roles: [role] }));
      const viewer = (await app.services.identity.identify(token!))!;
      const held = [...viewer.grants].flatMap(([page, of]) => [...of.keys()].map((code) => grantOf(page, code)));
      const wanted = offered.flatMap(({ page, code }) => (gives(role, page, code) ? [grantOf(page, code)] : []));
      expect([viewer.superAdmin, held.toSorted()], role).toEqual([role === 'super_admin', wanted.toSorted()]);
    }
  });

  test('admit to each call exactly the holders of its own permission', async () => {
    const server = appOf(app, app.services.product.servers(), viewersOf(app.admin.userId, grantsAsked(mounted)));
    try {
      expect(await wrongAdmissions(server, mounted)).toEqual([]);
    } finally {
      await server.close();
    }
  });

  test('are enforced by a running server', async () => {
    const staff = await app.signIn(await app.person({ roles: ['staff'] }));
    const wrong: string[] = [];
    await each(mounted, async (one) => {
      const { access, query } = one.call;
      if (access.kind !== 'grant') return;
      const path = `${nowhere(one.call, 0)}${query ? '?per_page=x&page=x' : ''}`;
      const answer = await ask(staff, one.call, path, bodyFor(one.call, one.call.body ? null : {}));
      const allowed = access.pages.some((page) => gives('staff', page, access.code));
      if ((answer.code !== codes.forbidden) !== allowed) wrong.push(named(one));
    });
    expect(wrong).toEqual([]);
  });

  test('change settings of the whole system only with a scope over everything', () => {
    /** Pages whose rows a scope reaches one by one, or on which people can grant only rights that they hold. */
    const rowByRow = new Set(
      `activity/declare alumnus/list contract/list contract/manage contract/performance customer/contact customer/list customer/log
      customer/project customer/record document/dist document/exchange document/list document/notice folder/papers key/loan leader/duty
      leader/list meet/list meet/office meet/room msg/send order/register sms/send stamp/application stamp/list supervise/list
      system/app_token system/dept system/log system/online system/role system/user workflow/list`.split(/\s+/),
    );
    /** Only for super administrators, or a test call. */
    const alone = ['system/interface', 'system/login'];
    const changing = mounted.filter(({ call }) => ['Create', 'Update', 'Delete'].includes(wordOf(call)));
    const open = changing.filter(
      ({ call: { access } }) =>
        access.kind === 'grant' &&
        !access.whole &&
        !access.pages.every((page) => rowByRow.has(page) || alone.includes(page)),
    );
    // Archives a single document.
    expect(open.map(named)).toEqual(['documents: POST /api/document/{id}/archive/']);
    expect(changing.filter(({ call: { path, access } }) => path.endsWith('/rule/') && !('whole' in access))).toEqual(
      [],
    );
  });

  test('are detected as missing if a call checks none or others', async () => {
    const [first, second] = mounted.filter(
      ({ call }) => call.access.kind === 'grant' && call.access.pages.length === 1,
    );
    const planted = (one: Mounted, access: Call['access']): ServerModule => ({
      name: one.module,
      calls: [{ ...one, call: { ...one.call, access } }],
    });
    const leaks = [planted(first!, signedIn), planted(second!, first!.call.access)];
    const server = appOf(app, leaks, viewersOf(app.admin.userId, grantsAsked(mounted)));
    try {
      const wrong = await wrongAdmissions(server, [first!, second!]);
      expect(wrong.filter((line) => line.endsWith(`through to ${named(first!)}`))).toHaveLength(1);
      expect(wrong.filter((line) => line.endsWith(named(second!))).length).toBeGreaterThan(0);
    } finally {
      await server.close();
    }
  });
});
