import { existsSync, globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '..');
const away = new Set(['node_modules', 'dist', 'data', '.cache', 'test-results', '.git']);
const pages = globSync('**/*.md', { cwd: root, exclude: (name) => away.has(name) }).map((file) => ({
  file,
  text: readFileSync(join(root, file), 'utf8'),
}));

/** Text in code spans and blocks contains no links. */
const withoutCode = (text: string) => text.replace(/^```[\s\S]*?^```/gm, '').replace(/`[^`\n]*`/g, '');
/** The targets of a page's links inside the repository, without fragments. */
const linksOf = (text: string) =>
  [...withoutCode(text).matchAll(/\]\(<?([^)\s>]+)>?(?:\s+"[^"]*")?\)/g)]
    .map(([, target]) => target!.split('#')[0]!)
    .filter((target) => target !== '' && !/^[a-z][a-z\d+.-]*:/i.test(target));

test('every relative link in a Markdown file leads to an existing file', () => {
  expect(linksOf('[a](b.md#c) ![d](<e.png>) [f](https://g.h) [i](#j) `[k](l.md)`')).toEqual(['b.md', 'e.png']);
  const lost = pages.flatMap(({ file, text }) =>
    linksOf(text).flatMap((target) =>
      existsSync(join(root, dirname(file), decodeURIComponent(target))) ? [] : [`${file} → ${target}`],
    ),
  );
  expect(pages.flatMap(({ text }) => linksOf(text)).length).toBeGreaterThan(100);
  expect(lost).toEqual([]);
});

test('every npm command in a Markdown file exists in package.json', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };
  const unknown = pages.flatMap(({ file, text }) =>
    [...text.matchAll(/\bnpm run ([\w-]+)/g)].flatMap(([, name]) =>
      Object.hasOwn(scripts, name!) ? [] : [`${file}: npm run ${name}`],
    ),
  );
  expect(unknown).toEqual([]);
});

test('the README, the contributors’ guide and the architecture link to each other', () => {
  const leads = (file: string) => linksOf(pages.find((page) => page.file === file)!.text);
  expect(leads('README.md')).toEqual(expect.arrayContaining(['README.en.md', 'CONTRIBUTING.md', 'CHANGELOG.md']));
  expect(leads('README.en.md')).toEqual(expect.arrayContaining(['README.md', 'CONTRIBUTING.md']));
  expect(leads('CONTRIBUTING.md')).toEqual(expect.arrayContaining(['docs/architecture.md', 'docs/first-module.md']));
});

test('the walk through the module to copy names every file of it, and no file that it does not have', () => {
  const { text } = pages.find(({ file }) => file === 'docs/first-module.md')!;
  const model = join(root, 'modules/services/keys');
  const files = globSync('**/*.{ts,tsx}', { cwd: model }).map((file) => file.replaceAll('\\', '/'));
  expect(files.length).toBeGreaterThan(15);
  const walk = text.slice(text.indexOf('## Write it'), text.indexOf('## Touch elsewhere'));
  const named = [...walk.matchAll(/`([\w/.-]+)`/g)].map(([, name]) => name!);
  const isNamed = (file: string) =>
    named.includes(file) || named.some((name) => name.endsWith('/') && file.startsWith(name));
  expect(files.filter((file) => !isNamed(file))).toEqual([]);
  const own = [...walk.matchAll(/^\d+\. \*\*(.+?)\*\*/gm)].flatMap(([, head]) => [...head!.matchAll(/`([^`]+)`/g)]);
  expect(own.map(([, name]) => name!).filter((name) => !existsSync(join(model, name)))).toEqual([]);
});
