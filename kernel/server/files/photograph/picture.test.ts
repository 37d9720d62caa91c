import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deflateSync } from 'node:zlib';
import sharp from 'sharp';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { heicOf } from '#kernel/server/testing/pictures/heic.ts';
import {
  canaries,
  corners,
  high,
  laidDown,
  tellTale,
  upright,
  wide,
} from '#kernel/server/testing/pictures/photographs.ts';
import { takePicture, turnPicture, type PictureRule, type TakenPicture } from './picture.ts';
import { factsIn } from './shot.ts';

const rule: PictureRule = {
  maxBytes: 30 * 2 ** 20,
  maxPixels: 120_000_000,
  keep: 6000,
  quality: 92,
  sizes: { large: 2048, medium: 1024, thumb: 48 },
};
let folder: string;
let sent = 0;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'pictures-'));
});
afterAll(() => rm(folder, { recursive: true }));

async function take(bytes: Buffer): Promise<TakenPicture> {
  const path = join(folder, `sent${(sent += 1)}`);
  await writeFile(path, bytes);
  return takePicture(path, rule);
}
const allOf = ({ bytes, sizes }: TakenPicture) => ({ original: bytes, ...sizes });

/** The colours in the middle of each quarter. */
async function quarters(bytes: Buffer) {
  const { data, info } = await sharp(bytes).removeAlpha().raw().toBuffer({ resolveWithObject: true });
  const at = (x: number, y: number) => {
    const from = (Math.floor(y * info.height) * info.width + Math.floor(x * info.width)) * 3;
    return [...data.subarray(from, from + 3)];
  };
  return { topLeft: at(0.25, 0.25), topRight: at(0.75, 0.25), bottomLeft: at(0.25, 0.75), bottomRight: at(0.75, 0.75) };
}
async function expectSeen(bytes: Buffer, wanted: Record<string, readonly number[]>, what: string) {
  const seen: Record<string, number[]> = await quarters(bytes);
  for (const [place, colour] of Object.entries(wanted))
    colour.forEach((value, at) =>
      expect(Math.abs(seen[place]![at]! - value), `${what} ${place} ${seen[place]}`).toBeLessThan(30),
    );
}

describe('a photograph is upright in every size, with its visible width and height, from', () => {
  test.each([1, 2, 3, 4, 5, 6, 7, 8])('a JPEG with EXIF orientation %i', async (orientation) => {
    const taken = await take(
      await (await laidDown(orientation)).withMetadata({ orientation }).jpeg({ quality: 95 }).toBuffer(),
    );
    expect(taken.shot).toMatchObject({ width: wide, height: high });
    for (const [size, bytes] of Object.entries(allOf(taken))) {
      await expectSeen(bytes, corners, size);
      expect((await sharp(bytes).metadata()).orientation, size).toBeUndefined();
    }
  });

  test('a PNG', async () => {
    const taken = await take(await upright());
    expect(taken.shot).toMatchObject({ width: wide, height: high });
    for (const [size, bytes] of Object.entries(allOf(taken))) await expectSeen(bytes, corners, size);
  });

  // Two columns of two blocks, with both of their orientations.
  const blocks = [
    [76, 85, 255],
    [149, 43, 21],
    [29, 255, 107],
    [226, 1, 149],
  ] as const;
  const seenAs = { topLeft: [255, 0, 0], topRight: [0, 255, 0], bottomLeft: [0, 0, 255], bottomRight: [255, 255, 0] };
  const exifOf = async (orientation: number) => {
    const jpeg = await (await laidDown(1)).withMetadata({ orientation }).jpeg().toBuffer();
    return (await sharp(jpeg).metadata()).exif!;
  };

  test('a HEIC with its own rotation, ignoring EXIF', async () => {
    const taken = await take(heicOf({ blocks, columns: 2, irot: 1, exif: await exifOf(6) }));
    const turned = {
      topLeft: seenAs.topRight,
      topRight: seenAs.bottomRight,
      bottomLeft: seenAs.topLeft,
      bottomRight: seenAs.bottomLeft,
    };
    await expectSeen(taken.bytes, turned, 'irot');
    await expectSeen(taken.sizes.thumb, turned, 'irot');
  });

  test('a mirrored HEIC', async () => {
    const taken = await take(heicOf({ blocks, columns: 2, imir: 1 }));
    const mirrored = {
      topLeft: seenAs.topRight,
      topRight: seenAs.topLeft,
      bottomLeft: seenAs.bottomRight,
      bottomRight: seenAs.bottomLeft,
    };
    await expectSeen(taken.bytes, mirrored, 'imir');
  });

  test.each([
    ['with its name before it', 0],
    ['that begins with its header', 6],
  ])('a HEIC without rotation, using its EXIF block %s', async (_how, from) => {
    const exif = (await exifOf(6)).subarray(from);
    const taken = await take(heicOf({ blocks: [...blocks, blocks[0], blocks[1]], columns: 2, exif }));
    expect(taken.shot).toMatchObject({ width: 48, height: 32 });
    const { data, info } = await sharp(taken.bytes).raw().toBuffer({ resolveWithObject: true });
    const topRight = [...data.subarray((8 * info.width + 40) * 3, (8 * info.width + 40) * 3 + 3)];
    expect(topRight[0]).toBeGreaterThan(220);
    expect(topRight[1]).toBeLessThan(40);
  });
});

