import { afterEach, beforeEach, expect, inject, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import pg from 'pg';
import { openBus, type Bus } from './bus.ts';
import { openLine, type Line } from '../testing/line.ts';

let line: Line;
let bus: Bus;
beforeEach(async () => {
  line = await openLine(inject('databaseUrl'));
  bus = await openBus(line.url, () => undefined);
});
afterEach(async () => {
  await bus.close();
  line.close();
});

test('while the database is away the listener reconnects once a second, and hears again when it is back', async () => {
  const heard: string[] = [];
  const gaps = vi.fn<() => void>();
  bus.listen('busy', (word) => heard.push(word));
  bus.onGap(gaps);
  line.cut();
  await eventually(() => expect(bus.connected()).toBe(false));
  const [before, from] = [line.tried(), performance.now()];
  await eventually(() => expect(line.tried() - before).toBeGreaterThanOrEqual(5));
  // If each failure started two attempts, the fifth would come in the third second.
  expect(line.tried() - before).toBeLessThanOrEqual((performance.now() - from) / 1000 + 1.5);
  line.mend();
  await eventually(() => expect(bus.connected()).toBe(true));
  expect(gaps.mock.calls.length).toBeGreaterThanOrEqual(2);
  const other = new pg.Client({ connectionString: inject('databaseUrl') });
  await other.connect();
  await other.query("select pg_notify('busy', 'back')");
  await other.end();
  await eventually(() => expect(heard).toEqual(['back']));
});

test('a connection that went silent is dropped within seconds, and later notifications are heard', async () => {
  const pulse = { everyMs: 200, patienceMs: 500 };
  const watched = await openBus(line.url, () => undefined, pulse);
  try {
    const heard: string[] = [];
    const gaps = vi.fn<() => void>();
    watched.listen('dark', (word) => heard.push(word));
    watched.onGap(gaps);
    line.dropSilently();
    await eventually(() => expect(gaps.mock.calls.length).toBeGreaterThanOrEqual(2));
    await eventually(() => expect(watched.connected()).toBe(true));
    const other = new pg.Client({ connectionString: inject('databaseUrl') });
    await other.connect();
    // On a busy machine the new line may have been dropped again; a message sent while a line is up must arrive.
    await eventually(async () => {
      await other.query("select pg_notify('dark', 'still there')");
      expect(heard).toContain('still there');
    });
    await other.end();
  } finally {
    await watched.close();
  }
}, 180_000);

test('waiting for the listener returns after everything sent before was heard, however many wait at once', async () => {
  const heard: string[] = [];
  bus.listen('told', (word) => heard.push(word));
  const other = new pg.Client({ connectionString: inject('databaseUrl') });
  await other.connect();
  try {
    for (let word = 0; word < 50; word++) {
      await other.query("select pg_notify('told', $1)", [String(word)]);
      const asking = Array.from({ length: word % 4 }, () => bus.caughtUp());
      await bus.caughtUp();
      expect(heard.at(-1)).toBe(String(word));
      await Promise.all(asking);
    }
  } finally {
    await other.end();
  }
});
