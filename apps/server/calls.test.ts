import { readFileSync } from 'node:fs';
import Fastify from 'fastify';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { pathOf, type Call } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import { secureHeaders } from '#kernel/server/headers.ts';
import type { Mounted } from '#kernel/server/implement.ts';
import { sampleOf, wireSchema, type Json } from '#kernel/server/testing/sample.ts';
import { modulesOf } from './services.ts';
import { openTestOffice, type Client, type TestOffice } from './testing.ts';

let office: TestOffice;
let mounted: Mounted[];
beforeAll(async () => {
  office = await openTestOffice();
  mounted = modulesOf(office.services).flatMap((module) => [...module.calls]);
});
afterAll(() => office.close());

const sheet = (file: string) =>
  readFileSync(new URL(`../../docs/${file}`, import.meta.url), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split('\t'));
const named = ({ module, call }: Mounted) => `${module}: ${call.method} ${call.path}`;
const wordOf = ({ access }: Call) => {
  if (access.kind === 'grant') return access.code;
  return access.kind === 'protocol' ? access.name : access.kind;
};
/** What a stranger is told: by a protocol of others in its own way. */
const strangerIsTold = ({ access }: Call) =>
  access.kind === 'protocol' ? { status: 401, code: null } : { status: 200, code: 401 };

/** A parameter that is well spelled and names nothing. */
const nowhere = (call: Call, id: string | number = 999_999) =>
  pathOf(
    call,
    Object.fromEntries(
      [...call.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => [name, /ids?$/i.test(name!) ? id : 'x']),
    ),
  );

interface Answer {
  status: number;
  /** Of the envelope; null for bytes. */
  code: number | null;
  headers: Headers;
  text: string;
}
async function ask(
  client: Client,
  call: Pick<Call, 'method'>,
  path: string,
  body?: string,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await client.fetch(path, {
    method: call.method,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    ...(body === undefined ? {} : { body }),
  });
  const text = await response.text();
  const json = (response.headers.get('content-type') ?? '').startsWith('application/json');
  return {
    status: response.status,
    code: json ? (JSON.parse(text) as { code: number }).code : null,
    headers: response.headers,
    text,
  };
}
/** A few at a time: the server answers several people at once anyway. */
async function each<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) await work(item);
  };
  await Promise.all(Array.from({ length: 6 }, worker));
}
const bodyFor = (call: Call, value: unknown) =>
  call.method === 'GET' || call.upload ? undefined : JSON.stringify(value);

describe('the inventory', () => {
  /** Modules of which only a part is built yet: what of them is mounted must be in the inventory, not the whole of it. */
  const partly = new Set(['ticket', 'document']);
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
    expect(
      rows
        .filter((row) => built.has(row.module) && !partly.has(row.module) && !have.has(row.key))
        .map((row) => row.key),
    ).toEqual([]);
  });

  test('no two calls answer one address', () => {
    const all = mounted.flatMap(({ call }) =>
      [call.path, ...(call.aliases ?? [])].map((path) => `${call.method} ${path}`),
    );
    expect(all.filter((key, index) => all.indexOf(key) !== index)).toEqual([]);
  });
});

