// The shape of the tree: what `npm run check` asks of folders. Prints what breaks it; exit code 1 where something does.
import { globSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(import.meta.dirname, '..');
/** Files beside each other in one folder of the kernel or a module, tests not counted: what holds more is several things. */
export const mostInFolder = 12;

/** Folders with more files than that, with how many. */
export function crowded(files: readonly string[]): { folder: string; files: number }[] {
  const counts = new Map<string, number>();
  for (const file of files)
    if (!/\.test\.tsx?$/.test(file)) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  return [...counts].flatMap(([folder, many]) => (many > mostInFolder ? [{ folder, files: many }] : []));
}

if (import.meta.main) {
  const found = crowded(globSync('{kernel,modules}/**/*.{ts,tsx,css}', { cwd: root }));
  for (const { folder, files } of found)
    console.error(`${folder}：${files} 个文件，最多 ${mostInFolder} 个，请按内容分成文件夹`);
  if (found.length > 0) process.exitCode = 1;
}
