import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../../..');
const text = readFileSync(join(root, 'docs/workflow.md'), 'utf8');
/** The text below a heading of the document. */
const section = (title: string) => text.split(`\n## ${title}\n`)[1]!.split('\n## ')[0]!;
/** Rows of all tables of a section as cells, without their headings. */
const rows = (part: string) =>
  part
    .split('\n')
    .filter((line) => line.startsWith('|') && !/^\| *-/.test(line))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    )
    .filter((cells) => !cells.includes('Here'));
const claimed = (part: string) => /^(\d+) of (\d+)\.$/m.exec(part)!.slice(1).map(Number);

/** The file that a test name begins with. */
function fileOf(name: string): string | undefined {
  const [first, ...rest] = name.split('/');
  const path =
    first === 'e2e'
      ? `e2e/${rest.join('/')}.spec`
      : `modules/*/${first === 'engine' ? 'tickets/engine' : first}/${rest.join('/')}.test`;
  return globSync([`${path}.ts`, `${path}.tsx`], { cwd: root })[0];
}
const named = (cell: string) => cell.match(/\b(?:engine|tickets|workflows|documents|delegations|e2e)\/[\w/-]+/g) ?? [];

test('each table of workflow patterns counts its supported rows correctly', () => {
  for (const [title, least, all] of [
    ['Control flow', 36, 43],
    ['People', 26, 28],
    ['Verbs and options of other products', 100, 119],
  ] as const) {
    const part = section(title);
    const here = rows(part);
    const [yes, total] = claimed(part);
    expect([yes, total], title).toEqual([here.filter((cells) => cells.at(-2) === 'yes').length, here.length]);
    expect(yes, title).toBeGreaterThanOrEqual(least);
    if (title !== 'People') expect(total, title).toBe(all);
  }
});

test('each supported workflow pattern names an existing test, and each other pattern gives a reason', () => {
  for (const title of ['Control flow', 'People', 'Verbs and options of other products'])
    for (const cells of rows(section(title))) {
      const [shown, said] = [cells.at(-1) ?? '', cells.at(-2)];
      if (said !== 'yes') expect(shown.length, cells[0]).toBeGreaterThan(3);
      else expect(named(shown).length, cells.join(' ')).toBeGreaterThan(0);
      for (const name of said === 'yes' ? named(shown) : []) expect(fileOf(name), `${cells[0]}: ${name}`).toBeDefined();
    }
});

test('each of the 105 verbs is whole with tests that exist, or says what it lacks', () => {
  const part = section('105 verbs and options, one by one');
  const verbs = rows(part).filter(([number]) => /^\d+$/.test(number ?? ''));
  expect(verbs.map(([number]) => Number(number))).toEqual(Array.from({ length: 105 }, (_none, at) => at + 1));
  const states = ['whole', 'partly', 'absent'];
  for (const [number, , state = '', said = ''] of verbs) {
    expect(states, number).toContain(state);
    const tests = [...said.matchAll(/`((?:modules|e2e)\/[\w./-]+)`：((?:`[^`]+`(?!：)；?)+)/g)];
    if (state !== 'absent') expect(tests.length, number).toBeGreaterThan(0);
    if (state !== 'whole') expect(said.replaceAll(/`[^`]+`/g, '').length, number).toBeGreaterThan(10);
    for (const [, path, titles] of tests)
      for (const [, title] of titles!.matchAll(/`([^`]+)`/g))
        expect(readFileSync(join(root, path!), 'utf8'), `${number}: ${title}`).toContain(`'${title}'`);
  }
  const said = /^(\d+) whole, (\d+) partly, (\d+) absent\.$/m.exec(part)!.slice(1).map(Number);
  expect(said).toEqual(states.map((state) => verbs.filter((cells) => cells[2] === state).length));
});
