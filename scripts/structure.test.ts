import { format } from 'oxfmt';
import { expect, test } from 'vitest';
import {
  bareCodes,
  clausesIn,
  crowded,
  forcedTypes,
  guessesDays,
  misnamed,
  mostInFolder,
  retiredChineseIn,
  retiredIn,
  tableOf,
  unwrappedParts,
  typesZone,
  untrue,
  uploadsUnheld,
  withTable,
} from './structure.ts';

test('a folder with more files than it may hold is named; tests and folders below do not count', () => {
  const full = Array.from({ length: mostInFolder }, (_none, at) => `modules/a/file${at}.ts`);
  expect(crowded([...full, 'modules/a/a.test.ts', 'modules/a/web/Page.tsx'])).toEqual([]);
  expect(crowded([...full, 'modules/a/more.ts'])).toEqual([{ folder: 'modules/a', files: mostInFolder + 1 }]);
});

test('a comment that begins as a clause without a subject is named; a sentence and a question are not', () => {
  const clause = ['/', '/ What comes of it.'].join('');
  expect(clausesIn(`call();\n${clause}\nother(); ${clause}`)).toEqual([clause, clause]);
  expect(clausesIn(`/${'**'} Whoever is asked. */`)).toHaveLength(1);
  expect(clausesIn('// The people who are asked.\n/** Returns what is left. */\n// What if nobody is left?')).toEqual(
    [],
  );
});

test('a file that uses the day of the week is named, unless a reason is listed', () => {
  for (const text of [
    'day.getUTCDay()',
    'new Date().getDay() % 6',
    'sql`extract(isodow from d)`',
    'weekdayOf(day) < 6',
  ])
    expect([text, guessesDays('modules/a/rules.ts', text)]).toEqual([text, true]);
  expect(guessesDays('modules/a/rules.ts', '// getUTCDay() says nothing of holidays\ncalendar.works(day)')).toBe(false);
  expect(guessesDays('modules/platform/calendars/service.ts', 'weekdayOf(day)')).toBe(false);
});

test('a comparison of a state or kind with a bare number is named, in code, SQL and the query builder', () => {
  for (const line of [
    'if (row.act_state === 4) return;',
    "const agrees = values['act_state'] !== 0;",
    'const open = one.state! < 2 || 3 === one.type_id;',
    'sql`select id from meet where act_state = 4`',
    'sql`${t.activity_status} in (0, 1)`',
    'sql`m.meet_status not in (2, 3) and kind between 1 and 2`',
    'sql`case ${t.state} when 1 then 2 end`',
    'where: and(eq(t.seal_status, 3), inArray(lineTable.state, [1, 2]))',
    'const held = [4, 6].includes(row.act_state);',
  ])
    expect(bareCodes('modules/a/record.ts', `  ${line}\n`)).toEqual([line]);
});

test('named codes, comments, other numbers and HTTP statuses are not reported as bare numbers', () => {
  const text = [
    '// act_state = 4 is finished',
    'if (row.act_state === actState.finished && row.states > 2) return;',
    'sql`${t.state} = ${inSql(lineState.out)} and t.copies = 3`',
    'const news = { type: 4, state: 1 };',
    'type Verdict = 0 | 1;',
    'const kinds = 3;',
    'if (status === 413 || [502, 503].includes(error.status)) return;',
  ];
  expect(bareCodes('modules/a/record.ts', text.join('\n'))).toEqual([]);
});

test('a value that is forced into a type is named, in the program and in a page; a plain cast, a comment and the one file with a reason are not', () => {
  const [never, twice] = [['row', 'as never'].join(' '), ['row as', 'unknown as Row'].join(' ')];
  for (const line of [`send(call, { body: ${never} });`, `const one = ${twice};`])
    expect([line, forcedTypes('modules/a/record.ts', `  ${line}\n`)]).toEqual([line, [line]]);
  expect(forcedTypes('modules/a/Page.tsx', `// ${never}\nconst one = row as Row;\n`)).toEqual([]);
  expect(forcedTypes('kernel/server/generic.ts', `const one = ${never};`)).toEqual([]);
});

