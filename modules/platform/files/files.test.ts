import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import sharp from 'sharp';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { counted } from '#apps/server/testing/counted.ts';
import { comingAtOnce, type FileCard } from './contract.ts';
import { attach, attachAll, createSigner, detach, detachAll, fileUrl, purgeLoose } from './service.ts';

let app: TestOffice;
let picture: Buffer;
let owner: Client;
let other: Client;
beforeAll(async () => {
  app = await openTestApp();
  picture = await sharp({ create: { width: 40, height: 30, channels: 3, background: 'red' } })
    .png()
    .toBuffer();
  owner = await app.signIn(await app.person());
  other = await app.signIn(await app.person());
});
afterAll(() => app.close());

interface Sent {
  code: number;
  msg: string;
  data: FileCard & { sha256: string };
}
async function send(client: Client, bytes: Buffer, name: string, module = 'people'): Promise<Sent> {
  const form = new FormData();
  form.set('module', module);
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await client.fetch('/api/file/upload/', { method: 'POST', body: form });
  return (await response.json()) as Sent;
}
const codeOf = async (response: Response) => ((await response.json()) as { code: number }).code;
const give = (fileId: number, client: Client, recordId: number, module = 'people', open = false) =>
  app.services.databases.write((tx) => attach(tx, { fileId, module, recordId, user: { id: client.userId }, open }));

test('an uploaded picture is re-encoded and shown inline to its sender', async () => {
  const sent = await send(owner, Buffer.concat([picture, Buffer.from('PK\x05\x06<script>')]), '头像.PNG');
  expect(sent).toMatchObject({ code: 0, data: { name: '头像.png', mime: 'image/png' } });
  const shown = await owner.fetch(`/api/file/${sent.data.id}/preview/`);
  expect(shown.headers.get('content-type')).toBe('image/png');
  expect(shown.headers.get('content-disposition')).toBe('inline');
  expect(shown.headers.get('content-security-policy')).toContain('sandbox');
  expect(Buffer.from(await shown.arrayBuffer()).includes('<script>')).toBe(false);
  const saved = await owner.fetch(`/api/file/${sent.data.id}`);
  expect(saved.headers.get('content-disposition')).toContain(`filename*=UTF-8''%E5%A4%B4%E5%83%8F.png`);
});

test('file names cannot leave their folder or break a header', async () => {
  for (const name of ['../../etc/头像.png', '..\\..\\a.png', 'a\r\nSet-Cookie: x=1.png', 'a\u202egnp.png', 'con.png']) {
    const sent = await send(owner, picture, name);
    expect(sent.code, name).toBe(0);
    expect(sent.data.name).not.toMatch(/[/\\\p{Cc}\p{Cf}]|^\.|^con\./u);
    const saved = await owner.fetch(`/api/file/${sent.data.id}/`);
    expect(saved.headers.get('set-cookie')).toBeNull();
    expect(saved.status).toBe(200);
  }
});

test('a file whose content does not match its name is refused', async () => {
  const pdf = Buffer.from('%PDF-1.4\n%%EOF');
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>1</script></svg>');
  const wrong: [Buffer, string][] = [
    [pdf, 'a.png'],
    [svg, 'a.png'],
    [svg, 'a.svg'],
    [picture, 'a.html'],
    [picture, 'a.png.exe'],
    [picture, 'a'],
    [pdf, 'a.pdf'],
    [Buffer.alloc(0), 'a.png'],
    [picture.subarray(0, 60), 'a.png'],
  ];
  for (const [bytes, name] of wrong) expect((await send(owner, bytes, name)).code, name).toBe(-1);
  for (const module of ['nowhere', 'constructor', 'a/b', ''])
    expect((await send(owner, picture, 'a.png', module)).code).toBe(4000);
});

test('an upload not yet attached to a record is served only to its sender', async () => {
  const { data } = await send(owner, picture, 'a.png');
  expect(await codeOf(await other.fetch(`/api/file/${data.id}/`))).toBe(4004);
  expect(await codeOf(await app.admin.fetch(`/api/file/${data.id}/preview/`))).toBe(4004);
  expect(await codeOf(await other.fetch(`/api/file/999999/`))).toBe(4004);
  for (const path of [`/api/file/${data.id}/`, `/api/file/${data.id}/preview/`, '/api/file/999999/'])
    expect(await codeOf(await app.stranger.fetch(path))).toBe(401);
});

test('a signed address opens its one file, to its one user, for minutes', async () => {
  const { data } = await send(owner, picture, 'a.png');
  const second = await send(owner, picture, 'b.png');
  expect((await app.stranger.fetch(data.url)).headers.get('content-type')).toBe('image/png');
  expect((await owner.fetch(data.url)).headers.get('content-type')).toBe('image/png');
  expect(await codeOf(await other.fetch(data.url))).toBe(4004);
  const query = data.url.split('?')[1]!;
  const swapped = query.replace(/u=\d+/, `u=${other.userId}`);
  const longer = query.replace(/e=\d+/, (e) => `e=${Number(e.slice(2)) + 300}`);
  for (const [id, asked] of [
    [second.data.id, query],
    [data.id, swapped],
    [data.id, longer],
    [data.id, query.slice(0, -3)],
  ])
    expect(await codeOf(await app.stranger.fetch(`/api/file/${id}/?${asked}`)), String(asked)).toBe(401);
});

