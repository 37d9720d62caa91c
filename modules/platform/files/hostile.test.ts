import { createServer, type Server } from 'node:net';
import type { AddressInfo } from 'node:net';
import { crc32 } from 'node:zlib';
import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openTestApp, type Client, type TestOffice } from '#apps/server/testing.ts';
import type { FileCard } from './contract.ts';

let app: TestOffice;
let owner: Client;
let clamd: Server;
let scannerUp = true;
beforeAll(async () => {
  clamd = startScanner();
  await new Promise<void>((ready) => clamd.listen(0, '127.0.0.1', ready));
  const { port } = clamd.address() as AddressInfo;
  app = await openTestApp({ files: { clamd: `127.0.0.1:${port}` } });
  owner = await app.signIn(await app.person());
});
afterAll(async () => {
  await app.close();
  clamd.close();
});

/** Implements the INSTREAM part of clamd's protocol, and finds the word VIRUS. */
function startScanner(): Server {
  return createServer((socket) => {
    if (!scannerUp) return void socket.destroy();
    let come = Buffer.alloc(0);
    socket.on('error', () => undefined);
    socket.on('data', (chunk: Buffer) => {
      come = Buffer.concat([come, chunk]);
      // Its StreamMaxLength; further bytes are not read.
      if (socket.writableEnded) return;
      if (come.length > 500_000) return void socket.end('INSTREAM size limit exceeded. ERROR\0');
      if (!come.subarray(-4).equals(Buffer.alloc(4))) return;
      socket.end(come.includes('VIRUS') ? 'stream: Eicar-Test FOUND\0' : 'stream: OK\0');
    });
  });
}

interface Sent {
  code: number;
  msg: string;
  data: FileCard;
}
async function send(bytes: Uint8Array, name: string): Promise<Sent> {
  const form = new FormData();
  form.set('module', 'tickets');
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  return (await (await owner.fetch('/api/file/upload/', { method: 'POST', body: form })).json()) as Sent;
}
const forget = () => app.services.databases.write((tx) => tx.execute('delete from file'));

