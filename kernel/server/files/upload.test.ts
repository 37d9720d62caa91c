import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { strToU8, zipSync } from 'fflate';
import sharp from 'sharp';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { fileKinds, type FileKind } from '#kernel/contract/upload.ts';
import { cleanFileName } from './file-name.ts';
import { acceptFile } from './upload.ts';

let folder: string;
beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'gongdan-upload-'))));
afterAll(() => rm(folder, { recursive: true }));
async function accept(bytes: Buffer, name: string, allow: readonly FileKind[]) {
  const path = join(folder, 'sent');
  await writeFile(path, bytes);
  return acceptFile(path, name, allow);
}

const picture = sharp({ create: { width: 8, height: 8, channels: 3, background: '#fff' } });
const archive = (...names: string[]) =>
  Buffer.from(zipSync(Object.fromEntries(names.map((name) => [name, strToU8('<x/>')]))));
const workbook = archive('[Content_Types].xml', 'xl/workbook.xml');
const word = archive('[Content_Types].xml', 'word/document.xml');
const pdf = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n');

test('a file that matches its name is accepted, with a type determined by the server', async () => {
  const png = await picture.png().toBuffer();
  const jpeg = await picture.jpeg().toBuffer();
  expect(await accept(workbook, '名单.XLSX', ['xlsx'])).toEqual({
    name: '名单.XLSX',
    ext: 'xlsx',
    mime: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  });
  expect(await accept(png, 'a.png', fileKinds)).toMatchObject({ ext: 'png', mime: 'image/png' });
  expect(await accept(jpeg, 'a.jpeg', fileKinds)).toMatchObject({ ext: 'jpg', mime: 'image/jpeg' });
  expect(await accept(await picture.webp().toBuffer(), 'a.webp', fileKinds)).toMatchObject({ ext: 'webp' });
  expect(await accept(await picture.gif().toBuffer(), 'a.gif', fileKinds)).toMatchObject({ ext: 'gif' });
  expect(await accept(pdf, '通知.pdf', fileKinds)).toMatchObject({ ext: 'pdf', mime: 'application/pdf' });
  expect(await accept(word, '通知.docx', fileKinds)).toMatchObject({ ext: 'docx' });
  expect(await accept(archive('OFD.xml'), '公文.ofd', fileKinds)).toMatchObject({ ext: 'ofd' });
  expect(await accept(archive('名单/a.txt'), 'a.zip', fileKinds)).toMatchObject({ ext: 'zip' });
  const gb18030 = Buffer.from([0xc4, 0xe3, 0xba, 0xc3]);
  for (const text of [gb18030, Buffer.from('你好'), Buffer.from('\ufeff姓名,部门', 'utf16le')])
    expect(await accept(text, 'a.csv', fileKinds)).toMatchObject({ ext: 'csv', mime: 'text/csv' });
});

test('a file extension that is not listed is refused', async () => {
  for (const name of ['a.svg', 'a.html', 'a.xlsm', 'a', 'a.pdf.exe', 'pdf', '.pdf/a']) {
    await expect(accept(pdf, name, fileKinds)).rejects.toThrow(`只接受 ${fileKinds.join('、')} 文件`);
  }
  await expect(accept(pdf, 'a.pdf', ['xlsx'])).rejects.toThrow('不能上传“a.pdf”，只接受 xlsx 文件');
});

test('content that does not match the file name is refused', async () => {
  const svg = Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>');
  const html = Buffer.from('<!doctype html><script>alert(1)</script>');
  const exe = Buffer.from('MZ\x90\0\x03\0\0\0', 'latin1');
  const png = await picture.png().toBuffer();
  for (const bytes of [svg, html, exe, Buffer.from('text')]) {
    for (const kind of fileKinds.filter((one) => one !== 'txt' && one !== 'csv')) {
      await expect(accept(bytes, `a.${kind}`, fileKinds)).rejects.toThrow('内容与扩展名不符');
    }
  }
  await expect(accept(png, 'a.jpg', fileKinds)).rejects.toThrow('内容与扩展名不符');
  await expect(accept(Buffer.alloc(0), 'a.png', fileKinds)).rejects.toThrow('文件是空的');
});