test('of all metadata tags of a photograph only time and camera are kept', async () => {
  const sent = await tellTale(6);
  const told = sent.toString('latin1');
  for (const canary of canaries.slice(0, 1)) expect(told.split(canary).length).toBeGreaterThan(10);
  expect((await sharp(sent).metadata()).exif!.toString('latin1')).toContain('N\0');
  const taken = await take(sent);
  expect(taken.shot).toMatchObject({ taken_at: '2025-03-03T21:06:07.000Z', camera: 'Testkamera Drei' });
  for (const bytes of [...Object.values(allOf(taken)), Buffer.from(JSON.stringify(taken.shot))])
    for (const canary of canaries) expect(bytes.includes(canary, 0, 'latin1')).toBe(false);
  for (const bytes of Object.values(allOf(taken))) {
    const { exif, xmp, iptc, icc } = await sharp(bytes).metadata();
    expect([exif, xmp, iptc, icc]).toEqual([undefined, undefined, undefined, undefined]);
  }
});

test('a photograph’s time uses its offset, an impossible time is dropped, and broken metadata costs only the facts', async () => {
  const block = async (tags: Record<string, string>) =>
    (await sharp(await (await laidDown(1)).withExif({ IFD2: tags }).jpeg().toBuffer()).metadata()).exif!;
  const now = new Date('2026-01-01T00:00:00Z');
  const at = async (tags: Record<string, string>) => factsIn(await block(tags), now).taken_at;
  expect(await at({ DateTimeOriginal: '2025:06:01 12:00:00', OffsetTimeOriginal: '-05:00' })).toBe(
    '2025-06-01T17:00:00.000Z',
  );
  expect(await at({ DateTimeOriginal: '2025:06:01 12:00:00' })).toBe('2025-06-01T04:00:00.000Z');
  for (const wrong of ['1970:01:01 00:00:00', '2026:01:03 12:00:00', '0000:00:00 00:00:00'])
    expect(await at({ DateTimeOriginal: wrong }), wrong).toBeNull();
  const good = await block({ DateTimeOriginal: '2025:06:01 12:00:00' });
  for (const length of [0, 3, 6, 7, 20, good.length - 30])
    expect(factsIn(good.subarray(0, length), now)).toMatchObject({ orientation: 1 });
  expect(factsIn(Buffer.concat([Buffer.from([0, 0, 0, 6]), good]), now).taken_at).toBe('2025-06-01T04:00:00.000Z');
});

test('colours of a photograph are converted to those of the web, whatever their coding', async () => {
  const red = { create: { width: 40, height: 40, channels: 3, background: { r: 200, g: 30, b: 30 } } } as const;
  const cmyk = await take(await sharp(red).toColourspace('cmyk').jpeg().toBuffer());
  expect(await sharp(cmyk.bytes).metadata()).toMatchObject({ space: 'srgb', channels: 3 });
  const p3 = await take(await sharp(red).withIccProfile('p3').jpeg({ quality: 100 }).toBuffer());
  const { topLeft } = await quarters(p3.bytes);
  expect(Math.abs(topLeft[0]! - 200)).toBeLessThan(6);
  const clear = await take(
    await sharp({ create: { width: 9, height: 9, channels: 4, background: '#0000' } })
      .png()
      .toBuffer(),
  );
  expect((await quarters(clear.bytes)).topLeft).toEqual([255, 255, 255]);
});

