import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { accounts } from '#modules/platform/accounts/contract.ts';
import { messages } from '#modules/platform/messages/contract.ts';
import { spool } from './store/spool.ts';

/** A disk of this size in KB; null if this machine cannot make one. */
function smallDisk(size: number): string | null {
  const place = mkdtempSync(join(tmpdir(), 'gongdan-small-'));
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size}k`, 'tmpfs', place], { stdio: 'ignore' });
    return place;
  } catch {
    rmSync(place, { recursive: true });
    return null;
  }
}

function takeAway(place: string): void {
  execFileSync('umount', ['-l', place]);
  rmSync(place, { recursive: true });
}

const usual = process.env['TMPDIR'];
let disk: string | null;
let app: TestOffice;
let person: Client;
beforeAll(async () => {
  disk = smallDisk(2048);
  if (!disk) return;
  process.env['TMPDIR'] = disk;
  app = await openTestApp();
  person = await app.signIn(await app.person());
}, 180_000);
afterAll(async () => {
  if (usual === undefined) delete process.env['TMPDIR'];
  else process.env['TMPDIR'] = usual;
  if (!disk) return;
  await app.close();
  takeAway(disk);
});

async function send(bytes: number, name: string) {
  const form = new FormData();
  form.set('module', 'tickets');
  form.set('file', new Blob(['x'.repeat(bytes)]), name);
  const response = await person.fetch('/api/file/upload/', { method: 'POST', body: form });
  return (await response.json()) as { code: number; msg: string; data: { id: number } };
}
const rowsOf = async (text: string) => (await app.db.execute(text)).rows;
const lying = async () =>
  (await readdir(app.folder, { recursive: true, withFileTypes: true }))
    // The node's own marker file is there from its start.
    .filter((entry) => entry.isFile() && !entry.parentPath.endsWith('marks'))
    .map((entry) => entry.name)
    // So is its knowledge about the database.
    .filter((name) => name !== 'database-history.json');

test('on a full disk an upload is refused with a sentence, leaves no rest, and works again once there is space', async ({
  skip,
}) => {
  skip(disk === null, 'no disk of its own can be made here');
  // The first does not fit into the spool folder, the second fits there but not into the store.
  const ballast = join(app.folder, 'ballast');
  for (const bytes of [3_000_000, 1_400_000]) {
    expect(await send(bytes, '清单.txt')).toMatchObject({
      code: 4010,
      msg: '“清单.txt”暂时无法保存，请稍后重试或联系管理员',
    });
    expect(await lying()).toEqual([]);
  }
  await writeFile(ballast, Buffer.alloc(2_000_000));
  expect((await send(200_000, '清单.txt')).code).toBe(4010);
  expect([await rowsOf('select id from file'), await lying()]).toEqual([[], ['ballast']]);
  const sender = await app.clerk({ 'msg/send': ['Create'] });
  await sender.get(messages.send, {
    body: { title: '照常', content: '照常', recipients: { users: [person.userId] } } as never,
  });
  expect((await person.get(messages.unread)).value.map((one) => one.title)).toEqual(['照常']);
  expect((await person.ask(accounts.me)).code).toBe(0);
  await rm(ballast);
  const kept = await send(200_000, '清单.txt');
  expect(kept.code).toBe(0);
  expect((await (await person.fetch(`/api/file/${kept.data.id}/`)).text()).length).toBe(200_000);
}, 180_000);

test('a file written partly to a full disk is reported as failed and removed', async ({ skip }) => {
  const place = smallDisk(24);
  skip(place === null, 'no disk of its own can be made here');
  try {
    const sent = spool(place!, Readable.from([Buffer.alloc(60_000, 1)]), 100_000, () => new Error('too big'));
    await expect(sent).rejects.toThrow('ENOSPC');
    expect(await readdir(place!)).toEqual([]);
  } finally {
    takeAway(place!);
  }
});
