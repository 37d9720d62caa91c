import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { counted } from '#apps/server/testing/counted.ts';
import { openTestApp, type TestOffice } from '#apps/server/testing.ts';
import { savepoint } from '#kernel/server/db/db.ts';
import { numberLast, numberOf, withNumbers } from '#kernel/server/db/numbering.ts';
import { superviseTable } from '#modules/office/supervision/tables.ts';
import { tickets } from './contract.ts';
import { form, repairCast, submit } from './testing/repair.ts';

const many = 200;

let app: TestOffice;
let cast: Awaited<ReturnType<typeof repairCast>>;
beforeAll(async () => {
  app = await openTestApp();
  cast = await repairCast(app);
}, 180_000);
afterAll(() => app.close());

const row = async (id: number) =>
  (
    await app.db.$client.query<{ sn: string; found: boolean }>(
      `select sn, search @@ ('''' || lower(sn) || '''')::tsquery and search @@ ('''' || right(sn, 4) || '''')::tsquery as found from ticket where id = $1`,
      [id],
    )
  ).rows[0]!;

test(
  'two hundred tickets created at once are numbered without a gap, and each shows its own number everywhere',
  { timeout: 300_000 },
  async () => {
    const started = performance.now();
    const begun = await Promise.all(Array.from({ length: many }, () => cast.begin()));
    const milliseconds = Math.round(performance.now() - started);
    process.stdout.write(`${many} tickets at once: ${milliseconds} ms\n`);
    const numbers = begun.map(({ sn }) => Number(sn.slice(-4))).toSorted((a, b) => a - b);
    expect(numbers).toEqual(Array.from({ length: many }, (_, at) => numbers[0]! + at));
    const of = begun[7]!;
    expect(await row(of.id)).toEqual({ sn: of.sn, found: true });
    const { rows: told } = await app.db.$client.query(
      `select content from msg where module = 'tickets' and object_id = $1`,
      [of.id],
    );
    expect(told.length).toBeGreaterThan(0);
    for (const { content } of told) expect(content).toContain(of.sn);
    const { rows: noted } = await app.db.$client.query(
      `select title from log where object_type = '工单' and object_id = $1`,
      [String(of.id)],
    );
    expect(noted.map(({ title }) => title)).toEqual([expect.stringContaining(of.sn)]);
  },
);

test('a new ticket runs only three statements between taking its number and its commit', async ({ skip }) => {
  skip(process.env['NODES'] !== undefined, 'counted in this process');
  const asked = await counted(cast.staff, () => cast.begin());
  const at = asked.findIndex((one) => one.startsWith('with there as'));
  expect(asked.slice(at + 1), JSON.stringify(asked, null, 1)).toEqual([
    expect.stringMatching(/^with "also_0" as \(update msg/),
    expect.stringMatching(/^insert into "log"/),
    expect.stringMatching(/^with said as/),
    'commit',
  ]);
});

test('a repeated submission gets the same number, and a refused one leaves no gap', async () => {
  const body = { workflow_id: cast.repair, transition_id: submit, ...form };
  const key = { 'idempotency-key': randomUUID() };
  const answers = [
    await cast.staff.ask(tickets.start, { body }, key),
    await cast.staff.ask(tickets.start, { body }, key),
  ];
  expect(answers[1]!.data).toEqual(answers[0]!.data);
  const refused = await cast.staff.ask(tickets.start, { body: { ...body, urgency: 'none such' } });
  expect(refused.code).not.toBe(0);
  const next = await cast.begin();
  expect(Number(next.sn.slice(-4))).toBe(Number(answers[0]!.data.sn.slice(-4)) + 1);
});

test('a rolled back savepoint uses no number, and code that reads the number before the commit gets the real one', async () => {
  const { databases } = app.services;
  const record = { prefix: 'DB', period: '2031', digits: 4, table: superviseTable, search: () => '' };
  const item = (sn: string) => ({
    sn,
    title: sn,
    source: 1,
    status: 0,
    supervisor: cast.staff.userId,
    creator_id: cast.staff.userId,
  });
  const [kept, said] = await databases.write(async (tx) => {
    const insert = async () => {
      const sn = numberLast(tx, record);
      await tx.insert(superviseTable).values(item(sn) as never);
      return sn;
    };
    await savepoint(tx, async () => {
      await insert();
      throw new Error('not this one');
    }).catch(() => undefined);
    const [first, second] = [await insert(), await insert()];
    const known = await numberOf(tx, first);
    return [await withNumbers(tx, { words: [first, second, `见 ${first}`] }), known] as const;
  });
  expect(said).toBe('DB20310001');
  expect(kept.words).toEqual(['DB20310001', 'DB20310002', '见 DB20310001']);
  const { rows } = await app.db.$client.query(`select sn from supervise where sn like 'DB2031%' order by sn`);
  expect(rows.map(({ sn }) => sn)).toEqual(['DB20310001', 'DB20310002']);
});
