import { readFile, writeFile } from 'node:fs/promises';
import { cpus, loadavg, release, totalmem, type } from 'node:os';
import { join } from 'node:path';

export interface Table {
  name: string;
  title: string;
  /** The subject of the measurement and its limit. */
  about: string;
  columns: string[];
  rows: (string | number | null)[][];
}

export const shown = (value: number, digits = 1) => value.toLocaleString('en-US', { maximumFractionDigits: digits });
export const ratio = (ours: number, limit: number) => (limit === 0 ? '—' : (ours / limit).toFixed(2));

const line = (cells: readonly (string | number | null)[]) => `| ${cells.map((cell) => cell ?? '—').join(' | ')} |`;

function textOf({ title, about, columns, rows, name }: Table): string {
  const body = [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
  return `<!-- ${name} -->\n\n## ${title}\n\n${about}\n\n${body}\n`;
}

/** Prints the tables and, unless `quick`, adds them to the earlier ones in the README. */
export async function report(tables: readonly Table[], quick: boolean): Promise<void> {
  for (const table of tables) console.log(`\n${textOf(table)}`);
  if (quick) return;
  const file = join(import.meta.dirname, 'README.md');
  const before = await readFile(file, 'utf8').catch(() => '');
  const kept = new Map(
    before
      .split(/^(?=<!-- \w+ -->$)/m)
      .slice(1)
      .map((part) => [/^<!-- (\w+) -->/.exec(part)?.[1] ?? '', `${part.trim()}\n`]),
  );
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim()}，${Math.round(totalmem() / 2 ** 30)} GB，${type()} ${release()}`;
  // A load above the number of processors shows that other work ran meanwhile.
  const when = `${new Date().toISOString().slice(0, 10)}，Node ${process.versions.node}，${machine}，结束时负载 ${shown(loadavg()[0]!)}`;
  for (const table of tables) kept.set(table.name, textOf({ ...table, about: `${table.about}\n\n测于 ${when}。` }));
  const head = `# 性能\n\n每个数字旁边是同一次运行里测得的极限或目标。服务、数据库和压力程序在同一台机器上。重测：\`npm run bench\`（全部，只有 \`morning\`、\`years\` 要写出名字）、\`npm run bench -- list\`（一项）、\`npm run bench -- --quick\`（小数据，只显示）。\n`;
  await writeFile(file, `${[head, ...kept.values()].join('\n').trimEnd()}\n`);
}
