import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
/** The packages, and possibly the demonstration, that are loaded with these files. */
async function loadedWith(...files: string[]): Promise<string[]> {
  const program = `
    import { registerHooks } from 'node:module';
    const loaded = new Set();
    registerHooks({
      load(url, context, next) {
        const own = /demo-organisation/.exec(url)?.[0];
        const name = own ?? /.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1];
        if (name) loaded.add(name);
        return next(url, context);
      },
    });
    await import('#kernel/server/process/resolve-once.ts');
    await Promise.all(${JSON.stringify(files)}.map((file) => import(file)));
    console.log(JSON.stringify([...loaded]));`;
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../..'),
  });
  return JSON.parse(stdout) as string[];
}

test('a freshly started server has loaded no large library that only few calls need', async () => {
  const loaded = await loadedWith(
    '#apps/server/database.ts',
    '#apps/server/office.ts',
    '#apps/server/seed.ts',
    '#kernel/server/db/migrate.ts',
    '#modules/platform/typesetting/worker/press.ts',
  );
  expect(loaded).toEqual(expect.arrayContaining(['fastify', 'drizzle-orm', 'zod']));
  const large = [
    'demo-organisation',
    'pdfjs-dist',
    '@cantoo/pdf-lib',
    'pdfkit',
    'fontkit',
    'sharp',
    'nodemailer',
    '@aws-sdk/client-s3',
  ];
  expect(loaded.filter((name) => large.includes(name))).toEqual([]);
});

test('the monitoring thread loads only the database driver and the probes', async () => {
  const loaded = await loadedWith('#modules/services/monitors/probing/node.ts');
  expect(loaded).toContain('pg');
  expect(loaded.filter((name) => ['zod', 'drizzle-orm', 'fastify', 'undici'].includes(name))).toEqual([]);
});
