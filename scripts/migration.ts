// Writes the schema of all tables.ts as SQL. Until the first release it is a single file, which is regenerated each time.
import { glob, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { generateDrizzleJson, generateMigration } from 'drizzle-kit/api';

const pathOf = (file: string) => file.replace(/^modules\/\w+\//, 'modules/');
/** Sorts by the module's name, so that the output does not depend on the storeys. */
const byNoun = (a: string, b: string) => (pathOf(a) < pathOf(b) ? -1 : 1);

/** The SQL that makes every table of the product in an empty database. */
export async function schemaSql(root: string): Promise<string> {
  const tables: Record<string, unknown> = {};
  const files: string[] = [];
  for await (const file of glob(['kernel/server/db/tables.ts', 'modules/*/*/tables.ts', 'modules/*/*/tables/*.ts'], {
    cwd: root,
  }))
    files.push(file);
  const known = new Set<unknown>();
  for (const file of files.toSorted(byNoun)) {
    const exported = (await import(pathToFileURL(join(root, file)).href)) as Record<string, unknown>;
    // Two modules may export tables under the same name; both are written.
    for (const [name, value] of Object.entries(exported))
      if (!known.has(value)) {
        tables[name in tables ? `${name} of ${file}` : name] = value;
        known.add(value);
      }
  }
  const inOrder = Object.fromEntries(Object.entries(tables).toSorted(([a], [b]) => (a < b ? -1 : 1)));
  const statements = await generateMigration(generateDrizzleJson({}), generateDrizzleJson(inOrder));
  return `${statements.join('\n')}\n`;
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..');
  const target = join(root, 'migrations/0001-tables.sql');
  const text = await schemaSql(root);
  const before = await readFile(target, 'utf8').catch(() => '');
  const checks = process.argv.includes('--check');
  if (!checks) await writeFile(target, text);
  if (checks && before !== text) process.exitCode = 1;
  console.log(
    before === text ? '表结构没有变化' : checks ? '表结构有变化，请运行 npm run migration' : `已写入 ${target}`,
  );
}
