import { chmod, mkdtemp, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import type { FileCard } from './contract.ts';
import { attach } from './service.ts';

// Replaces LibreOffice, which is too large to include: takes the same arguments, writes a PDF, counts its calls.
const program = `#!/bin/sh
for last; do :; done
while [ "$1" != --outdir ]; do shift; done
grep -q BROKEN "$last" && exit 1
echo . >> "$(dirname "$0")/calls"
env > "$(dirname "$0")/env"
cp "$2/profile/user/registrymodifications.xcu" "$(dirname "$0")/profile"
printf '%%PDF-1.7\\nfrom an office file\\n%%%%EOF\\n' > "$2/made.pdf"
`;
let app: TestOffice;
let plain: TestOffice;
let folder: string;
let owner: Client;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gongdan-office-'));
  const soffice = join(folder, 'soffice');
  await writeFile(soffice, program);
  await chmod(soffice, 0o755);
  app = await openTestApp({ files: { soffice } });
  plain = await openTestApp({ files: { soffice: join(folder, 'none') } });
  owner = await app.signIn(await app.person({ alias: '王小明', username: 'wang.xm' }));
});
afterAll(async () => {
  await app.close();
  await plain.close();
  await rm(folder, { recursive: true });
});

async function send(bytes: Uint8Array, name: string, client = owner, module = 'tickets'): Promise<FileCard> {
  const form = new FormData();
  form.set('module', module);
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const answer = await (await client.fetch('/api/file/upload/', { method: 'POST', body: form })).json();
  return (answer as { data: FileCard }).data;
}
async function look(card: FileCard, client = owner) {
  const response = await client.fetch(`/api/file/${card.id}/preview/`);
  const bytes = Buffer.from(await response.arrayBuffer());
  return { type: response.headers.get('content-type'), text: String(bytes), bytes };
}
const word = (text: string) =>
  zipSync(
    { '[Content_Types].xml': strToU8('<x/>'), 'word/document.xml': strToU8(text) },
    { level: 0, mtime: '2026-01-01' },
  );

test('a text preview shows any encoding and is never served as a page', async () => {
  const gb18030 = Buffer.from([0xb9, 0xa4, 0xb5, 0xa5, 0x3c, 0x62, 0x3e]);
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('工单<b>', 'utf16le')]);
  for (const [name, bytes] of [
    ['a.txt', Buffer.from('工单<b>')],
    ['b.csv', gb18030],
    ['c.txt', utf16],
  ] as const) {
    const shown = await look(await send(bytes, name));
    expect([shown.type, shown.text]).toEqual(['text/plain; charset=utf-8', '工单<b>']);
  }
  const long = await look(await send(Buffer.alloc(2 * 2 ** 20 + 1, 'a'), 'long.txt'));
  expect(long.text).toContain('内容过长，不能在线预览，请下载后查看');
});

test('an office file is converted once, without access to secrets, and a failure is reported', async () => {
  const card = await send(word('通知'), '通知.docx');
  const shown = await Promise.all([look(card), look(card)]);
  await look(await send(word('通知'), '同样的通知.docx'));
  for (const one of shown) expect([one.type, one.text]).toEqual(['application/pdf', expect.stringContaining('%PDF')]);
  // Nodes asked at the same moment do not know of each other yet: once each, and never again.
  const calls = (await readFile(join(folder, 'calls'), 'utf8')).split('\n').length - 1;
  expect(calls).toBeGreaterThan(0);
  expect(calls).toBeLessThanOrEqual(app.nodes.length);
  expect(await readFile(join(folder, 'env'), 'utf8')).not.toMatch(/NODE|VITEST|SECRET|PASSWORD/);
  expect(await readFile(join(folder, 'profile'), 'utf8')).toMatch(/BlockUntrustedRefererLinks.*>true</);
  expect((await look(await send(word('BROKEN'), '坏.docx'))).text).toContain('“坏.docx”无法转换成预览，请下载后查看');
});

test('without an office program, and for unknown kinds, the preview refers to the download', async () => {
  const client = await plain.signIn(await plain.person());
  const docx = await look(await send(word('通知'), '通知.docx', client), client);
  expect(docx.text).toContain('“通知.docx”不能在线预览，请下载后查看');
  const zip = await look(await send(zipSync({ 'a.txt': strToU8('a') }), 'a.zip'));
  expect(zip.text).toContain('“a.zip”不能在线预览，请下载后查看');
});

