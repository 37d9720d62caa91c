// The parts of `systemctl` and `systemd-run` that the recipe needs, for a machine without systemd: starts and stops units with the account and
// environment in their files. It restarts nothing by itself.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { basename } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

const kept = '/run/units';

/** The lines of a unit or environment file, by their names; a name may occur several times. */
function readLines(path: string): [string, string][] {
  return readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => /^[A-Za-z_]\w*=/.test(line))
    .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]);
}

interface Unit {
  name: string;
  all(key: string): string[];
  one(key: string): string | undefined;
}
function unitOf(given: string): Unit {
  const name = given.replace(/\.service$/, '');
  const path = ['/etc/systemd/system', '/lib/systemd/system']
    .map((folder) => `${folder}/${name}.service`)
    .find(existsSync);
  if (!path) throw new Error(`Unit ${name}.service not found.`);
  const lines = readLines(path);
  const all = (key: string) =>
    lines
      .filter(([one]) => one === key)
      .map(([, value]) =>
        value.replaceAll('%H', hostname()).replaceAll('%p', name).replaceAll('%n', `${name}.service`),
      );
  return { name, all, one: (key) => all(key).at(-1) };
}

/** The environment of a unit: pairs, then files of pairs; a file marked with a dash may be missing. */
function environmentOf(
  user: string | undefined,
  pairs: readonly string[],
  files: readonly string[],
): NodeJS.ProcessEnv {
  const said = pairs
    .flatMap((line) => line.split(' '))
    .map((pair): [string, string] => {
      const at = pair.indexOf('=');
      return [pair.slice(0, at), pair.slice(at + 1)];
    });
  const read = files.flatMap((file) => {
    const path = file.replace(/^-/, '');
    return file.startsWith('-') && !existsSync(path) ? [] : readLines(path);
  });
  const { PATH, LANG, TZ } = process.env;
  const HOME = spawnSync('getent', ['passwd', user ?? 'root'], { encoding: 'utf8' }).stdout.split(':')[5];
  return { PATH, LANG, TZ, HOME, ...Object.fromEntries([...said, ...read]) };
}

const asUser = (user: string | undefined, command: readonly string[]) =>
  user ? ['setpriv', `--reuid=${user}`, `--regid=${user}`, '--init-groups', '--', ...command] : [...command];

/** The words of a command, with `$NAME` replaced from the environment. */
const wordsOf = (line: string, env: NodeJS.ProcessEnv) =>
  [...line.replace(/^[-+!@]+/, '').matchAll(/"([^"]*)"|'([^']*)'|(\S+)/g)]
    .map(([, double, single, plain]) => double ?? single ?? plain!)
    .flatMap((word) => (/^\$\w+$/.test(word) ? (env[word.slice(1)] ?? '').split(' ').filter(Boolean) : [word]));

const lives = (pid: number) => {
  try {
    process.kill(pid, 0);
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
};
function pidOf(unit: Unit): number | null {
  const path = unit.one('PIDFile') ?? `${kept}/${unit.name}.pid`;
  const pid = existsSync(path) ? Number(readFileSync(path, 'utf8')) : 0;
  return pid > 0 && lives(pid) ? pid : null;
}

function start(unit: Unit): void {
  if (pidOf(unit)) return;
  const env = environmentOf(unit.one('User'), unit.all('Environment'), unit.all('EnvironmentFile'));
  const user = unit.one('User');
  const folder = unit.one('StateDirectory');
  if (folder) spawnSync('install', ['-d', '-o', user ?? 'root', '-m', '0700', `/var/lib/${folder}`]);
  const cwd = unit.one('WorkingDirectory') ?? '/';
  for (const line of [...unit.all('ExecStartPre'), ...(unit.one('Type') === 'forking' ? unit.all('ExecStart') : [])]) {
    const [file, ...args] = asUser(user, wordsOf(line, env));
    const done = spawnSync(file!, args, { env, cwd, stdio: 'inherit' });
    if (done.status !== 0 && !line.startsWith('-')) throw new Error(`${unit.name}: ${line}`);
  }
  if (unit.one('Type') === 'forking') return;
  mkdirSync(kept, { recursive: true });
  const said = openSync(`/var/log/${unit.name}.log`, 'a');
  const [file, ...args] = asUser(user, wordsOf(unit.one('ExecStart')!, env));
  const child = spawn(file!, args, { env, cwd, stdio: ['ignore', said, said], detached: true });
  writeFileSync(`${kept}/${unit.name}.pid`, String(child.pid));
  child.unref();
}

async function stop(unit: Unit): Promise<void> {
  const pid = pidOf(unit);
  if (!pid) return;
  const by = unit.one('ExecStop');
  if (by) {
    const [file, ...args] = wordsOf(by, process.env);
    spawnSync(file!, args, { stdio: 'inherit' });
  } else process.kill(pid, 'SIGTERM');
  for (const until = Date.now() + 90_000; lives(pid); await pause(50))
    if (Date.now() > until) throw new Error(`${unit.name} did not stop`);
  rmSync(`${kept}/${unit.name}.pid`, { force: true });
}

function reload(unit: Unit): void {
  const env = { ...process.env, MAINPID: String(pidOf(unit) ?? '') };
  const [file, ...args] = wordsOf(unit.one('ExecReload')!, env);
  if (spawnSync(file!, args, { env, stdio: 'inherit' }).status !== 0) throw new Error(`${unit.name} did not reload`);
}

async function control(verb: string, options: readonly string[], names: readonly string[]): Promise<number> {
  for (const unit of names.map(unitOf)) {
    const now = options.includes('--now');
    if (verb === 'start' || (verb === 'enable' && now)) start(unit);
    else if (verb === 'stop' || (verb === 'disable' && now)) await stop(unit);
    else if (verb === 'restart') {
      await stop(unit);
      start(unit);
    } else if (verb === 'reload') reload(unit);
    else if (verb === 'is-active') {
      if (!pidOf(unit)) return 3;
    } else if (verb !== 'enable' && verb !== 'disable') throw new Error(`systemctl ${verb} is not known here`);
  }
  return 0;
}

/** `systemd-run --pipe --wait` with an account, a folder and an environment. */
function runOnce(given: readonly string[]): number {
  const [pairs, files, command]: [string[], string[], string[]] = [[], [], []];
  let [user, cwd] = ['root', '/'];
  for (let at = 0; at < given.length; at++) {
    const word = given[at]!;
    if (word.startsWith('--uid=')) user = word.slice(6);
    else if (word === '-E') pairs.push(given[++at]!);
    else if (word === '-p') {
      const [name, value] = given[++at]!.split('=') as [string, string];
      if (name === 'EnvironmentFile') files.push(value);
      if (name === 'WorkingDirectory') cwd = value;
    } else if (!word.startsWith('--')) {
      command.push(...given.slice(at));
      break;
    }
  }
  const [file, ...args] = asUser(user, command);
  return spawnSync(file!, args, { env: environmentOf(user, pairs, files), cwd, stdio: 'inherit' }).status ?? 1;
}

const [as = '', ...words] = process.argv.slice(2);
if (basename(as) === 'systemd-run') process.exitCode = runOnce(words);
else {
  const options = words.filter((word) => word.startsWith('-'));
  const [verb = '', ...names] = words.filter((word) => !word.startsWith('-'));
  process.exitCode = verb === 'daemon-reload' ? 0 : await control(verb, options, names);
}
