import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const folderOf = (name: string) => join(import.meta.dirname, '..', '.cache', name);

/** The folder of an unpacked Debian package; installing the package could start a server on this machine. */
export const unpackedAt = (name: string, ...parts: string[]): string => join(folderOf(name), ...parts);

/** Downloads a Debian package and unpacks it below `.cache`; does nothing on other systems. */
export function unpackDebian(name: string): void {
  if (!existsSync('/usr/bin/apt-get') || !existsSync('/usr/bin/dpkg-deb')) return;
  const folder = folderOf(name);
  mkdirSync(folder, { recursive: true });
  const run = (file: string, args: string[]) =>
    spawnSync(file, args, { cwd: folder, stdio: 'ignore', timeout: 120_000 }).status === 0;
  const download = () => run('apt-get', ['download', name]);
  if (!download() && !(process.getuid?.() === 0 && run('apt-get', ['update']) && download())) return;
  const file = readdirSync(folder).find((one) => one.startsWith(`${name}_`) && one.endsWith('.deb'));
  if (file) run('dpkg-deb', ['-x', file, '.']);
}