describe('every call', () => {
  test(
    'refuses strangers, cookies and tokens in other places, with and without the last slash',
    { timeout: 40_000 },
    async () => {
      const { token } = await office.signIn('admin');
      const disguises: Record<string, string>[] = [
        { cookie: `Admin-Token=${token}; token=${token}; Authorization=JWT%20${token}` },
        { authorization: `Bearer ${token}` },
        { authorization: `JWT ${token}x` },
        { authorization: `JWT ${btoa('{"alg":"none"}')}.${btoa('{"sub":"1"}')}.` },
        { 'x-authorization': `JWT ${token}` },
      ];
      await each(
        mounted.filter(({ call }) => call.access.kind !== 'public'),
        async (one) => {
          const refused = async (path: string, headers?: Record<string, string>) => {
            const { status, code } = await ask(office.stranger, one.call, path, bodyFor(one.call, {}), headers);
            expect({ call: named(one), status, code }).toEqual({ call: named(one), ...strangerIsTold(one.call) });
          };
          await refused(nowhere(one.call));
          await refused(nowhere(one.call).replace(/\/$/, ''));
          await refused(`${nowhere(one.call)}?token=${token}&jwt=${token}`);
          for (const headers of disguises) await refused(nowhere(one.call), headers);
        },
      );
    },
  );

  test('refuses whoever was disabled or signed out', async () => {
    const person = await office.person({ roles: ['super_admin'] });
    const disabled = await office.signIn(person);
    await office.services.databases.write((tx) =>
      tx.execute(sql`update app_user set is_active = false where id = ${person.id}`),
    );
    const ended = await office.signIn('admin');
    await office.services.databases.write((tx) =>
      tx.execute(sql`update session set ended_at = now() where user_id = ${ended.userId}`),
    );
    await each(
      mounted.filter(({ call }) => call.access.kind !== 'public'),
      async (one) => {
        for (const client of [disabled, ended]) {
          const { code } = await ask(client, one.call, nowhere(one.call), bodyFor(one.call, {}));
          expect(code, named(one)).toBe(strangerIsTold(one.call).code);
        }
      },
    );
  });

  test('answers the same with and without the last slash', { timeout: 40_000 }, async () => {
    await each(mounted, async (one) => {
      const path = nowhere(one.call, 0);
      const client = () => office.signIn('admin');
      const [with_, without] = [
        await ask(await client(), one.call, `${path}?per_page=x`, bodyFor(one.call, null)),
        await ask(await client(), one.call, `${path.replace(/\/$/, '')}?per_page=x`, bodyFor(one.call, null)),
      ];
      expect(without.status, named(one)).toBe(with_.status);
      if (without.code !== codes.tooMany) expect(without.code, named(one)).toBe(with_.code);
    });
  });

  test('meets nonsense with a refusal and never with a fault', { timeout: 40_000 }, async () => {
    const hostile = [
      '',
      ' ',
      'a'.repeat(5000),
      '\u0000',
      "'; drop table app_user; --",
      -1,
      1e300,
      0.5,
      true,
      null,
      [],
      {},
      [[[]]],
      '\ud800',
      '２０２６',
    ];
    await each(mounted, async (one) => {
      const { call } = one;
      const admin = await office.signIn('admin');
      const check = async (path: string, body?: string) => {
        const answer = await ask(admin, call, path, body);
        const fault = answer.status >= 500 || answer.code === codes.fault;
        expect(fault, `${named(one)} ${path.slice(0, 200)} ${body?.slice(0, 200) ?? ''}`).toBe(false);
        expect(answer.text, named(one)).not.toMatch(/node_modules|\bat .*:\d+:\d+|syntax error|select .* from/i);
        return answer;
      };
      const base = nowhere(call);
      for (const id of [0, '99999999999999999999', 2_147_483_647, '١', '1%00', '%F0%9F%98%80', '1,2'])
        if (call.path.includes('{')) {
          const answer = await check(base.replace(/999999|\bx\b/g, String(id)), bodyFor(call, {}));
          if (call.access.kind !== 'public') expect(answer.code, `${named(one)} ${id}`).not.toBe(0);
        }
      if (call.query) {
        const names = Object.keys((wireSchema(call.query)['properties'] ?? {}) as Json);
        for (const value of ['x', '-1', '1e9', '%00', "'", '%F0%9F%98%80', '9'.repeat(400)])
          await check(
            `${base}?${names
              .filter((name) => name !== 'export')
              .map((name) => `${name}=${value}`)
              .join('&')}`,
            bodyFor(call, {}),
          );
        await check(
          `${base}?${names.map((name) => `${name}=1&${name}=2&${name}[]=3&${name}[a]=4`).join('&')}`,
          bodyFor(call, {}),
        );
        if (names.includes('per_page')) {
          expect((await check(`${base}?per_page=101`)).code, named(one)).toBe(codes.invalid);
          expect((await check(`${base}?order_by=password`)).code, named(one)).toBe(codes.invalid);
        }
      }
      if (call.body && !call.upload) {
        const schema = wireSchema(call.body);
        const names = Object.keys((schema['properties'] ?? {}) as Json);
        for (const body of ['null', '[]', '"x"', '7', '{', '[[[[', '{"a":1}x'])
          expect((await check(base, body)).code, `${named(one)} ${body}`).not.toBe(codes.fault);
        for (const value of hostile)
          await check(base, JSON.stringify(Object.fromEntries(names.map((name) => [name, value]))));
      }
    });
  });
});

