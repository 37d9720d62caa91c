import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile, rename, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { z } from 'zod';
import { StartupError } from '#kernel/server/process/config.ts';
import { flushFiles, weighFile, type Copied } from '#kernel/server/files/copy-file.ts';

const Manifest = z.object({
  format: z.literal(1),
  product: z.string(),
  /** What was committed before is in the backup. */
  until: z.iso.datetime(),
  folders: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), size: z.number().int(), sha256: z.string() })),
});
/** What a backup holds; its folder looks like a data directory, and this file is written last. */
export type Manifest = z.output<typeof Manifest>;

const name = 'manifest.json';

export const isEmpty = (folder: string) => !existsSync(folder) || readdirSync(folder).length === 0;

/** Every file below a folder, in order, as paths from it. */
export async function filesBelow(folder: string): Promise<string[]> {
  if (!existsSync(folder)) return [];
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)).split(sep).join('/'))
    .toSorted();
}

async function weighed(folder: string, path: string): Promise<Copied> {
  return { path, ...(await weighFile(join(folder, path))) };
}

/** Weighs everything that lies in `folder` and completes the backup. */
export async function seal(folder: string, rest: Omit<Manifest, 'format' | 'files'>): Promise<Manifest> {
  const files: Copied[] = [];
  const paths = await filesBelow(folder);
  for (const path of paths) files.push(await weighed(folder, path));
  await flushFiles(folder, paths);
  const manifest: Manifest = { format: 1, ...rest, files };
  const partial = join(folder, `${name}.partial`);
  await writeFile(partial, JSON.stringify(manifest, null, 1), { mode: 0o600, flush: true });
  await rename(partial, join(folder, name));
  return manifest;
}

/** Reads a backup and weighs every file of it. Throws `StartupError` that names the first that is not as it was. */
export async function openBackup(folder: string): Promise<Manifest> {
  if (!existsSync(join(folder, name)))
    throw new StartupError(`${folder} 里没有 ${name}：它不是备份，或者备份没有做完，请换一个备份。`);
  const read = Manifest.safeParse(JSON.parse(await readFile(join(folder, name), 'utf8')));
  if (!read.success) throw new StartupError(`备份 ${folder} 的 ${name} 无法识别，请用做这份备份的版本恢复。`);
  for (const file of read.data.files) {
    const found = existsSync(join(folder, file.path)) ? await weighed(folder, file.path) : null;
    if (found?.sha256 !== file.sha256)
      throw new StartupError(
        `备份 ${folder} 已损坏：文件 ${file.path} ${found ? '的内容与清单不符' : '不见了'}，请换一个备份。`,
      );
  }
  return read.data;
}
