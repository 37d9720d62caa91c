import pg from 'pg';
import { expect, inject, test } from 'vitest';
import { tryAgain } from './jobs.ts';

test('a retry of the job queue after its pool has ended gets no connection and causes no unhandled error', async () => {
  const pool = new pg.Pool({ connectionString: inject('databaseUrl'), max: 1 });
  tryAgain(pool);
  const client = await pool.connect();
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  client.release();
  await pool.end();
  const late = pool.connect().then(
    () => 'answered',
    () => 'refused',
  );
  expect(await Promise.race([late, new Promise((ready) => setImmediate(ready, 'silent'))])).toBe('silent');
});
