import { readFileSync } from 'node:fs';
import { isDeepStrictEqual } from 'node:util';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { logNames } from '#modules/audit/contract/log-names.ts';
import { ask, bodyFor, each, named, nowhere } from './testing/asking.ts';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
let mounted: Mounted[];
beforeAll(async () => {
  app = await openTestApp();
  mounted = app.services.product.servers().flatMap((module) => [...module.calls]);
});
afterAll(() => app.close());

const sheet = (file: string) =>
  readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
const wordOf = ({ access }: Call) => {
  if (access.kind === 'grant') return access.code;
  return access.kind === 'protocol' ? access.name : access.kind;
};

test('whatever a module writes to the operation log stands there under a Chinese name, and the page offers no other', () => {
  expect(Object.keys(logNames).toSorted()).toEqual([...new Set(mounted.map(({ module }) => module))].toSorted());
  expect(Object.values(logNames).filter((name) => !/\p{Script=Han}/u.test(name))).toEqual([]);
  expect(new Set(Object.values(logNames)).size).toBe(Object.keys(logNames).length);
});

describe('the inventory', () => {
  const rows = sheet('calls.tsv').map(([module, method, path, , access, pages]) => ({
    module: module!,
    key: `${method} ${path}`,
    access: access!,
    pages: (pages ?? '').split('|').filter(Boolean).toSorted(),
  }));

  test('every mounted call stands in the inventory with the same access', () => {
    const known = new Map(rows.map((row) => [row.key, row]));
    const wrong = mounted.flatMap((one) => {
      const row = known.get(`${one.call.method} ${one.call.path}`);
      if (!row) return [`${named(one)} is not in the inventory`];
      const pages = one.call.access.kind === 'grant' ? [...one.call.access.pages].toSorted() : [];
      const same = row.access === wordOf(one.call) && pages.join() === row.pages.join();
      return same
        ? []
        : [`${named(one)} is ${wordOf(one.call)} ${pages.join('|')}, not ${row.access} ${row.pages.join('|')}`];
    });
    expect(wrong).toEqual([]);
  });

  test('of a module that is built, every call is mounted', () => {
    const have = new Set(
      mounted.flatMap(({ call }) => [call.path, ...(call.aliases ?? [])].map((path) => `${call.method} ${path}`)),
    );
    const built = new Set(rows.filter((row) => have.has(row.key)).map((row) => row.module));
    expect(rows.filter((row) => built.has(row.module) && !have.has(row.key)).map((row) => row.key)).toEqual([]);
  });

  test('no two calls answer one address', () => {
    const all = mounted.flatMap(({ call }) =>
      [call.path, ...(call.aliases ?? [])].map((path) => `${call.method} ${path}`),
    );
    expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([]);
  });
});

interface MenuLine {
  key: string;
  parent: string;
  title: string;
  path: string;
  icon: string;
  codes: string;
}
const menuLines: MenuLine[] = sheet('menus.tsv').map(([key, parent, title, path, icon, codes]) => ({
  key: key!,
  parent: parent!,
  title: title!,
  path: path!,
  icon: icon!,
  codes: codes ?? '',
}));

describe('the menus of a new office', () => {
  const seeded = async () => {
    const { rows } = await app.db.execute<Record<keyof MenuLine, string>>(sql`
      select m.built_in as key, coalesce(p.built_in, '') as parent, m.name as title, m.web_path as path,
        coalesce(nullif(m.icon, ''), '-') as icon,
        coalesce((select string_agg(b.code, ',' order by o.order_id) from menu_button o join button b on b.id = o.button_id
          where o.menu_id = m.id), '') as codes
      from menu m left join menu p on p.id = m.parent_id order by m.id`);
    return rows;
  };

  test('stand in the sheet just so: title, place, address, icon and codes', async () => {
    const known = new Map(menuLines.map((line) => [line.key, line]));
    expect((await seeded()).filter((row) => !isDeepStrictEqual(row, known.get(row.key)))).toEqual([]);
  });

  test('are all of the sheet below every heading that is built', async () => {
    const have = new Set((await seeded()).map((row) => row.key));
    const headings = new Set(menuLines.map((line) => line.parent));
    const missing = menuLines.filter(
      ({ key, parent }) => !have.has(key) && (parent === '' ? !headings.has(key) : have.has(parent)),
    );
    expect(missing).toEqual([]);
  });
});

describe('the seeded roles', () => {
  const table = sheet('roles.tsv').map(([code, , , grants]) => ({
    code: code!,
    grants: grants!.split(' ').map((grant) => grant.split(':') as [string, string]),
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

  test('may do exactly what their grants say', { timeout: 120_000 }, async () => {
    const offers = new Set(menuLines.flatMap(({ key, codes: of }) => of.split(',').map((code) => `${key}:${code}`)));
    const wrong: string[] = [];
    for (const { code: role } of table) {
      const client = await app.signIn(await app.person({ roles: [role] }));
      await each(mounted, async (one) => {
        const { access, query } = one.call;
        if (access.kind !== 'grant') return;
        // Ill-formed on purpose: the grant is asked first, and nothing is done.
        const path = `${nowhere(one.call, 0)}${query ? '?per_page=x&page=x' : ''}`;
        const answer = await ask(client, one.call, path, bodyFor(one.call, one.call.body ? null : {}));
        const allowed = access.pages.some(
          (page) => (role === 'super_admin' || offers.has(`${page}:${access.code}`)) && gives(role, page, access.code),
        );
        if ((answer.code !== codes.forbidden) !== allowed)
          wrong.push(`${role} ${allowed ? 'is kept from' : 'gets through to'} ${named(one)}`);
      });
    }
    expect(wrong).toEqual([]);
  });
});
