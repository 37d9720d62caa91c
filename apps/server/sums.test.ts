import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openTestApp, type TestOffice } from './testing.ts';

let app: TestOffice;
beforeAll(async () => {
  app = await openTestApp({ demonstration: true });
}, 480_000);
afterAll(() => app.close());

/** Writes with the application's own role, past all its calls. */
const write = (statement: string) => app.services.databases.pool.query(statement);
const first = (table: string, where: string, key = 'id') =>
  `${key} = (select min(${key}) from ${table} where ${where})`;

/** Values that the database derives from other rows, and statements that would make them differ. */
const refused: readonly (readonly [table: string, statement: string, why: RegExp])[] = [
  [
    'document',
    `update document set doc_number = '校发〔2020〕999号' where ${first('document', "doc_kind = 1 and doc_number <> ''")}`,
    /keeps the number/,
  ],
  [
    'document',
    `update document set doc_number = '校发〔2020〕999号' where ${first('document', "doc_kind = 1 and doc_number = ''")}`,
    /keeps the number/,
  ],
  [
    'supervise',
    `update supervise set progress = progress + 1 where ${first('supervise', 'status in (1, 2)')}`,
    /not what its parts make/,
  ],
  [
    'stamp_slot',
    `update stamp_slot set taken = taken - 1 where ctid = (select min(ctid) from stamp_slot where taken > 0)`,
    /not those that lines have/,
  ],
  [
    'stamp_slot',
    `update stamp_line set reserved = false where ${first('stamp_line', 'reserved and day is not null')}`,
    /not those that lines have/,
  ],
  ['file_usage', 'update file_usage set bytes = bytes - 1 where id = 0', /follows from the rows/],
  ['file_usage', 'insert into file_usage (id, bytes) values (2147483647, 7)', /follows from the rows/],
  [
    'customer',
    `update customer set last_contact_at = now() where ${first('customer', 'not is_deleted')}`,
    /follows from the rows/,
  ],
  [
    'ticket_task',
    `update ticket_task set ticket_deleted = not ticket_deleted where no = 1 and ${first('ticket_task', 'no = 1', 'ticket_id')}`,
    /follows from the rows/,
  ],
  ['contract', `update contract set paid = paid + 1 where ${first('contract', 'paid > 0')}`, /not what its entries/],
  [
    'contract_performance',
    `update contract_performance set done_amount = done_amount - 1 where ${first('contract_performance', 'done_amount > 1')}`,
    /not what its entries/,
  ],
];
/** Triggers that are no sums: actions that follow from another action. */
const acts = new Set(['sms_log', 'duty_swap', 'duty_person', 'monitor', 'ticket_event']);

describe('what is kept beside the rows that it comes from', () => {
  test.each(refused)('is written in %s by nobody past them: %s', async (_table, statement, why) => {
    await expect(write(statement)).rejects.toThrow(why);
  });

  test('follows a part that is written past its call: the percent of an item under supervision', async () => {
    const { rows } = await write(
      `select s.id, i.id as item, i.progress from supervise_sub s join supervise i on i.id = s.supervise_id
        where i.status = 1 and s.status = 1 and s.progress < 50 order by s.id limit 1`,
    );
    const [part] = rows as { id: number; item: number; progress: number }[];
    await write(`update supervise_sub set progress = 99, weight = 100 where id = ${part!.id}`);
    const { rows: after } =
      await write(`select i.progress, (select round(sum(s.weight * s.progress) * 1.0 / sum(s.weight))
      from supervise_sub s where s.supervise_id = i.id and s.status <> 5)::int reckoned from supervise i where i.id = ${part!.item}`);
    const [item] = after as { progress: number; reckoned: number }[];
    expect(item!.progress).toBe(item!.reckoned);
    expect(item!.progress).not.toBe(part!.progress);
  });

  test('is tried here in every table that a trigger of the database writes', async () => {
    const { rows } = await write(
      `select distinct p.prosrc as text from pg_trigger t join pg_proc p on p.oid = t.tgfoid
        where not t.tgisinternal and p.pronamespace = 'public'::regnamespace`,
    );
    const written = (rows as { text: string }[]).flatMap(({ text }) =>
      [...text.matchAll(/(?:^|[;\s])(?:update|insert into) (\w+)(?: \w+| as \w+)? (?:set|\()/g)].map(
        ([, table]) => table!,
      ),
    );
    const tried = new Set(refused.map(([table]) => table));
    expect([...new Set(written)].filter((table) => !tried.has(table) && !acts.has(table))).toEqual([]);
    expect(
      [...tried].filter((table) => table !== 'document' && table !== 'stamp_slot' && !written.includes(table)),
    ).toEqual([]);
    expect([...acts].filter((table) => !written.includes(table))).toEqual([]);
  });
});
