import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { degrees, PDFDocument } from '@cantoo/pdf-lib';
import { strToU8, zipSync } from 'fflate';
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs';
import PdfKit from 'pdfkit';
import { buffer } from 'node:stream/consumers';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { eventually } from '#kernel/server/testing/eventually.ts';
import type { Client } from '#apps/server/testing.ts';
import { findOffice } from '#kernel/server/files/office-pdf.ts';
import { documents } from '#modules/office/documents/contract.ts';
import { isSecret } from '#modules/office/documents/service.ts';
import { openSchool, type School } from '#modules/office/documents/testing/school.ts';
import { settings } from '#modules/platform/settings/contract.ts';
import type { FileCard } from '../contract.ts';

// Each copy is made by a separate process.
vi.setConfig({ testTimeout: 180_000 });
const run = promisify(execFile);
const renderer = findOffice('/usr/bin/pdftoppm');
const when = /\d{4}-\d\d-\d\d \d\d:\d\d/;
let folder: string;
let school: School;

/** Pages of every orientation: portrait, landscape, rotated by the viewer, cropped. */
async function pages(): Promise<Uint8Array> {
  const pdf = await PDFDocument.create();
  pdf.addPage([595, 842]).drawText('first', { x: 40, y: 40 });
  pdf.addPage([842, 595]).drawText('second', { x: 40, y: 40 });
  const turned = pdf.addPage([595, 842]);
  turned.setRotation(degrees(90));
  pdf.addPage([600, 800]).setCropBox(100, 200, 300, 400);
  return pdf.save();
}
async function encrypted(): Promise<Uint8Array> {
  const pdf = new PdfKit({ userPassword: 'secret' });
  const bytes = buffer(pdf);
  pdf.text('closed');
  pdf.end();
  return bytes;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gongdan-marking-'));
  const soffice = join(folder, 'soffice');
  await writeFile(join(folder, 'made.pdf'), await pages());
  // Replaces LibreOffice: whatever its input, it makes the pages above.
  await writeFile(
    soffice,
    '#!/bin/sh\nwhile [ "$1" != --outdir ]; do shift; done\ncp "$(dirname "$0")/made.pdf" "$2/made.pdf"\n',
    { mode: 0o755 },
  );
  school = await openSchool({ files: { soffice } });
}, 180_000);
afterAll(async () => {
  await school.office.close();
  await rm(folder, { recursive: true });
});

async function send(name: string, bytes: Uint8Array, module = 'documents'): Promise<FileCard> {
  const form = new FormData();
  form.set('module', module);
  form.set('file', new Blob([new Uint8Array(bytes)]), name);
  const response = await school.author.fetch('/api/file/upload/', { method: 'POST', body: form });
  return ((await response.json()) as { data: FileCard }).data;
}
async function fetched(who: Client, { id }: { id: number }, way = '') {
  const response = await who.fetch(`/api/file/${id}/${way}`);
  const bytes = Buffer.from(await response.arrayBuffer());
  const name = /filename\*=UTF-8''(.*)$/.exec(response.headers.get('content-disposition') ?? '')?.[1] ?? '';
  const type = response.headers.get('content-type') ?? '';
  const msg = type.includes('json') ? (JSON.parse(String(bytes)) as { msg: string }).msg : '';
  return { type, name: decodeURIComponent(name), bytes, msg };
}
/** The words of each page, in the order in which the file draws them. */
async function wordsOf(bytes: Uint8Array): Promise<string[]> {
  const pdf = await getDocument({ data: new Uint8Array(bytes), useWasm: false, verbosity: 0 }).promise;
  const found: string[] = [];
  for (let number = 1; number <= pdf.numPages; number += 1) {
    const { items } = await (await pdf.getPage(number)).getTextContent();
    found.push(items.map((item) => ('str' in item ? item.str : '')).join(' '));
  }
  await pdf.cleanup();
  return found;
}
async function siteMarks(watermark: boolean): Promise<void> {
  await school.office.admin.get(settings.saveSite, { body: { watermark } });
  await eventually(async () => expect((await school.office.services.settings.get('site')).watermark).toBe(watermark));
}

