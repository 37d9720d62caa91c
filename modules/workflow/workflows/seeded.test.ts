import { afterAll, expect, test } from 'vitest';
import { openTestApp } from '#apps/server/testing.ts';
import { releaseCalls } from './contract/release.ts';

const app = await openTestApp({ demonstration: true });
afterAll(() => app.close());

test('every workflow that a module or the demonstration brings could be published as it is', async () => {
  const { rows } = await app.services.databases.pool.query<{ id: number; key: string }>(
    `select w.id, w.key from workflow w join workflow_version v on v.workflow_id = w.id and v.status = 'published' order by w.id`,
  );
  expect(rows.length).toBeGreaterThan(15);
  const found = [];
  for (const { id, key } of rows) {
    const { problems } = await app.admin.get(releaseCalls.publish, { params: { id }, body: { dry_run: true } });
    found.push(...problems.map(({ msg }) => `${key}: ${msg}`));
  }
  expect(found).toEqual([]);
});