test('a picture has a thumbnail under the same access rule', async () => {
  const picture = await sharp({ create: { width: 1600, height: 900, channels: 3, background: 'navy' } })
    .withExif({ IFD0: { Copyright: '机密地点' }, IFD3: { GPSLatitudeRef: 'N' } })
    .jpeg()
    .toBuffer();
  const card = await send(picture, '现场.jpg');
  expect(card.thumb_url).toContain('thumb=1');
  const thumb = await owner.fetch(card.thumb_url!);
  const head = await sharp(Buffer.from(await thumb.arrayBuffer())).metadata();
  expect([head.width, head.height, head.exif]).toEqual([320, 180, undefined]);
  expect((await sharp((await look(card)).bytes).metadata()).exif).toBeUndefined();
  const other = await app.signIn(await app.person());
  for (const path of [card.thumb_url!, `/api/file/${card.id}/preview/?thumb=1`])
    expect(await (await other.fetch(path)).json()).toMatchObject({ code: 4004 });
  expect((await send(Buffer.from('a'), 'a.txt')).thumb_url).toBeNull();
});

test('pictures of protected records carry their reader’s name if the site requires it', async () => {
  const white = await sharp({ create: { width: 800, height: 600, channels: 3, background: 'white' } })
    .png()
    .toBuffer();
  const [own, theirs] = [await send(white, 'a.png', owner, 'people'), await send(white, 'b.png', owner, 'people')];
  const give = (id: number, module: string) =>
    app.services.databases.write(async (tx) => {
      await tx.execute(`update file set module = '${module}' where id = ${id}`);
      await attach(tx, { fileId: id, module, recordId: 1, user: { id: owner.userId }, open: true });
    });
  await give(own.id, 'tickets');
  await give(theirs.id, 'people');
  const save = async (card: FileCard) => Buffer.from(await (await owner.fetch(`/api/file/${card.id}/`)).arrayBuffer());
  const unmarked = await save(own);
  const { version } = await app.admin.get(settings.site);
  await app.admin.get(settings.saveSite, { body: { watermark: true, version } });
  // The server receives its new settings a moment later.
  await eventually(async () => expect((await save(own)).equals(unmarked)).toBe(false));
  const marked = await save(own);
  expect((await sharp(marked).stats()).channels[0]!.stdev).toBeGreaterThan(1);
  expect((await save(theirs)).equals(unmarked)).toBe(true);
});

test('while the store is unreachable downloads and previews say so, and resume afterwards', async () => {
  const dot = await sharp({ create: { width: 9, height: 9, channels: 3, background: 'navy' } })
    .png()
    .toBuffer();
  const cards = [await send(Buffer.from('a'), '甲.txt'), await send(word('存'), '乙.docx'), await send(dot, '丙.png')];
  const wanted = cards.flatMap(({ id, name }) => [
    [`/api/file/${id}/`, name],
    [`/api/file/${id}/preview/`, name],
  ]);
  wanted.push([`/api/file/${cards[2]!.id}/preview/?thumb=1`, cards[2]!.name]);
  /** Makes a folder unavailable for a while. */
  const away = async (place: string, meanwhile: () => Promise<void>) => {
    await rename(place, `${place}.away`);
    await symlink(place, place);
    await meanwhile().finally(async () => {
      await rm(place);
      await rename(`${place}.away`, place);
    });
  };
  const told = async (path: string) => (await owner.fetch(path)).json() as Promise<{ code: number; msg: string }>;
  const says = (name: string) => ({ code: 4010, msg: `“${name}”暂时无法打开，请稍后重试或联系管理员` });
  await away(join(app.folder, 'files'), async () => {
    for (const [path, name] of wanted) expect(await told(path!), path).toEqual({ ...says(name!), data: null });
  });
  // A preview that is made and cannot be stored.
  const [, docx] = cards;
  await away(join(app.folder, 'files', 'aside'), async () => {
    expect(await told(`/api/file/${docx!.id}/preview/`)).toMatchObject(says(docx!.name));
  });
  expect((await look(docx!)).type).toBe('application/pdf');
});