test('a signed address that has expired or has a wrong secret is refused', async () => {
  const { data } = await send(owner, picture, 'a.png');
  const viewer = { id: owner.userId };
  const asked = (url: string) => app.stranger.fetch(url);
  expect((await asked(fileUrl(app.db, data.id, viewer))).headers.get('content-type')).toBe('image/png');
  const late = new Date(Date.now() - 601_000);
  expect(await codeOf(await asked(fileUrl(app.db, data.id, viewer, late)))).toBe(401);
  expect(
    await codeOf(
      await asked(`/api/file/${data.id}/preview/?${createSigner('t'.repeat(48)).sign(data.id, viewer.id, new Date())}`),
    ),
  ).toBe(401);
});

test('a record accepts only unattached uploads of the person who saves, or files it already has', async () => {
  const { data } = await send(owner, picture, 'a.png');
  await expect(give(data.id, other, 1)).rejects.toThrow('重新上传');
  await expect(give(data.id, owner, 1, 'settings')).rejects.toThrow('重新上传');
  await give(data.id, owner, 1);
  await give(data.id, other, 1);
  await expect(give(data.id, owner, 2)).rejects.toThrow('重新上传');
  await expect(give(999_999, owner, 1)).rejects.toThrow('重新上传');
  expect((await other.fetch(`/api/file/${data.id}/`)).headers.get('content-type')).toBe('image/png');
  expect(await codeOf(await app.stranger.fetch(`/api/file/${data.id}/`))).toBe(401);
  await app.services.databases.write((tx) => detach(tx, { fileId: data.id, module: 'people', recordId: 2 }));
  expect((await owner.fetch(`/api/file/${data.id}/`)).status).toBe(200);
  await app.services.databases.write((tx) => detach(tx, { fileId: data.id, module: 'people', recordId: 1 }));
  expect(await codeOf(await owner.fetch(`/api/file/${data.id}/`))).toBe(4004);
});

test('a record attaches and removes several files in as many statements as one', async () => {
  const { databases } = app.services;
  const some = async (count: number) => {
    const sent = await Promise.all(Array.from({ length: count }, () => send(owner, picture, 'a.png')));
    return { fileIds: sent.map(({ data }) => data.id), module: 'people', recordId: 77, user: { id: owner.userId } };
  };
  const turn = (files: Awaited<ReturnType<typeof some>>) =>
    counted(owner, () =>
      databases.write(async (tx) => {
        await attachAll(tx, files);
        await detachAll(tx, files);
      }),
    );
  const [one, many] = [await turn(await some(1)), await turn(await some(6))];
  // Background jobs log now and then, too.
  const ours = (texts: string[]) => texts.filter((text) => / "file" /.test(text)).length;
  expect([ours(one), ours(many)]).toEqual([2, 2]);
});

test('a public file is served to strangers', async () => {
  const { data } = await send(owner, picture, 'logo.png', 'settings');
  await give(data.id, owner, 1, 'settings', true);
  const shown = await app.stranger.fetch(fileUrl(app.db, data.id, null));
  expect(shown.headers.get('content-type')).toBe('image/png');
});

test('uploads not attached to a record are removed after a day, the others stay', async () => {
  const old = await send(owner, picture, 'old.png');
  const kept = await send(owner, picture, 'kept.png');
  await give(kept.data.id, owner, 5);
  const { databases } = app.services;
  await databases.write((tx) => tx.execute(sql`update file set gmt_created = gmt_created - interval '25 hours'`));
  const fresh = await send(owner, picture, 'fresh.png');
  while (await databases.write(purgeLoose));
  const { rows } = await app.db.execute<{ id: number }>(sql`select id from file`);
  const ids = rows.map((row) => row.id);
  expect(ids).toContain(kept.data.id);
  expect(ids).toContain(fresh.data.id);
  expect(ids).not.toContain(old.data.id);
});

test('a stranger is refused before the file is read', async () => {
  const sent = await send(app.stranger, picture, 'a.png');
  expect(sent.code).toBe(401);
});

test('a person may upload a limited number of files at once; others, and a person with a free slot, continue', async () => {
  const sender = await app.signIn(await app.person());
  const node = app.nodes[0]!;
  const begun = new FormData();
  begun.set('module', 'tickets');
  begun.set('size', '1000');
  begun.set('file', new Blob([]), '资料.zip');
  const answer = await (await sender.fetch('/api/file/upload/', { method: 'POST', body: begun })).json();
  const path = `/api/file/upload/${(answer as { data: { upload_id: number } }).data.upload_id}/?offset=0`;
  const headers = {
    authorization: `JWT ${sender.token}`,
    'content-type': 'application/octet-stream',
    'content-length': 500,
  };
  const held = Array.from({ length: comingAtOnce }, () => {
    const one = request(node + path, { method: 'PATCH', headers }).on('error', () => undefined);
    one.write(Buffer.alloc(100));
    return one;
  });
  const lying = () => readdir(join(app.folder, 'incoming'));
  await eventually(async () => expect(await lying()).toHaveLength(comingAtOnce));
  const more = (who: Client) => send(who.at(node), picture, 'a.png');
  expect(await more(sender)).toMatchObject({ code: 4010, msg: '同时上传的文件最多 8 个，请等其他文件传完再试' });
  expect((await more(owner)).code).toBe(0);
  for (const one of held) one.destroy();
  await eventually(async () => expect((await more(sender)).code).toBe(0));
}, 180_000);
