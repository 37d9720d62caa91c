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
