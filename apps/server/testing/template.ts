import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabases } from '#kernel/server/db/db.ts';
import { migrate } from '#kernel/server/db/migrate.ts';
import { addFirstAdmin } from '#modules/platform/people/seed.ts';
import { seedBase } from '../modules.ts';
import { dropDatabase } from './drop-database.ts';

/** Everybody's password in tests. */
export const testPassword = 'Gongdan@2026';
export const passwordHash = hash(testPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

/** A copy of the template, which is created on first use in a run. */
export async function cloneTemplate(): Promise<{ url: string; drop(): Promise<void> }> {
  const server = inject('databaseUrl');
  const at = (name: string) => Object.assign(new URL(server), { pathname: `/${name}` }).href;
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await client.query('select pg_advisory_lock(1)');
    const known = await client.query(`select 1 from pg_database where datname = 'test_template'`);
    if (known.rowCount === 0) {
      await client.query('create database test_template');
      await migrate(at('test_template'));
      const databases = openDatabases({ url: at('test_template'), onError: () => undefined });
      await databases.write(async (tx) => {
        await seedBase(tx);
        await addFirstAdmin(tx, await passwordHash, false);
      });
      await databases.close();
    }
    // Copied as files: through the log each page would be written twice.
    await client.query(`create database ${pg.escapeIdentifier(name)} template test_template strategy file_copy`);
    await client.query('select pg_advisory_unlock(1)');
  } finally {
    await client.end();
  }
  return {
    url: at(name),
    drop: () => dropDatabase(server, name),
  };
}
