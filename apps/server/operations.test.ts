import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { configTable, readConfig } from '#kernel/server/process/config.ts';

const root = join(import.meta.dirname, '..', '..');
const read = (...path: string[]) => readFileSync(join(root, ...path), 'utf8');
const handbook = read('docs', 'operations.md');

test('each environment variable has its row in the handbook, and no other has one', () => {
  const rows = [...handbook.matchAll(/^\| `([A-Z\d_]+)` +\| (.+?) +\|/gm)].map(([, name, means]) => ({ name, means }));
  const known = configTable(readConfig({})).map(({ name, means }) => ({ name, means }));
  expect(rows.toSorted((a, b) => a.name!.localeCompare(b.name!))).toEqual(
    known.toSorted((a, b) => a.name.localeCompare(b.name)),
  );
});

test('every command and file that the handbook names exists', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const commands = [...handbook.matchAll(/npm (?:run )?([a-z-]+)/g)].map(([, name]) => name!);
  expect(commands.filter((name) => !(name in scripts) && name !== 'start')).toEqual([]);
  const files = [...handbook.matchAll(/(?:deploy|apps)\/[\w./-]*\w/g)].map(([path]) => path);
  expect(files.filter((path) => !existsSync(join(root, path)) && path !== 'deploy/.env')).toEqual([]);
});

const section = (title: string) => handbook.split(/^## /m).find((part) => part.startsWith(`${title}\n`))!;

test('no documented command copies a whole server as the product’s role, which may not do so', () => {
  const copies = [...handbook.matchAll(/pg_basebackup (.*)/g)].map(([, rest]) => rest!);
  expect(copies).toHaveLength(2);
  for (const rest of copies) expect(rest).toMatch(/^--dbname="postgres:\/\/有复制权限的账号:口令@/);
});

test('the handbook does not migrate the embedded database beside its running server', () => {
  expect(section('升级')).not.toContain('npm run migrate');
  expect(section('升级')).toMatch(/停下服务[^]*git pull && npm start/);
});

test('without containers the documented commands use the service’s account and environment', () => {
  const unit = read('deploy', 'gongdan.service');
  const wrapper = read('deploy', 'gongdan.sh');
  const set = (name: string) => unit.match(new RegExp(`^${name}=(.+)$`, 'm'))![1]!;
  expect(wrapper).toContain(`--uid=${set('User')} `);
  expect(wrapper).toContain(`-p WorkingDirectory=${set('WorkingDirectory')} `);
  expect(wrapper).toContain(`-p EnvironmentFile=${set('EnvironmentFile')} `);
  for (const pair of set('Environment').split(' ')) expect(wrapper).toContain(`-E ${pair} `);
  expect(wrapper).toContain(`${set('ExecStart').replace(/ start$/, '')} "$@"`);
  expect(unit).toContain('deploy/gongdan.sh /usr/local/sbin/gongdan');
  // The handbook also shows each command that reads the embedded database or the secret in this way.
  for (const [title, command] of [
    ['备份', 'gongdan backup '],
    ['恢复', 'gongdan restore '],
    ['校验', 'gongdan verify'],
    ['会话密钥', 'gongdan forget-secret'],
  ] as const)
    expect(section(title), title).toContain(command);
});

test('the deployment files set only variables that the product knows', () => {
  const known = new Set(configTable(readConfig({})).map(({ name }) => name));
  const set = [
    ...read('deploy', 'compose.yaml')
      .split('services:')[0]!
      .matchAll(/^ {4}([A-Z_]+):/gm),
  ].map(([, name]) => name!);
  expect(set.length).toBeGreaterThan(4);
  expect(set.filter((name) => !known.has(name))).toEqual([]);
});

test('every file and test named in the tables of security, rules and specification exists', () => {
  for (const name of ['security.md', 'document-rules.md', 'desk.md', 'specification.md']) {
    const said = read('docs', name);
    const paths = [...said.matchAll(/`((?:kernel|modules|apps|docs|deploy|e2e)\/[\w./-]*\w)`/g)].map(
      ([, path]) => path!,
    );
    expect(paths.length, name).toBeGreaterThan(10);
    expect(
      paths.filter((path) => !existsSync(join(root, path))),
      name,
    ).toEqual([]);
  }
  for (const name of ['document-rules.md', 'desk.md', 'specification.md'])
    for (const [, path, titles] of read('docs', name).matchAll(
      /`((?:kernel|modules|apps|e2e)\/[\w./-]+)`：((?:`[^`]+`(?!：)；?)+)/g,
    ))
      for (const [, title] of titles!.matchAll(/`([^`]+)`/g)) expect(read(path!), title).toContain(`'${title}'`);
});

test('each expected feature of the desk is complete with its test, or says what it lacks', () => {
  const rows = read('docs', 'desk.md')
    .split('\n')
    .flatMap((line) => {
      const [, number, , state, said] = line.split('|').map((cell) => cell.trim());
      return /^\d+$/.test(number ?? '') ? [{ number: Number(number), state, said: said ?? '' }] : [];
    });
  expect(rows.map(({ number }) => number)).toEqual(Array.from({ length: 28 }, (_none, at) => at + 1));
  for (const { number, state, said } of rows) {
    expect(['完整', '部分', '没有'], String(number)).toContain(state);
    if (state !== '没有') expect(said, String(number)).toMatch(/`[\w./-]+\.(?:test|spec)\.tsx?`/);
    // The row has words besides the tests.
    if (state !== '完整') expect(said.replaceAll(/`[^`]+`/g, '').length, String(number)).toBeGreaterThan(10);
  }
});

test('each statement of the specification has a test, or says what it lacks', () => {
  const rows = read('docs', 'specification.md')
    .split('\n')
    .flatMap((line) => {
      const [, at, what, state, said] = line.split('|').map((cell) => cell.trim());
      return /^\d+$/.test(at ?? '') ? [{ at: Number(at), what: what ?? '', state: state ?? '', said: said ?? '' }] : [];
    });
  expect(rows.length).toBeGreaterThan(500);
  for (const { at, what, state, said } of rows) {
    expect(state, what).toMatch(/^(?:成立|需要外部服务|部分|无测试|按决定 \[\d{4}\]\(decisions\/[\w-]+\.md\))$/);
    if (state !== '无测试') expect(said, what).toMatch(/`[\w./-]+\.(?:test|spec)\.tsx?`：`/);
    if (['部分', '无测试'].includes(state)) expect(said.replaceAll(/`[^`]+`/g, '').length, what).toBeGreaterThan(5);
    expect(at, what).toBeLessThan(228);
  }
});
