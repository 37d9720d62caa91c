import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';

const run = promisify(execFile);
/** Says which packages, and whether the demonstration, are loaded with what the server begins with. */
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
  await Promise.all([
    import('#apps/server/database.ts'), import('#apps/server/office.ts'), import('#apps/server/seed.ts'),
    import('#kernel/server/db/migrate.ts'), import('#modules/typesetting/worker/press.ts'),
  ]);
  console.log(JSON.stringify([...loaded]));
`;

test('a server that has just begun has loaded nothing large that few of its calls need', async () => {
  const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: join(import.meta.dirname, '../..'),
  });
  const loaded = JSON.parse(stdout) as string[];
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
