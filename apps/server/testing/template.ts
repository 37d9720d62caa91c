import { randomUUID } from 'node:crypto';
import { hash } from '@node-rs/argon2';
import pg from 'pg';
import { inject } from 'vitest';
import { openDatabases, type Db } from '#kernel/server/db/db.ts';
import { migrate } from '#kernel/server/db/migrate.ts';
import { addFirstAdmin } from '#modules/platform/people/seed.ts';
import { seedBase } from '../modules.ts';
import { dropDatabase } from './drop-database.ts';

/** Everybody's password in tests. */
export const testPassword = 'Gongdan@2026';
export const passwordHash = hash(testPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

interface Template {
  name: string;
  /** Of the advisory lock under which it is made and copied, since nobody may be connected to it meanwhile. */
  lock: number;
  /** Makes the database, which does not exist yet. */
  make(client: pg.Client): Promise<void>;
}

const addressOf = (name: string) => Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href;

async function writeInto(template: Template, work: (tx: Db) => Promise<unknown>): Promise<void> {
  const databases = openDatabases({ url: addressOf(template.name), onError: () => undefined });
  try {
    await databases.write(work);
  } finally {
    await databases.close();
  }
}

/** What every office begins with. */
const empty: Template = {
  name: 'test_template',
  lock: 1,
  async make(client) {
    await client.query(`create database ${empty.name}`);
    await migrate(addressOf(empty.name));
    await writeInto(empty, async (tx) => {
      await seedBase(tx);
      await addFirstAdmin(tx, await passwordHash, false);
    });
  },
};

/** The school of the demonstration in it as well. */
const demonstration: Template = {
  name: 'test_demonstration',
  lock: 2,
  async make(client) {
    await copy(client, empty, demonstration.name);
    // It is large, and most runs of a single file do without it.
    const { addDemoOrganisation } = await import('../demo-organisation.ts');
    await writeInto(demonstration, (tx) => addDemoOrganisation(tx, new Date()));
  },
};

/** Copies a template under a new name, and makes it first where this run has none. */
async function copy(client: pg.Client, template: Template, name: string): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [template.lock]);
  const known = await client.query('select from pg_database where datname = $1', [template.name]);
  if (known.rowCount === 0) await template.make(client);
  // As files: through the log each page is written twice.
  await client.query(`create database ${pg.escapeIdentifier(name)} template ${template.name} strategy file_copy`);
  await client.query('select pg_advisory_unlock($1)', [template.lock]);
}

/** A database of a test's own: with what every office begins with, or with the demonstration as well. */
export async function cloneTemplate(wanted: { demonstration?: boolean } = {}): Promise<{
  url: string;
  drop(): Promise<void>;
}> {
  const server = inject('databaseUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await copy(client, wanted.demonstration ? demonstration : empty, name);
  } finally {
    await client.end();
  }
  return { url: addressOf(name), drop: () => dropDatabase(server, name) };
}