test('an archive that is no workbook, and a file that is two formats at once, are refused', async () => {
  const png = await picture.png().toBuffer();
  const jar = archive('META-INF/MANIFEST.MF', 'xl/workbook.xml');
  const document = archive('[Content_Types].xml', 'word/document.xml');
  const bomb = Buffer.from(zipSync({ '[Content_Types].xml': new Uint8Array(70e6), 'xl/workbook.xml': strToU8('a') }));
  await expect(accept(bomb, 'a.xlsx', fileKinds)).rejects.toThrow('解开后过大');
  for (const bytes of [jar, document, Buffer.concat([png, workbook]), workbook.subarray(0, -30)]) {
    await expect(accept(bytes, 'a.xlsx', fileKinds)).rejects.toThrow('内容与扩展名不符');
  }
  await expect(accept(archive('../a.txt'), 'a.zip', fileKinds)).rejects.toThrow('不安全的路径');
  await expect(
    accept(archive('[Content_Types].xml', 'word/document.xml', 'word/vbaProject.bin'), 'a.docx', fileKinds),
  ).rejects.toThrow('宏');
  const many = Object.fromEntries(Array.from({ length: 5001 }, (_none, at) => [`${at}`, new Uint8Array(0)]));
  await expect(accept(Buffer.from(zipSync(many, { level: 0 })), 'a.zip', fileKinds)).rejects.toThrow('文件过多');
  await expect(accept(Buffer.concat([png, workbook]), 'a.png', fileKinds)).rejects.toThrow('内容与扩展名不符');
  await expect(accept(Buffer.concat([pdf, jar]), 'a.pdf', fileKinds)).rejects.toThrow('内容与扩展名不符');
});

test('file names are stripped of folders, control characters, line ends and direction tricks', () => {
  const cases: [string, string][] = [
    ['../../etc/passwd', 'passwd'],
    ['C:\\temp\\名单.xlsx', '名单.xlsx'],
    ['a.png\r\nSet-Cookie: x=1', 'a.pngSet-Cookie_ x=1'],
    ['a\0.php.png', 'a.php.png'],
    ['\u202egnp.exe', 'gnp.exe'],
    ['  ...隐藏.pdf. ', '隐藏.pdf'],
    ['a"b<c>.png', 'a_b_c_.png'],
    ['CON.txt', '_CON.txt'],
    ['e\u0301.png', 'é.png'],
    ['e\0\u0301.png', 'é.png'],
    ['', '未命名'],
    ['///', '未命名'],
    ['..', '未命名'],
  ];
  for (const [given, clean] of cases) expect(cleanFileName(given)).toBe(clean);
  const long = cleanFileName(`${'长😀'.repeat(100)}.xlsx`);
  expect(Array.from(long)).toHaveLength(120);
  expect(long.endsWith('.xlsx')).toBe(true);
});

test('any file name is cleaned into one short plain segment, and cleaning it again changes nothing', () => {
  const nasty = fc.constantFrom(
    '..',
    '/',
    '\\',
    '\r',
    '\n',
    '\0',
    '\u202e',
    '.',
    ' ',
    'con',
    '"',
    '😀',
    '\ud800',
    'e\u0301',
  );
  const names = fc.array(fc.oneof(nasty, fc.string({ unit: 'binary', maxLength: 20 })), { maxLength: 30 });
  fc.assert(
    fc.property(names, (parts) => {
      const clean = cleanFileName(parts.join(''));
      expect(clean).not.toMatch(/[/\\\p{Cc}\p{Cf}\p{Cs}<>:"|?*]|^[. ]|[. ]$|^$/u);
      expect(Array.from(clean).length).toBeLessThanOrEqual(120);
      expect(cleanFileName(clean)).toBe(clean);
    }),
    { numRuns: 5000 },
  );
});
