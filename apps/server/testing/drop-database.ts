import pg from 'pg';
import { eventually } from '#kernel/server/testing/eventually.ts';

/** Drops a database of a test, whoever is still in it. The server's own vacuum may be, which only a superuser ends: it is waited for. */
export async function dropDatabase(server: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  try {
    const dropped = () => client.query(`drop database ${pg.escapeIdentifier(name)} with (force)`);
    await eventually(dropped);
  } finally {
    await client.end();
  }
}
