import { zipSync } from 'fflate';
import sharp from 'sharp';
import { crc32 } from 'node:zlib';
import { expect, test } from 'vitest';
import { acceptImage } from './image.ts';

const red = { r: 200, g: 30, b: 30 };
const blank = (width: number, height: number) => sharp({ create: { width, height, channels: 3, background: red } });
// oxlint-disable-next-line vitest/valid-expect -- its callers await the matcher
const refused = (bytes: Buffer, limits = {}) => expect(acceptImage(bytes, { size: 100, ...limits })).rejects;

function pngHeader(width: number, height: number): Buffer {
  const chunk = Buffer.alloc(25);
  chunk.writeUInt32BE(13, 0);
  chunk.write('IHDR', 4, 'latin1');
  chunk.writeUInt32BE(width, 8);
  chunk.writeUInt32BE(height, 12);
  chunk.set([8, 2, 0, 0, 0], 16);
  chunk.writeUInt32BE(crc32(chunk.subarray(4, 21)), 21);
  return Buffer.concat([
    Buffer.from('89504e470d0a1a0a', 'hex'),
    chunk,
    Buffer.from('0000000049444154', 'hex'),
    Buffer.alloc(64),
  ]);
}

test('an uploaded picture comes out upright, within the size and in its own type, and a gif as its first frame', async () => {
  for (const [format, kept, ext] of [
    ['png', 'png', 'png'],
    ['jpeg', 'jpeg', 'jpg'],
    ['webp', 'webp', 'webp'],
    ['gif', 'png', 'png'],
  ] as const) {
    const out = await acceptImage(await blank(400, 200).toFormat(format).toBuffer(), { size: 100 });
    expect(out).toMatchObject({ ext, mime: `image/${kept}`, width: 100, height: 50 });
    expect((await sharp(out.bytes).metadata()).format).toBe(kept);
  }
  const small = await acceptImage(await blank(40, 20).png().toBuffer(), { size: 100 });
  expect(small).toMatchObject({ ext: 'png', mime: 'image/png', width: 40, height: 20 });
});

test('location, camera and orientation are removed from a picture, and it is rotated', async () => {
  const photo = await blank(300, 100)
    .jpeg()
    .withExif({ IFD0: { Make: 'SECRETCAM' }, IFD3: { GPSLatitude: '31/1 13/1 0/1' } })
    .withMetadata({ orientation: 6 })
    .toBuffer();
  expect(photo.includes('SECRETCAM')).toBe(true);
  const out = await acceptImage(photo, { size: 300 });
  const after = await sharp(out.bytes).metadata();
  expect(out).toMatchObject({ width: 100, height: 300 });
  expect([after.exif, after.xmp, after.icc, after.orientation]).toEqual([undefined, undefined, undefined, undefined]);
});

test('only the first frame of an animated picture is kept', async () => {
  const colours = ['#f00', '#0f0', '#00f'];
  const frame = (background: string) =>
    sharp({ create: { width: 20, height: 10, channels: 3, background } })
      .png()
      .toBuffer();
  const frames = await Promise.all(colours.map(frame));
  const gif = await sharp(frames, { join: { animated: true } })
    .gif()
    .toBuffer();
  expect((await sharp(gif).metadata()).pages).toBe(3);
  const out = await acceptImage(gif, { size: 100 });
  expect(out).toMatchObject({ width: 20, height: 10 });
  expect((await sharp(out.bytes).metadata()).pages ?? 1).toBe(1);
});

test('svg, html, pdf, text and other formats are refused whatever they are called', async () => {
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><script>alert(1)</script></svg>';
  const others = [svg, `<?xml version="1.0"?>${svg}`, '<html>', '%PDF-1.7\n', 'BM', '\x89PNG'].map((s) =>
    Buffer.from(s, 'latin1'),
  );
  others.push(await blank(9, 9).tiff().toBuffer(), await blank(9, 9).avif().toBuffer());
  for (const bytes of others) await refused(bytes).toThrow('图片只接受');
});

test('data hidden behind a picture is removed', async () => {
  const png = await blank(30, 30).png().toBuffer();
  const tail = Buffer.concat([Buffer.from('<script>alert(1)</script>'), zipSync({ a: new Uint8Array(9) })]);
  const { bytes } = await acceptImage(Buffer.concat([png, tail]), { size: 100 });
  expect(bytes.includes('<script>')).toBe(false);
  expect(bytes.includes('PK\x05\x06', 0, 'latin1')).toBe(false);
});

test('a picture header of 50,000 by 50,000 pixels is refused before decoding', async () => {
  const before = process.memoryUsage().rss;
  await refused(pngHeader(50_000, 50_000)).toThrow('宽乘高不能超过 4000 万像素');
  await refused(await blank(300, 300).png().toBuffer(), { maxPixels: 80_000 }).toThrow('不能超过 8 万像素');
  expect((process.memoryUsage().rss - before) / 2 ** 20).toBeLessThan(100);
});

test('empty, too large and damaged pictures get different messages', async () => {
  const jpeg = await blank(300, 300).jpeg().toBuffer();
  await refused(Buffer.alloc(0)).toThrow('文件是空的');
  await refused(jpeg, { maxBytes: 500 }).toThrow('文件超过 1 KB');
  await refused(jpeg.subarray(0, jpeg.length / 2)).toThrow('图片已损坏');
  await refused(pngHeader(10, 10)).toThrow('图片已损坏');
});
