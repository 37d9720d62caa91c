import { existsSync, readdirSync } from 'node:fs';
import { readdir, readFile, rename, statfs, writeFile } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import { z } from 'zod';
import { StartupError } from '#kernel/server/process/config.ts';
import { flushFiles, weighFile, type Copied } from '#kernel/server/files/copy-file.ts';

const Manifest = z.object({
  format: z.literal(1),
  product: z.string(),
  /** Migrations that ran in the database. */
  schema: z.array(z.string()),
  /** The backup contains everything that was committed before this time. */
  until: z.iso.datetime(),
  folders: z.array(z.string()),
  files: z.array(z.object({ path: z.string(), size: z.number().int(), sha256: z.string() })),
});
/** The contents of a backup; its folder looks like a data directory, and this file is written last. */
export type Manifest = z.output<typeof Manifest>;

const name = 'manifest.json';
const ofFiles = 'files/';

/** A backup that was read, and the uploaded files in it that are missing or damaged: the rest is usable without them. */
export interface Opened {
  manifest: Manifest;
  lost: string[];
}

export const isEmpty = (folder: string) => !existsSync(folder) || readdirSync(folder).length === 0;

/** Returns every file below a folder, in order, as relative paths. */
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

/** Hashes everything in `folder` and completes the backup. */
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

/** Reads a backup and checks every file of it. Throws `StartupError` naming the first damaged file of the database. */
export async function openBackup(folder: string): Promise<Opened> {
  if (!existsSync(join(folder, name)))
    throw new StartupError(`${folder} 里没有 ${name}：它不是备份，或者备份没有做完，请换一个备份。`);
  const read = Manifest.safeParse(parsed(await readFile(join(folder, name), 'utf8'), folder));
  if (!read.success) throw new StartupError(`备份 ${folder} 的 ${name} 无法识别，请用做这份备份的版本恢复。`);
  const lost: string[] = [];
  for (const file of read.data.files) {
    const found = existsSync(join(folder, file.path)) ? await weighed(folder, file.path) : null;
    if (found?.sha256 === file.sha256) continue;
    if (file.path.startsWith(ofFiles)) lost.push(file.path);
    else
      throw new StartupError(
        `备份 ${folder} 已损坏：文件 ${file.path} ${found ? '的内容与清单不符' : '不见了'}，请换一个备份。`,
      );
  }
  return { manifest: read.data, lost };
}

function parsed(text: string, folder: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StartupError(`备份 ${folder} 的 ${name} 不完整，备份在复制当中断了，请重新复制或换一个备份。`);
  }
}

/** Turns a full disk during a copy into a sentence; other errors stay as they are. */
export function explained(error: unknown): unknown {
  if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') return error;
  const { path, dest } = error as NodeJS.ErrnoException & { dest?: string };
  return new StartupError(`磁盘已满，没有做完（${dest ?? path ?? '写入时'}）：请腾出空间，换一个空目录重新执行。`);
}

/** Throws `StartupError` before anything is written if the disk under a folder has no room for so many bytes. */
export async function requireRoom(folder: string, bytes: number): Promise<void> {
  let there = folder;
  while (!existsSync(there)) there = dirname(there);
  const { bavail, bsize } = await statfs(there);
  const [need, free] = [bytes, bavail * bsize].map((size) => Math.ceil(size / 2 ** 20));
  if (free! < need!) throw new StartupError(`${folder} 所在的磁盘还剩 ${free} MB，需要 ${need} MB，请腾出空间再执行。`);
}
