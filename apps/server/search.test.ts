import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { isWholeList } from '#kernel/server/list/whole-list.ts';
import type { Mounted } from '#kernel/server/http/implement.ts';
import { wireSchema, type Json } from '#kernel/server/testing/sample.ts';
import type { TestOffice } from './testing.ts';
import { each, named } from './testing/asking.ts';
import { openWalk, unlimited } from './testing/walk.ts';

vi.setConfig({ testTimeout: unlimited, hookTimeout: unlimited });

let app: TestOffice;
let lists: Mounted[];
beforeAll(async () => {
  const walk = await openWalk({ demonstration: true });
  app = walk.app;
  lists = walk.mounted.filter(
    ({ call }) =>
      call.method === 'GET' && !call.path.includes('{') && ('search_value' in queryOf(call) || isWholeList(call)),
  );
});
afterAll(() => app.close());

const queryOf = ({ query }: Mounted['call']) => (query ? ((wireSchema(query)['properties'] ?? {}) as Json) : {});

/** The rows of a list, whichever of the two shapes its reply has. */
async function rowsOf({ call }: Mounted, search_value = ''): Promise<Json[] | null> {
  const paged = 'per_page' in queryOf(call) ? '&per_page=100' : '';
  const { bytes } = await app.admin.send(`${call.path}?search_value=${encodeURIComponent(search_value)}${paged}`);
  const { data } = JSON.parse(bytes.toString('utf8')) as { data: { value?: Json[] } | Json[] | null };
  const rows = Array.isArray(data) ? data : data?.value;
  return Array.isArray(rows) ? rows : null;
}
const idOf = (row: Json) => JSON.stringify(row['id'] ?? row['value'] ?? row);

/** The fields with a row's name or number. */
const names = ['title', 'name', 'alias', 'sn', 'stamp_no', 'stamp_name', 'contract_no', 'doc_number', 'customer_name'];

/** The texts that a list's columns show: fields of its row that are called something and hold words. */
function columnsOf({ call }: Mounted): string[] {
  if (typeof call.reply === 'symbol') return [];
  const reply = wireSchema(call.reply);
  const rows = (reply['properties'] as Json | undefined)?.['value'] ?? reply;
  const fields = ((rows as Json)['items'] as Json | undefined)?.['properties'] ?? {};
  return Object.entries(fields as Record<string, Json>).flatMap(([name, field]) => {
    const kinds = [field, ...((field['anyOf'] as Json[] | undefined) ?? [])];
    const isText = kinds.some(({ type, enum: words }) => type === 'string' && words === undefined);
    return field['title'] !== undefined && isText ? name : [];
  });
}
/** Columns that are chosen by a filter of the list, or say the same of most rows. */
const chosen =
  /^(?:act_state_name|state_name|level_name|doc_type_name|category_name|(?:\w+_)?dept_name|office_name|room_name|team_name|scope_name|floor|kind|module|device|ip|camera)$/;
/** People beside a row, who wrote, sent, keep or do it: filters and pages of people find what is theirs. */
const people =
  /^(?:creator|sender|who|handled_by|(?:sender|keeper|handler|contact)_name|(?:handler|undertaker|owner|manager|creator)_alias)$/;
/** Fields by which nobody looks for a row: addresses, reasons, remarks and masked numbers. */
const beside =
  /^(?:phone|email|url|address|rules_text|note|reason|standing_reason|content|topic|what|source_path|last_number|key)$/;
const isAsked = (name: string) => ![chosen, people, beside].some((which) => which.test(name));

/** A moment or a day: those are what filters are for. */
const isTime = (text: string) => /^\d{4}-\d\d|^\d\d:\d\d/.test(text);

test('a list that takes a search finds nothing by what stands nowhere', async () => {
  const deaf: string[] = [];
  await each(lists, async (one) => {
    const rows = await rowsOf(one, '鬱鱻龘');
    if (rows && rows.length > 0) deaf.push(named(one));
  });
  expect(lists.length).toBeGreaterThan(40);
  expect(deaf).toEqual([]);
});

test('a list finds a row by each name and number that the row shows', async () => {
  const missed: string[] = [];
  let tried = 0;
  await each(lists, async (one) => {
    for (const name of new Set([...names, ...columnsOf(one).filter(isAsked)])) {
      const row = (await rowsOf(one))?.find(
        (shown) => typeof shown[name] === 'string' && shown[name] !== '' && !isTime(shown[name]),
      );
      const text = row && String(row[name]);
      // A longer text exceeds the limit of a search; a single character is no word to search for.
      if (!row || !text || text.length > 60 || text.length < 2) continue;
      tried += 1;
      const found = await rowsOf(one, text);
      if (!found?.some((other) => idOf(other) === idOf(row))) missed.push(`${named(one)} ${name}: ${text}`);
    }
  });
  expect(tried).toBeGreaterThan(30);
  expect(missed).toEqual([]);
});
