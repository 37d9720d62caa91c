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

/** The names in the cards of a person, or of those whom a ticket waits for. */
const cards = ['alias', 'participant_alias'];
const partsOf = (field: Json): Json => (((field['items'] as Json | undefined) ?? field)['properties'] as Json) ?? {};
/** The texts of a field as its column shows it: of people each one's name. */
function textsOf(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  return (Array.isArray(value) ? (value as unknown[]) : [value]).flatMap((one) => {
    const card = one && typeof one === 'object' ? (one as Json) : {};
    const called = cards.map((key) => card[key]).find((name) => typeof name === 'string');
    return String(called ?? '').split('、');
  });
}

/** The texts that a list's columns show: fields of its row that are called something and hold words, or people. */
function columnsOf({ call }: Mounted): string[] {
  if (typeof call.reply === 'symbol') return [];
  const reply = wireSchema(call.reply);
  const rows = (reply['properties'] as Json | undefined)?.['value'] ?? reply;
  const fields = ((rows as Json)['items'] as Json | undefined)?.['properties'] ?? {};
  return Object.entries(fields as Record<string, Json>).flatMap(([name, field]) => {
    const kinds = [field, ...((field['anyOf'] as Json[] | undefined) ?? [])];
    const isText = kinds.some(({ type, enum: words }) => type === 'string' && words === undefined);
    const isPerson = kinds.some((kind) => cards.some((card) => card in partsOf(kind)));
    return field['title'] !== undefined && (isText || isPerson) ? name : [];
  });
}
/** Columns that are chosen by a filter of the list, or say the same of most rows (decision 0281). */
const chosen =
  /^(?:act_state_name|state_name|doc_kind_name|module_name|level_name|doc_type_name|category_name|(?:\w+_)?dept_name|office_name|room_name|team_name|scope_name|template_name|floor|kind|module|device|ip|camera)$/;
/** Fields by which nobody looks for a row: reasons, remarks, answers of providers, texts of a page and masked numbers. */
const beside =
  /^(?:phone|email|rules_text|note|reason|standing_reason|content|topic|what|source_path|last_number|key|mobile|target|provider_msg|answer)$/;
const isAsked = (name: string) => ![chosen, beside].some((which) => which.test(name));

/** A moment or a day: those are what filters are for. */
const isTime = (text: string) => /^\d{4}-\d\d|^\d\d:\d\d/.test(text);

test('a searchable list finds nothing for a word that stands nowhere', async () => {
  const deaf: string[] = [];
  await each(lists, async (one) => {
    const rows = await rowsOf(one, '鬱鱻龘');
    if (rows && rows.length > 0) deaf.push(named(one));
  });
  expect(lists.length).toBeGreaterThan(40);
  expect(deaf).toEqual([]);
});

/** The different texts of a column that are asked for. */
const mostWords = 4;

test('a list finds a row by each name and number that the row shows, including people', async () => {
  const missed: string[] = [];
  let tried = 0;
  await each(lists, async (one) => {
    for (const name of new Set([...names, ...columnsOf(one).filter(isAsked)])) {
      const shown = ((await rowsOf(one)) ?? []).flatMap((row) => textsOf(row[name]).map((text) => ({ row, text })));
      // A longer text exceeds the limit of a search; a single character is no word to search for.
      const words = shown.filter(({ text }) => text.length >= 2 && text.length <= 60 && !isTime(text));
      for (const [text, rows] of [...Map.groupBy(words, (word) => word.text)].slice(0, mostWords)) {
        const { row } = rows[0]!;
        tried += 1;
        const found = await rowsOf(one, text);
        if (!found?.some((other) => idOf(other) === idOf(row))) missed.push(`${named(one)} ${name}: ${text}`);
      }
    }
  });
  expect(tried).toBeGreaterThan(60);
  expect(missed).toEqual([]);
});