describe('the headers', () => {
  const always: Record<string, RegExp> = {
    'content-security-policy': /default-src/,
    'x-content-type-options': /^nosniff$/,
    'x-frame-options': /^DENY$/,
    'referrer-policy': /^same-origin$/,
    'cross-origin-opener-policy': /^same-origin$/,
    'cross-origin-resource-policy': /^same-origin$/,
    'permissions-policy': /./,
    'cache-control': /no-store/,
  };
  const whole = (answer: Answer, what: string) => {
    for (const [name, value] of Object.entries(always))
      expect(answer.headers.get(name), `${what}: ${name}`).toMatch(value);
    expect(answer.headers.get('x-powered-by'), what).toBeNull();
    expect(answer.headers.get('server'), what).toBeNull();
    expect(answer.headers.get('access-control-allow-origin'), what).toBeNull();
    expect(answer.headers.get('set-cookie'), what).toBeNull();
  };

  test('stand on the answers of every call', { timeout: 40_000 }, async () => {
    await each(mounted, async (one) => {
      whole(await ask(office.stranger, one.call, nowhere(one.call), bodyFor(one.call, {})), named(one));
      const admin = await office.signIn('admin');
      whole(await ask(admin, one.call, nowhere(one.call), bodyFor(one.call, {})), named(one));
      if (one.call.exports) whole(await ask(admin, one.call, `${one.call.path}?export=xlsx`), `${named(one)} export`);
    });
  });

  test('stand on what is no call, too big, unreadable or of a wrong type', async () => {
    const to = '/api/accounts/log/clear/';
    whole(await ask(office.admin, { method: 'GET' }, '/api/no/such/call/'), '404');
    whole(await ask(office.admin, { method: 'GET' }, '/api'), '/api');
    whole(await ask(office.admin, { method: 'PATCH' }, to, '{'), 'unreadable');
    whole(await ask(office.admin, { method: 'DELETE' }, to, `"${'x'.repeat(1_100_000)}"`), '413');
    whole(await ask(office.admin, { method: 'DELETE' }, to, '<a/>', { 'content-type': 'text/xml' }), '415');
    whole(await ask(office.admin, { method: 'GET' }, '/api/%'), 'bad escape');
  });

  test('ask for encryption where the address is https', async () => {
    const server = Fastify();
    server.addHook('onRequest', secureHeaders(true));
    const { headers } = await server.inject('/api/');
    expect(headers['strict-transport-security']).toMatch(/max-age=31536000/);
  });
});