test('every kind of file of a protected record is served with its reader’s name, and the stored one stays unchanged', async () => {
  const pdf = await pages();
  const sheet = strToU8('﻿序号,标题\r\n1,通知\r\n');
  const files = {
    pdf: await send('附件.pdf', pdf),
    word: await send(
      '正文.docx',
      zipSync({ '[Content_Types].xml': strToU8('<x/>'), 'word/document.xml': strToU8('x') }),
    ),
    sheet: await send('清单.csv', sheet),
    text: await send('说明.txt', Buffer.from([0xb9, 0xa4, 0xb5, 0xa5])),
    picture: await send(
      '图.png',
      await sharp({ create: { width: 300, height: 200, channels: 3, background: 'white' } })
        .png()
        .toBuffer(),
    ),
  };
  await school.write({ attachments: Object.values(files).map(({ id }) => id) });
  const before = await fetched(school.head, files.pdf);
  expect(before.bytes.equals(Buffer.from(pdf))).toBe(true);
  const small = await fetched(school.head, files.picture, 'preview/?thumb=true');
  await siteMarks(true);
  try {
    const markedSmall = await fetched(school.head, files.picture, 'preview/?thumb=true');
    expect([markedSmall.type, markedSmall.bytes.equals(small.bytes)]).toEqual(['image/webp', false]);
    for (const [file, name] of [
      [files.pdf, '附件.pdf'],
      [files.word, '正文.pdf'],
    ] as const) {
      for (const way of ['', 'preview/']) {
        const copy = await fetched(school.head, file, way);
        expect([copy.type, copy.name]).toEqual(['application/pdf', way ? '' : name]);
        const words = await wordsOf(copy.bytes);
        expect(words).toHaveLength(4);
        for (const page of words) expect(page).toMatch(new RegExp(`李处长 \\S+ ${when.source}`));
        expect(words[0]).toContain('first');
      }
    }
    const [csv, txt] = [await fetched(school.head, files.sheet), await fetched(school.head, files.text, 'preview/')];
    expect(String(csv.bytes)).toMatch(new RegExp(`^\ufeff序号,标题\r\n1,通知\r\n"李处长 \\S+ ${when.source}"\r\n$`));
    expect([csv.name, csv.type]).toEqual(['清单.csv', 'text/plain; charset=utf-8']);
    expect(String(txt.bytes)).toMatch(/^\ufeff工单\r\n—— 李处长 .* ——\r\n$/);
    const picture = await fetched(school.head, files.picture);
    expect([picture.type, picture.name]).toEqual(['image/png', '图.png']);
    expect((await sharp(picture.bytes).stats()).channels[0]!.stdev).toBeGreaterThan(1);
  } finally {
    await siteMarks(false);
  }
  expect((await fetched(school.head, files.pdf)).bytes.equals(Buffer.from(pdf))).toBe(true);
});

test('a text of 49 MB is watermarked while it is read, for eight readers at once, in little memory', async () => {
  const size = 49 * 2 ** 20;
  const line = '一行不长的文字，用来填满。\n';
  const text = Buffer.from(line.repeat(Math.floor(size / Buffer.byteLength(line))));
  const file = await send('长.txt', text);
  const length = text.length;
  await school.write({ title: '关于长文的通知', attachments: [file.id] });
  await siteMarks(true);
  try {
    const read = async () => {
      const response = await school.head.fetch(`/api/file/${file.id}/`);
      let [bytes, last] = [0, Buffer.alloc(0)];
      for await (const part of response.body!) {
        bytes += part.length;
        last = Buffer.concat([last, part]).subarray(-80);
      }
      expect(String(last)).toMatch(/—— 李处长 .* ——\r\n$/);
      return bytes;
    };
    await read();
    const before = process.memoryUsage.rss();
    let most = before;
    const looking = setInterval(() => (most = Math.max(most, process.memoryUsage.rss())), 20);
    const all = await Promise.all(Array.from({ length: 8 }, read));
    clearInterval(looking);
    expect(all.every((bytes) => bytes > length && bytes < length + 200)).toBe(true);
    expect((most - before) / 2 ** 20).toBeLessThan(200);
  } finally {
    await siteMarks(false);
  }
});