test('a picture scaled down and recompressed is recognised as alike, and another picture is not', async () => {
  const scene = (seed: number) =>
    sharp(
      Buffer.from(
        `<svg xmlns="http://www.w3.org/2000/svg" width="900" height="600"><rect width="900" height="600" fill="#7ab"/>${Array.from(
          { length: 9 },
          (_, n) =>
            `<circle cx="${(seed * 97 + n * 211) % 900}" cy="${(seed * 53 + n * 149) % 600}" r="${40 + ((seed + n * 31) % 90)}" fill="#${((seed * 77 + n * 1234) % 4096).toString(16).padStart(3, '0')}"/>`,
        ).join('')}</svg>`,
      ),
    );
  const bits = (one: TakenPicture, other: TakenPicture) =>
    BigInt.asUintN(64, BigInt(one.shot.phash) ^ BigInt(other.shot.phash))
      .toString(2)
      .replaceAll('0', '').length;
  const first = await take(await scene(3).jpeg({ quality: 95 }).toBuffer());
  const sentOn = await take(await scene(3).resize(480).jpeg({ quality: 55 }).toBuffer());
  const other = await take(await scene(8).jpeg().toBuffer());
  expect(bits(first, sentOn)).toBeLessThanOrEqual(6);
  expect(bits(first, other)).toBeGreaterThan(12);
});

test('a photograph rotated by a quarter is rotated in every size', async () => {
  const turned = await turnPicture(await upright(), 1, rule);
  expect(turned.shot).toMatchObject({ width: high, height: wide });
  const wanted = { topLeft: corners.bottomLeft, topRight: corners.topLeft, bottomRight: corners.topRight };
  for (const bytes of [turned.bytes, ...Object.values(turned.sizes)]) await expectSeen(bytes, wanted, 'turned');
});

describe('a file that cannot be a photograph is refused with a sentence, such as', () => {
  const png = (width: number, height: number) => {
    const chunk = (type: string, body: Buffer) => {
      const all = Buffer.concat([Buffer.from(type), body]);
      const out = Buffer.alloc(all.length + 8);
      out.writeUInt32BE(body.length);
      all.copy(out, 4);
      let crc = ~0;
      for (const byte of all) {
        crc ^= byte;
        for (let bit = 0; bit < 8; bit += 1) crc = (crc >>> 1) ^ (crc & 1 ? 0xedb88320 : 0);
      }
      out.writeInt32BE(~crc, all.length + 4);
      return out;
    };
    const head = Buffer.alloc(13);
    head.writeUInt32BE(width);
    head.writeUInt32BE(height, 4);
    head.set([8, 0, 0, 0, 0], 8);
    return Buffer.concat([
      Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]),
      chunk('IHDR', head),
      chunk('IDAT', deflateSync(Buffer.alloc(2 ** 20))),
      chunk('IEND', Buffer.alloc(0)),
    ]);
  };
  test('a bomb of sixty thousand by sixty thousand pixels', async () => {
    const before = process.memoryUsage().rss;
    await expect(take(png(60_000, 60_000))).rejects.toThrow('图片尺寸过大');
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
  });
  test('a drawing, a web page, an empty file, half a JPEG and half a HEIC', async () => {
    const jpeg = await sharp(await upright())
      .resize(900)
      .jpeg()
      .toBuffer();
    const heic = heicOf({ blocks: [[76, 85, 255]], columns: 1 });
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"></svg>';
    await expect(take(Buffer.from(svg))).rejects.toThrow('只接受');
    await expect(take(Buffer.from('%PDF-1.4\n%%EOF'))).rejects.toThrow('只接受');
    await expect(take(Buffer.alloc(0))).rejects.toThrow('空的');
    await expect(take(jpeg.subarray(0, jpeg.length / 2))).rejects.toThrow('已损坏');
    for (const length of [100, 300, heic.length - 200])
      await expect(take(heic.subarray(0, length)), String(length)).rejects.toThrow(/已损坏|导出为 JPEG/);
  });
});