describe('columns a caller may not set', () => {
  const text = 'zzMASSzz';
  const figure = 1_777_777_777;

  test('stay as they are, whatever a body names', { timeout: 120_000 }, async () => {
    await office.dept();
    await office.dept();
    const { username } = await office.person();
    const noon = (days: number) => `${new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)} 12:00`;
    /** What no schema can know: a person who is there, times to come, a day. */
    const fitting: Record<string, { path?: string; body: Json }> = {
      'POST /api/accounts/delegation/': {
        body: { delegate: username, start: noon(1), end: noon(9), workflow_ids: [], chain_limit: 1 },
      },
      'PUT /api/document/category/{id}/': { path: '/api/document/category/1/', body: {} },
      'PUT /api/document/number_rule/{id}/': { path: '/api/document/number_rule/1/', body: {} },
      'PUT /api/calendars/{day}/': { path: '/api/calendars/2027-03-01/', body: {} },
    };
    const columns = await columnNames();
    const accepted = new Set<string>();
    const writes = mounted.filter(({ call }) => call.method !== 'GET' && !call.upload);
    for (const value of [text, figure, true, 2]) {
      for (const one of writes) {
        const body = dressed(one.call, columns, value);
        const before = typeof value === 'boolean' || value === 2 ? await switches(body.known) : null;
        const admin = await office.signIn('admin');
        const fit = fitting[`${one.call.method} ${one.call.path}`];
        const sent = fit ? { ...(body.value as Json), ...fit.body } : body.value;
        const answer = await ask(admin, one.call, fit?.path ?? nowhere(one.call, 2), JSON.stringify(sent));
        expect(answer.status, named(one)).toBeLessThan(500);
        if (answer.code === codes.ok) accepted.add(named(one));
        if (before && one.call.method !== 'DELETE') expect(await switches(body.known), named(one)).toEqual(before);
      }
    }
    // The bodies are good enough that many calls did their work with them.
    expect(accepted.size).toBeGreaterThan(writes.filter(({ call }) => call.body).length / 2);
    for (const name of await tableNames()) {
      const { rows } = await office.db.execute<{ row: string }>(
        sql`select t::text as row from ${sql.identifier(name)} t where t::text like ${`%${text}%`} or t::text like ${`%${figure}%`} limit 1`,
      );
      expect(rows, name).toEqual([]);
    }
  });

  test('a prototype sent in a body reaches nothing', async () => {
    const bodies = [
      '{"__proto__":{"polluted":true,"superAdmin":true}}',
      '{"constructor":{"prototype":{"polluted":true}}}',
      '{"prototype":{"polluted":true}}',
      '{"value":{"__proto__":{"polluted":true}},"meta":{"constructor":{"prototype":{"polluted":true}}}}',
    ];
    await each(
      mounted.filter(({ call }) => call.method !== 'GET' && !call.upload),
      async (one) => {
        for (const body of bodies) {
          const answer = await ask(await office.signIn('admin'), one.call, nowhere(one.call), body);
          expect(answer.status, named(one)).toBeLessThan(500);
        }
      },
    );
    const query = '?__proto__[polluted]=1&constructor[prototype][polluted]=1&__proto__.polluted=1';
    for (const one of mounted.filter(({ call }) => call.method === 'GET'))
      expect(
        (await ask(await office.signIn('admin'), one.call, nowhere(one.call) + query)).status,
        named(one),
      ).toBeLessThan(500);
    expect('polluted' in {}).toBe(false);
    expect('polluted' in Object.prototype || 'superAdmin' in {}).toBe(false);
  });

  /** Bodies whose parts must fit together, or what is there: a sample made from the schema alone would only be refused. */
  const examples: Record<string, Json> = {
    'PUT /api/accounts/users/change_info/': {},
    'PUT /api/accounts/settings/site/': { name: '样本站点' },
    'PUT /api/accounts/settings/login/': { pwd_min: 8 },
    'PATCH /api/accounts/menu/{id}/': {},
    'PATCH /api/accounts/roles/{id}/': { description: '样本' },
    'PUT /api/accounts/roles/{id}/': { description: '样本' },
    'POST /api/accounts/users/': { username: 'sample', alias: '样本' },
    'PUT /api/accounts/users/{id}/': { alias: '样本' },
    'POST /api/accounts/depts/': { name: '样本部门' },
    'PUT /api/accounts/depts/{id}/': { name: '样本部门甲' },
    'PATCH /api/accounts/depts/{id}/': { name: '样本部门乙' },
    'POST /api/document/category/': { name: '样本类别', code: 'YB', doc_kind: 1 },
    'POST /api/document/number_rule/': { agency_code: '样字' },
    'PUT /api/document/category/{id}/': { name: '样本类别', code: 'YB', doc_kind: 1 },
    'PUT /api/document/number_rule/{id}/': { agency_code: '样字' },
    'POST /api/folder/category/': { name: '样本分类' },
    'PUT /api/folder/category/{id}/': { name: '样本分类甲' },
    'POST /api/folder/papers/': {
      title: '样本制度',
      category_id: 1,
      fwh: '样本〔2026〕1号',
      dept: 2,
      publish_date: '2026-11-20',
      content: '样本',
      scope: { all: true },
      status: 1,
      must_read: true,
    },
    'PUT /api/folder/papers/{id}/': { keywords: '样本' },
    'POST /api/folder/collect/': { paper_id: 1 },
    'PUT /api/folder/read/': { paper_id: 1, urge: true },
    'POST /api/workflows/': { name: '样本流程' },
    'PATCH /api/workflows/{id}/': { description: '样本' },
    'POST /api/workflows/{id}/states/': { name: '样本环节', kind: 'handle', order: 9 },
    'PATCH /api/workflows/{id}/states/{cid}/': { name: '样本' },
    'POST /api/workflows/{id}/transitions/': { name: '样本流转', source: 1, destination: 3, attribute: 1 },
    'PATCH /api/workflows/{id}/transitions/{cid}/': { name: '样本' },
    'POST /api/workflows/{id}/custom_fields/': { key: 'sample', name: '样本字段', type: 5 },
    'PATCH /api/workflows/{id}/custom_fields/{cid}/': { name: '样本' },
    'POST /api/workflows/{id}/simulate/': { applicant: 'admin' },
  };

  /** A body that fits, and beside its fields every column name it does not know, in every object that has named fields. */
  function dressed(call: Call, columns: readonly string[], value: unknown): { value: unknown; known: Set<string> } {
    const known = new Set<string>();
    const add = (fields: Json, names: Json): Json => {
      for (const name of Object.keys(names)) known.add(name);
      const extra = columns.filter((name) => !Object.hasOwn(names, name)).map((name) => [name, value]);
      // The lock would refuse the second writer of a record.
      const { version: _version, ...sent } = fields;
      return { ...Object.fromEntries(extra), ...sent };
    };
    if (!call.body) return { value: add({}, {}), known };
    const schema = wireSchema(call.body);
    const example = examples[`${call.method} ${call.path}`];
    return { value: example ? add(example, schema['properties'] as Json) : sampleOf(schema, 2, add), known };
  }

  async function columnNames(): Promise<string[]> {
    const { rows } = await office.db.execute<{ name: string }>(
      sql`select distinct column_name as name from information_schema.columns where table_schema = 'public'`,
    );
    const snake = rows.map((row) => row.name);
    const camel = snake.map((name) => name.replace(/_(\w)/g, (_whole, letter: string) => letter.toUpperCase()));
    return [
      ...new Set([...snake, ...camel, 'is_superuser', 'superAdmin', 'creator', 'state', 'deleted', 'active', 'system']),
    ];
  }

  async function tableNames(): Promise<string[]> {
    const { rows } = await office.db.execute<{ name: string }>(
      sql`select tablename as name from pg_tables where schemaname = 'public'`,
    );
    return rows.map((row) => row.name);
  }

  /** Yes/no and small numbers of the first rows of every table, but for columns the body itself names. */
  async function switches(known: ReadonlySet<string>): Promise<Record<string, string>> {
    const { rows } = await office.db.execute<{ table: string; columns: string[] }>(sql`
      select c.table_name as table, array_agg(c.column_name::text) as columns from information_schema.columns c
      where c.table_schema = 'public' and c.data_type in ('boolean', 'smallint')
        and exists (select 1 from information_schema.columns i where i.table_name = c.table_name and i.column_name = 'id')
        and c.table_name <> 'log'
      group by 1`);
    const kept = rows
      .map((row) => ({ ...row, columns: row.columns.filter((name) => !known.has(name)) }))
      .filter((row) => row.columns.length > 0);
    const parts = kept.map(
      (row) => sql`select ${row.table}::text as name, coalesce(string_agg(concat_ws(',', ${sql.join(
        row.columns.map((name) => sql.identifier(name)),
        sql`, `,
      )}), ';' order by id), '') as content
        from (select * from ${sql.identifier(row.table)} order by id limit 3) t`,
    );
    const found = await office.db.execute<{ name: string; content: string }>(sql.join(parts, sql` union all `));
    return Object.fromEntries(found.rows.map((row) => [row.name, row.content]));
  }
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

  test('may do exactly what their grants say', { timeout: 40_000 }, async () => {
    const { rows: offered } = await office.db.execute<{ page: string; code: string }>(sql`
      select m.component as page, b.code from menu_button mb join menu m on m.id = mb.menu_id join button b on b.id = mb.button_id`);
    const offers = new Set(offered.map((row) => `${row.page}:${row.code}`));
    const wrong: string[] = [];
    for (const { code: role } of table) {
      const client = await office.signIn(await office.person({ roles: [role] }));
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
