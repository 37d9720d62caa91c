import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { hash } from '@node-rs/argon2';
import pg from 'pg';
import { pino } from 'pino';
import { inject } from 'vitest';
import { openDatabases } from '#kernel/server/db/db.ts';
import { migrate } from '#kernel/server/db/migrate.ts';
import { addFirstAdmin } from '#modules/platform/people/seed.ts';
import { seedBase } from '../modules.ts';
import { openServices } from '../office.ts';
import { dropDatabase } from './drop-database.ts';

/** Everybody's password in tests. */
export const testPassword = 'Gongdan@2026';
/** The secret that signs tokens in tests. */
export const testSecret = 's'.repeat(48);
export const passwordHash = hash(testPassword, { memoryCost: 19_456, timeCost: 2, parallelism: 1 });

interface Template {
  name: string;
  /** The advisory lock under which it is made and copied, because nobody may be connected to it meanwhile. */
  lock: number;
  /** Makes the database, which does not exist yet. */
  make(client: pg.Client): Promise<void>;
}

const addressOf = (name: string) => Object.assign(new URL(inject('databaseUrl')), { pathname: `/${name}` }).href;

/** Contains what every office begins with. */
const empty: Template = {
  name: 'test_template',
  lock: 1,
  async make(client) {
    await client.query(`create database ${empty.name}`);
    const url = addressOf(empty.name);
    await migrate(url);
    const databases = openDatabases({ url, onError: () => undefined });
    await databases.write(async (tx) => {
      await seedBase(tx);
      await addFirstAdmin(tx, await passwordHash, false);
    });
    await databases.close();
  },
};

/** The folder of the files that the demonstration stored; removed with the test server. */
const demonstrationFiles = () => join(inject('testFolder'), 'demonstration');

/** Contains the school of the demonstration as well, with the jobs that it queued still to be done by the office that opens the copy. */
const demonstration: Template = {
  name: 'test_demonstration',
  lock: 2,
  async make(client) {
    await copy(client, empty, demonstration.name);
    const { services, close } = await openServices(
      {
        databaseUrl: addressOf(demonstration.name),
        secret: testSecret,
        log: pino({ level: 'silent' }),
        files: { folder: demonstrationFiles() },
      },
      () => null,
    );
    // It is large, and most runs of a single file do without it.
    const { addDemoOrganisation } = await import('../demo-organisation.ts');
    await services.databases.write((tx) => addDemoOrganisation(tx, new Date()));
    await close();
  },
};

/** Copies a template under a new name, and makes it first where this run has none. */
async function copy(client: pg.Client, template: Template, name: string): Promise<void> {
  await client.query('select pg_advisory_lock($1)', [template.lock]);
  const known = await client.query('select from pg_database where datname = $1', [template.name]);
  if (known.rowCount === 0)
    await template.make(client).catch(async (error: unknown) => {
      await dropDatabase(inject('databaseUrl'), template.name);
      throw error;
    });
  // Copied as files: through the log each page would be written twice.
  await client.query(`create database ${pg.escapeIdentifier(name)} template ${template.name} strategy file_copy`);
  await client.query('select pg_advisory_unlock($1)', [template.lock]);
}

export interface Clone {
  url: string;
  /** The folder with the files that its rows refer to; none in an empty office. */
  files?: string;
  drop(): Promise<void>;
}

/** Creates a database for one test: an empty office, or one with the demonstration. */
export async function cloneTemplate(wanted: { demonstration?: boolean } = {}): Promise<Clone> {
  const server = inject('databaseUrl');
  const name = `test_${randomUUID().replaceAll('-', '')}`;
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    await copy(client, wanted.demonstration ? demonstration : empty, name);
  } finally {
    await client.end();
  }
  return {
    url: addressOf(name),
    ...(wanted.demonstration && { files: demonstrationFiles() }),
    drop: () => dropDatabase(server, name),
  };
}
