import pg from 'pg';
import { eventually } from '#kernel/server/testing/eventually.ts';

/** Drops a test's database even if it is in use. The server's own vacuum may be using it, which only a superuser can end: it is waited for. */
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
