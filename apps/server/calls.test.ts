import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Call } from '#kernel/contract/call.ts';
import { codes } from '#kernel/contract/refusal.ts';
import type { Mounted } from '#kernel/server/implement.ts';
import { sampleOf, wireSchema, type Json } from '#kernel/server/testing/sample.ts';
import { modulesOf } from './services.ts';
import { ask, each, named, nowhere } from './testing/asking.ts';
import { openTestOffice, type TestOffice } from './testing.ts';

let office: TestOffice;
let mounted: Mounted[];
beforeAll(async () => {
  office = await openTestOffice();
  mounted = modulesOf(office.services).flatMap((module) => [...module.calls]);
});
afterAll(() => office.close());

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
