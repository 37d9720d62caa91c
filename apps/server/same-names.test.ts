import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { roleCalls } from '#modules/platform/access/contract/roles.ts';
import { depts } from '#modules/platform/people/contract/depts.ts';
import { userGroups } from '#modules/workflow/workflows/contract/groups.ts';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp();
});
afterAll(() => app.close());

/** Pairs of names that look the same: radicals as in PDF files, brackets and letters of another width, invisible characters. */
const pairs = [
  ['用户处', '⽤⼾处'],
  ['办公室（一）', '办公室(一)'],
  ['Ａ组', 'a组'],
  ['人事处', '人事\u200b 处'],
] as const;

/** Constraints on names of programs, on the shifts of a roster, and on the words of one photo: people never type these names. */
const otherNames = ['job_run_pkey', 'migration_pkey', 'duty_shift_once', 'photo_tag_photo_id_kind_name_pk'];

test('no unique index compares names as typed, so that names that look the same count as the same', async () => {
  const { rows } = await app.db.execute<{ index: string; part: string; column: string }>(sql`
    select c.relname as index, pg_get_indexdef(i.indexrelid, n, true) as part, a.attname as column
    from pg_index i
    join pg_class c on c.oid = i.indexrelid
    join pg_class t on t.oid = i.indrelid and t.relnamespace = 'public'::regnamespace
    cross join generate_series(1, i.indnkeyatts) n
    join pg_attribute a on a.attrelid = i.indrelid and a.attname ~ '(^|_)name$'
      and a.attname !~ '^(plain_name|username)$'
      and (pg_get_indexdef(i.indexrelid, n, true) ~ ('\\m' || a.attname || '\\M'))
    where i.indisunique and c.relname <> all(${sql.param([...otherNames])}::text[]) order by 1`);
  expect(rows.length).toBeGreaterThan(15);
  const apart: string[] = [];
  for (const { index, part, column } of rows)
    for (const [one, other] of pairs) {
      const named = sql`(values (${one}::varchar), (${other}::varchar)) as names (${sql.identifier(column)})`;
      // oxlint-disable-next-line eslint/no-restricted-properties -- an expression of the catalogue
      const { rows: told } = await app.db.execute(sql`select distinct ${sql.raw(part)} from ${named}`);
      if (told.length > 1) apart.push(`${index}: ${one} and ${other}`);
    }
  expect(apart).toEqual([]);
});

test('naming a department, a role or a group like an existing one is refused with that name', async () => {
  for (const [one, other] of pairs) {
    const parent = await app.dept();
    const dept = (name: string) => app.admin.ask(depts.create, { body: { name, parent } });
    expect((await dept(one)).code).toBe(0);
    expect(await dept(other)).toMatchObject({ code: -1, msg: expect.stringContaining(other.replace('\u200b', '')) });
    const role = (name: string, code: string) =>
      app.admin.ask(roleCalls.addRole, { body: { name, code, data_scope: 5 } as never });
    const code = `same_${pairs.findIndex(([first]) => first === one)}`;
    expect((await role(one, `${code}_a`)).code).toBe(0);
    expect((await role(other, `${code}_b`)).code).not.toBe(0);
    const group = (name: string) => app.admin.ask(userGroups.add, { body: { name, people: [] } });
    expect((await group(one)).code).toBe(0);
    expect((await group(other)).code).not.toBe(0);
  }
});