// Five hundred at night: each is a whole upload.
const wanted = process.env['NIGHTLY'] ? 500 : 60;
test('hostile file names stay one plain path segment in answer, header and store', { timeout: 180_000 }, async () => {
  const bad = [
    '../',
    '..\\',
    '/',
    'C:\\',
    '\r\n',
    '\0',
    '\u202e',
    '\u2066',
    '%2e%2e%2f',
    'con',
    'nul.',
    'aux',
    '"',
    "';",
    '<b>',
    '🙂',
    '．．／',
    '.htaccess',
    ' ',
    '\u200d',
    'e\u0301',
  ];
  const names = bad.flatMap((one) => bad.map((two) => `${one}名${two}a`)).concat(bad.map((one) => one.repeat(200)));
  const extra = Array.from({ length: 500 - names.length }, (_none, at) => `${String.fromCodePoint(at + 1)}${at}`);
  const whole = [...names, ...extra];
  const step = whole.length / wanted;
  const all = Array.from({ length: wanted }, (_none, at) => whole[Math.floor(at * step)]!);
  const wrong: string[] = [];
  for (let at = 0; at < all.length; at += 8) {
    const cards = await Promise.all(all.slice(at, at + 8).map((name) => send(strToU8('文'), `${name}.txt`)));
    for (const [index, { code, data }] of cards.entries()) {
      // A name consisting only of its extension, without folders and invisible characters, has no extension.
      if (code === -1 && /[/\\]$|^[\p{Cc}\p{Cf} ]+$/u.test(all[at + index]!)) continue;
      const plain = code === 0 && !/[/\\\p{Cc}\p{Cf}\p{Cs}<>:"|?*]|^[. ]|^(?:con|nul|aux)\./iu.test(data.name);
      if (!plain || Array.from(data.name).length > 120) wrong.push(`${JSON.stringify(all[at + index])}: ${data?.name}`);
    }
    const taken = cards.find((card) => card.code === 0)!;
    const saved = await owner.fetch(`/api/file/${taken.data.id}/`);
    expect([...saved.headers.keys()]).not.toContain('set-cookie');
    expect(saved.headers.get('content-disposition')).toMatch(
      /^attachment; filename="[\w.-]+"; filename\*=UTF-8''[\w.%~!-]+$/,
    );
    await forget();
  }
  expect(wrong).toEqual([]);
  // One content, whatever its name.
  expect(await app.services.fileStore.store.list('content')).toHaveLength(1);
});

test('a file cannot pass under the extension of another type', async () => {
  const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } });
  const zip = (...names: string[]) => zipSync(Object.fromEntries(names.map((name) => [name, strToU8('<x/>')])));
  const compound = Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.alloc(600)]);
  const real: Record<string, Uint8Array> = {
    png: await picture.png().toBuffer(),
    pdf: Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'),
    docx: zip('[Content_Types].xml', 'word/document.xml'),
    xlsx: zip('[Content_Types].xml', 'xl/workbook.xml'),
    pptx: zip('[Content_Types].xml', 'ppt/presentation.xml'),
    ofd: zip('OFD.xml'),
    doc: compound,
    txt: Buffer.from([0xc4, 0xe3, 0, 0xff]),
  };
  const alike = new Set(['doc xls', 'doc ppt', 'docx zip', 'xlsx zip', 'pptx zip', 'ofd zip', 'pdf txt', 'pdf csv']);
  const pictures = new Set(['png', 'jpg', 'webp', 'gif']);
  const passed: string[] = [];
  for (const [kind, bytes] of Object.entries(real)) {
    for (const ending of [
      'png',
      'jpg',
      'pdf',
      'docx',
      'xlsx',
      'pptx',
      'ofd',
      'doc',
      'xls',
      'ppt',
      'zip',
      'txt',
      'csv',
    ]) {
      const own = (kind === ending && kind !== 'txt') || (pictures.has(kind) && pictures.has(ending));
      if (own || alike.has(`${kind} ${ending}`)) continue;
      if ((await send(bytes, `a.${ending}`)).code === 0) passed.push(`${kind} as ${ending}`);
    }
  }
  for (const ending of ['svg', 'html', 'xml', 'exe', 'js', 'docm', 'xlsm', 'jar', 'bat', 'lnk', 'PNG.exe', ''])
    if ((await send(real.png!, `a.${ending}`)).code === 0) passed.push(ending);
  expect(passed).toEqual([]);
  await forget();
});

test('decompression bombs are refused before they are opened, using little memory', async () => {
  const chunk = Buffer.alloc(25);
  chunk.writeUInt32BE(13, 0);
  chunk.write('IHDR', 4, 'latin1');
  chunk.writeUInt32BE(50_000, 8);
  chunk.writeUInt32BE(50_000, 12);
  chunk.set([8, 2, 0, 0, 0], 16);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 21)), 21);
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const huge = Buffer.concat([signature, chunk, Buffer.from('0000000049444154', 'hex'), Buffer.alloc(64)]);
  const squeezed = zipSync({ 'a.txt': new Uint8Array(4 * 2 ** 20) });
  const many = zipSync(Object.fromEntries(Array.from({ length: 5001 }, (_none, at) => [`${at}`, new Uint8Array(0)])), {
    level: 0,
  });
  const before = process.memoryUsage().rss;
  expect((await send(huge, 'a.png')).msg).toContain('图片尺寸过大');
  expect((await send(squeezed, 'a.zip')).msg).toContain('解开后过大');
  expect((await send(many, 'a.zip')).msg).toContain('文件过多');
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(200);
});

test('a file in which the scanner finds a virus, or which it cannot scan, is refused', async () => {
  expect((await send(strToU8('all is well'), 'a.txt')).code).toBe(0);
  expect(await send(strToU8('a VIRUS'), 'a.txt')).toMatchObject({ code: -1, msg: '“a.txt”含有病毒，已拒绝接收' });
  scannerUp = false;
  expect((await send(strToU8('all is well'), 'b.txt')).msg).toContain('暂时无法做病毒检查');
  scannerUp = true;
  expect(await send(Buffer.alloc(900_000, 'a'), 'c.txt')).toMatchObject({
    code: -1,
    msg: '“c.txt”超过病毒检查的大小上限，没有接收，请缩小后再上传，或请管理员调大上限',
  });
  const { rows } = await app.db.execute('select name from file');
  expect(rows).toEqual([{ name: 'a.txt' }]);
});