test('a file that cannot be watermarked is refused with the reason, and served where no watermark is required', async () => {
  const files = [
    await send('锁.pdf', await encrypted()),
    await send('坏.pdf', Buffer.from('%PDF-1.7\nnothing\n%%EOF\n')),
    await send('包.zip', zipSync({ 'a.txt': strToU8('a') })),
  ];
  await school.write({ title: '关于封存的通知', attachments: files.map(({ id }) => id) });
  const said = async () => (await Promise.all(files.map((file) => fetched(school.head, file)))).map(({ msg }) => msg);
  expect(await said()).toEqual(['', '', '']);
  await siteMarks(true);
  try {
    expect(await said()).toEqual([
      '“锁.pdf”不能提供：它已加密、已损坏或过大，无法加水印，请联系上传人或管理员',
      '“坏.pdf”不能提供：它已加密、已损坏或过大，无法加水印，请联系上传人或管理员',
      '“包.zip”不能提供：zip 文件不能加水印，请联系上传人或管理员',
    ]);
  } finally {
    await siteMarks(false);
  }
});

test('files of a secret document and of its ticket are watermarked whatever the site setting', async () => {
  const { author, office: app, write, detail } = school;
  const file = await send('密.pdf', await pages());
  const { id } = await write({ submit: false, title: '关于保密的通知', attachments: [file.id] });
  await app.admin.get(settings.saveSite, { body: { allow_secret: true } });
  try {
    const secret = { secret_level: 1 as const, secret_period: '10年', copy_no: '000001' };
    await author.get(documents.update, { params: { id }, body: secret });
    const { ticket_id } = await detail(author, id);
    const own = await wordsOf((await fetched(author, file)).bytes);
    for (const page of own) expect(page).toMatch(/张拟稿/);
    expect(own).toHaveLength(4);
    const asks = (ticket: number) => app.services.databases.write((tx) => isSecret(tx, 'ticket', ticket));
    expect([await asks(ticket_id), await asks(ticket_id + 1)]).toEqual([true, false]);
  } finally {
    await app.admin.get(settings.saveSite, { body: { allow_secret: false } });
  }
});

test('a reader whose name has a rare character is named correctly on the copy', async () => {
  const { pdfWithWords } = await import('./pdf.ts');
  const source = join(folder, 'named.pdf');
  await writeFile(source, await pages());
  const [first] = await wordsOf(await pdfWithWords(source, '𠮷田𰻝 jitian 2026-11-21 11:02', 'house'));
  expect(first!.replace(/\s/g, '')).toContain('𠮷田𰻝jitian');
});

test.skipIf(!renderer)('the watermark follows the rotation of a page (needs pdftoppm)', async () => {
  const { pdfWithWords } = await import('./pdf.ts');
  const source = join(folder, 'blank.pdf');
  const blank = await PDFDocument.create();
  for (const angle of [0, 90]) blank.addPage([595, 842]).setRotation(degrees(angle));
  await writeFile(source, await blank.save());
  const target = join(folder, 'marked.pdf');
  await writeFile(target, await pdfWithWords(source, '王小明 wang.xm 2026-11-21 11:02', 'house'));
  await run(renderer!, ['-r', '30', '-png', target, join(folder, 'page')]);
  for (const [page, [width, height]] of [
    ['1', [248, 351]],
    ['2', [351, 248]],
  ] as const) {
    const picture = sharp(join(folder, `page-${page}.png`));
    expect(await picture.metadata()).toMatchObject({ width, height });
    // There is ink in each quarter, and none of it is black.
    for (const [left, top] of [
      [0, 0],
      [width >> 1, 0],
      [0, height >> 1],
      [width >> 1, height >> 1],
    ] as const) {
      const part = await sharp(join(folder, `page-${page}.png`))
        .extract({ left, top, width: width >> 1, height: height >> 1 })
        .toBuffer();
      const { min, stdev } = (await sharp(part).stats()).channels[0]!;
      expect(stdev).toBeGreaterThan(1);
      expect(min).toBeGreaterThan(90);
    }
  }
});
