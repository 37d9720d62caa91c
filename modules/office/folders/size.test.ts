import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { folders } from './contract.ts';

// Making 5,000 people and 1,000 papers takes half a minute: run with NIGHTLY=1.
const people = 5000;
const papers = 1000;
/** Limits in milliseconds. `list` has 20 rows; `home` is five of them and the tree; `managed` adds reading rates. */
const aims = { list: 20, badge: 20, home: 60, managed: 60 };
const nightly = process.env['NIGHTLY'] === '1';

let app: TestOffice;
let reader: Client;
let manager: Client;
beforeAll(async () => {
  app = await openTestApp();
  if (!nightly) return;
  const top = await app.dept('学校');
  const depts = await Promise.all(Array.from({ length: 40 }, (_, i) => app.dept(`部门${i}`, top)));
  reader = await app.clerk({ 'folder/index': ['Retrieve'] }, { dept: depts[0]!, dataScope: 5 });
  manager = await app.clerk({ 'folder/papers': ['Retrieve', 'Update'] }, { dept: top });
  await app.services.databases.write((tx) => fill(tx as never, depts));
  await app.services.databases.pool.query('analyze');
}, 180_000);
afterAll(() => app.close());

/** Half of the papers are for everybody, the rest for one to three departments; a third have many readers. */
async function fill(tx: { execute(query: unknown): Promise<unknown> }, depts: readonly number[]): Promise<void> {
  const one = sql`(${sql.param([...depts])}::int[])`;
  await tx.execute(sql`insert into app_user (username, password, alias, dept_id)
    select 'crowd' || i, '', '人' || i, ${one}[1 + i % ${depts.length}::int] from generate_series(1, ${people}::int) i`);
  await tx.execute(sql`insert into folder_paper (creator_id, title, category_id, dept_id, publish_date, status, audience, must_read, content)
    select 1, '制度 ' || i, (select min(id) from folder_category), ${one}[1 + i % ${depts.length}::int],
      date '2020-01-01' + i, 1, case when i % 2 = 0 then '{a0}' else array(
        select distinct 'd' || ${one}[1 + (i + k * 7) % ${depts.length}::int] from generate_series(1, 1 + i % 3) k) end,
      i % 5 = 0, repeat('条文。', 300) from generate_series(1, ${papers}::int) i`);
  await tx.execute(sql`insert into folder_read (user_id, paper_id, version_no, confirmed_at)
    select u.id, p.id, 1, now() from folder_paper p join app_user u on u.username like 'crowd%' and (u.id + p.id) % 3 = 0
    where p.id > (select max(id) - 120 from folder_paper)`);
  await tx.execute(sql`update folder_paper p set read_count = r.c, confirm_count = r.c
    from (select paper_id, count(*) c from folder_read group by 1) r where r.paper_id = p.id`);
}

async function median(work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let turn = -3; turn < 15; turn += 1) {
    const started = performance.now();
    await work();
    if (turn >= 0) taken.push(performance.now() - started);
  }
  return taken.toSorted((a, b) => a - b)[7]!;
}

test.runIf(nightly)(
  'with 5,000 people and 1,000 papers a list, the badge, the home page and the list with reading rates keep their aims',
  async () => {
    const query = { per_page: 20 };
    const found = {
      list: await median(() => reader.get(folders.papers, { query })),
      badge: await median(() => reader.get(folders.papers, { query: { to_confirm: true, per_page: 1 } })),
      home: await median(() => reader.get(folders.index)),
      managed: await median(() => manager.get(folders.papers, { query: { ...query, managed: true } })),
    };
    console.log(found);
    expect(found.list, 'list').toBeLessThan(aims.list);
    expect(found.badge, 'badge').toBeLessThan(aims.badge);
    expect(found.home, 'home').toBeLessThan(aims.home);
    expect(found.managed, 'managed').toBeLessThan(aims.managed);
  },
);