test('a file that names the time zone is reported, except in comments and in the one file that defines it', () => {
  for (const text of [
    "{ timeZone: 'Asia/Shanghai' }",
    'Date.parse(`${day}T00:00:00+08:00`)',
    "now() at time zone 'Asia/Shanghai'",
  ])
    expect([text, typesZone('modules/a/rules.ts', text)]).toEqual([text, true]);
  expect(typesZone('modules/a/rules.ts', '/** Days are those of Asia/Shanghai. */\nmomentOf(text)')).toBe(false);
  expect(typesZone('kernel/contract/moment.ts', "const offset = '+08:00';")).toBe(false);
});

test('a file that runs an upload by itself is named, except in the module of files and where a reason is listed', () => {
  const text = 'const card = await createTransfer(photo, module).run();';
  expect(uploadsUnheld('modules/office/stamps/web/desk/DeskCase.tsx', text)).toBe(true);
  expect(uploadsUnheld('modules/office/a/web/Page.tsx', `// ${text}\nupload(photo);`)).toBe(false);
  expect(uploadsUnheld('modules/platform/files/web/useUpload.ts', text)).toBe(false);
  expect(uploadsUnheld('modules/services/photos/web/upload/queue.ts', text)).toBe(false);
});

test('a page with the library’s own pages of a table or number field is named, except the parts of the kit that mend them', () => {
  const own = ['<Table pagination=', '{{ pageSize: 10 }} />'].join('');
  const imported = ['import { App, Pagi', "nation } from 'antd';"].join('');
  const number = ['import { Input', "Number } from 'antd';"].join('');
  for (const [text, part] of [
    [own, 'kernel/web/kit/list/Pager.tsx'],
    [imported, 'kernel/web/kit/list/Pager.tsx'],
    [number, 'kernel/web/kit/form/NumberInput.tsx'],
  ] as const) {
    expect(unwrappedParts('modules/a/web/Page.tsx', text), text).toEqual([expect.stringContaining(part)]);
    expect(unwrappedParts(part, text)).toEqual([]);
  }
  const mended = '<Table pagination={paged(10)} /><Pager total={3} /><NumberInput min={1} />';
  expect(unwrappedParts('modules/a/web/Page.tsx', mended)).toEqual([]);
});

test('a retired word is named, and a longer word that contains it is not', () => {
  expect(retiredIn('const looker = lookers.find(isLooker); // an indeed hushed deed')).toEqual([
    'looker',
    'lookers',
    'hushed',
    'deed',
  ]);
});

test('a retired word of the interface is named with its replacement, except in comments and longer words', () => {
  expect(retiredChineseIn("const who = '处理人';\nconst again = `原处理人「${name}」`;")).toEqual([
    '“处理人”已不再使用，请写“办理人”',
    '“「”已不再使用，请写“弯引号”',
  ]);
  expect(
    retiredChineseIn("// 处理人\n * 「x」\nconst gone = '时限已经过去'; const list = '给你们'; '条件取反'"),
  ).toEqual([]);
});

test('a module that mounts calls under another name than its folder’s is named', () => {
  expect(
    misnamed('modules/platform/links/server.ts', "implement('links', a, {}); implement(\n  'link',\n  b, {})"),
  ).toEqual(['link']);
  expect(misnamed('kernel/server/http/implement.ts', "implement('any', calls, {})")).toEqual([]);
});

test('the module table is outdated if a module grew, came or went, but not by a few lines', () => {
  const table = '| module | lines |\n| --- | ---: |\n| a | 300 |\n| b | 500 |\n';
  expect(
    untrue(
      table,
      new Map([
        ['a', 420],
        ['b', 380],
      ]),
    ),
  ).toEqual([]);
  expect(
    untrue(
      table,
      new Map([
        ['a', 460],
        ['c', 10],
      ]),
    ),
  ).toEqual(['a', 'c', 'b']);
});

test('a regenerated module table is up to date, formatted, and leaves the surrounding text alone', async () => {
  const lines = new Map([
    ['a', 149],
    ['longer', 12_345],
  ]);
  const text = 'Before.\n\n<!-- modules -->\n\n| module | lines |\n\n<!-- /modules -->\n\nAfter.\n';
  const written = await withTable(text, tableOf(lines));
  expect(untrue(written, lines)).toEqual([]);
  expect(written).toContain('| longer | 12300 |');
  expect((await format('structure.md', written)).code).toBe(written);
  expect([written.startsWith('Before.\n\n<!--'), written.endsWith('-->\n\nAfter.\n')]).toEqual([true, true]);
  expect(await withTable(written, tableOf(lines))).toBe(written);
});
