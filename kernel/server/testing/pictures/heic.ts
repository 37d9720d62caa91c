// A small HEIC picture, byte by byte, because nothing that the product installs writes one. Each block of 16 by 16 pixels has one colour, sent as
// plain samples (I_PCM), so that an encoder of a few lines is enough.

export interface HeicAsked {
  /** `[Y, Cb, Cr]` of each block, row by row; `columns` in a row, six blocks at most in total. */
  blocks: readonly (readonly [number, number, number])[];
  columns: number;
  /** Quarter turns counter-clockwise that the file itself declares. */
  irot?: 0 | 1 | 2 | 3;
  /** Mirrored: 0 swaps top and bottom, 1 left and right. */
  imir?: 0 | 1;
  /** An EXIF block beginning with `Exif\0\0`. */
  exif?: Buffer;
}

class Bits {
  private readonly all: number[] = [];
  u(count: number, value: number): this {
    for (let at = count - 1; at >= 0; at -= 1) this.all.push(Math.floor(value / 2 ** at) % 2);
    return this;
  }
  /** Exponential Golomb codes of the values. */
  ue(...values: number[]): this {
    for (const value of values) {
      const length = Math.floor(Math.log2(value + 1));
      this.u(length, 0).u(length + 1, value + 1);
    }
    return this;
  }
  /** A one, and zeros to the end of the byte. */
  end(): this {
    return this.u(1, 1).align();
  }
  align(): this {
    while (this.all.length % 8) this.all.push(0);
    return this;
  }
  bytes(): Buffer {
    const out = Buffer.alloc(this.all.length / 8);
    this.all.forEach((bit, at) => (out[at >> 3]! |= bit << (7 - (at % 8))));
    return out;
  }
}

/** Ranges of the less probable symbol in the first states; a picture of six blocks reaches no others. */
const lps = [
  [128, 176, 208, 240],
  [128, 167, 197, 227],
  [128, 158, 187, 216],
  [123, 150, 178, 205],
  [116, 142, 169, 195],
  [111, 135, 160, 185],
];

/** The arithmetic coder, with only probable symbols and the end. */
class Cabac {
  private low = 0;
  private range = 510;
  private first = true;
  private outstanding = 0;
  private readonly out: Bits;
  constructor(out: Bits) {
    this.out = out;
  }
  start(): void {
    Object.assign(this, { low: 0, range: 510, first: true, outstanding: 0 });
  }
  private put(bit: number): void {
    if (this.first) this.first = false;
    else this.out.u(1, bit);
    for (; this.outstanding > 0; this.outstanding -= 1) this.out.u(1, 1 - bit);
  }
  private renorm(): void {
    while (this.range < 256) {
      if (this.low < 256) this.put(0);
      else if (this.low >= 512) {
        this.low -= 512;
        this.put(1);
      } else {
        this.low -= 256;
        this.outstanding += 1;
      }
      this.range *= 2;
      this.low *= 2;
    }
  }
  probable(state: number): void {
    this.range -= lps[state]![(this.range >> 6) & 3]!;
    this.renorm();
  }
  terminate(bit: 0 | 1): void {
    this.range -= 2;
    if (bit === 1) {
      this.low += this.range;
      this.range = 2;
      this.renorm();
      this.put((this.low >> 9) & 1);
      this.out.u(2, ((this.low >> 7) & 3) | 1);
    } else this.renorm();
  }
}

const level = (bits: Bits) => bits.u(8, 3).u(32, 0x70000000).u(4, 0b1011).u(44, 0).u(8, 30);

function nal(type: number, payload: Buffer): Buffer {
  const out = [type << 1, 1];
  let zeros = 0;
  for (const byte of payload) {
    if (zeros === 2 && byte <= 3) {
      out.push(3);
      zeros = 0;
    }
    zeros = byte === 0 ? zeros + 1 : 0;
    out.push(byte);
  }
  return Buffer.from(out);
}

function slice(blocks: HeicAsked['blocks']): Buffer {
  const bits = new Bits().u(1, 1).u(1, 0).ue(0, 2, 0).end();
  const coder = new Cabac(bits);
  blocks.forEach(([y, cb, cr], at) => {
    coder.probable(at);
    coder.terminate(1);
    bits.align();
    for (const [count, value] of [
      [256, y],
      [64, cb],
      [64, cr],
    ] as const)
      for (let n = 0; n < count; n += 1) bits.u(8, value);
    coder.start();
    coder.terminate(at === blocks.length - 1 ? 1 : 0);
  });
  return nal(19, bits.align().bytes());
}

const u32 = (...values: number[]) => {
  const out = Buffer.alloc(values.length * 4);
  values.forEach((value, at) => out.writeUInt32BE(value, at * 4));
  return out;
};
const u16 = (...values: number[]) => {
  const out = Buffer.alloc(values.length * 2);
  values.forEach((value, at) => out.writeUInt16BE(value, at * 2));
  return out;
};
const box = (type: string, ...parts: Buffer[]) => {
  const body = Buffer.concat(parts);
  return Buffer.concat([u32(body.length + 8), Buffer.from(type, 'latin1'), body]);
};

/** Returns the file. */
export function heicOf({ blocks, columns, irot, imir, exif }: HeicAsked): Buffer {
  const [width, height] = [columns * 16, (blocks.length / columns) * 16];
  const vps = nal(
    32,
    level(new Bits().u(4, 0).u(2, 3).u(6, 0).u(3, 0).u(1, 1).u(16, 0xffff))
      .u(1, 1)
      .ue(0, 0, 0)
      .u(6, 0)
      .ue(0)
      .u(2, 0)
      .end()
      .bytes(),
  );
  const sps = nal(
    33,
    level(new Bits().u(4, 0).u(3, 0).u(1, 1))
      .ue(0, 1, width, height)
      .u(1, 0)
      .ue(0, 0, 0)
      .u(1, 1)
      .ue(0, 0, 0, 1, 0, 0, 2, 0, 0)
      .u(4, 0b0001)
      .u(8, 0x77)
      .ue(1, 0)
      .u(1, 1)
      .ue(0)
      .u(5, 0)
      .end()
      .bytes(),
  );
  const pps = nal(
    34,
    new Bits().ue(0, 0).u(7, 0).ue(0, 0, 0).u(3, 0).ue(0, 0).u(7, 0).u(3, 0b101).u(2, 0).ue(0).u(2, 0).end().bytes(),
  );
  const picture = slice(blocks);
  const sets = [
    [32, vps],
    [33, sps],
    [34, pps],
  ] as const;
  const config = Buffer.concat([
    Buffer.from([
      1,
      3,
      0x70,
      0,
      0,
      0,
      0xb0,
      0,
      0,
      0,
      0,
      0,
      30,
      0xf0,
      0,
      0xfc,
      0xfd,
      0xf8,
      0xf8,
      0,
      0,
      0x0f,
      sets.length,
    ]),
    ...sets.map(([type, bytes]) => Buffer.concat([Buffer.from([0x80 | type]), u16(1, bytes.length), bytes])),
  ]);
  const properties = [
    box('hvcC', config),
    box('ispe', u32(0, width, height)),
    ...(irot === undefined ? [] : [box('irot', Buffer.from([irot]))]),
    ...(imir === undefined ? [] : [box('imir', Buffer.from([imir]))]),
  ];
  const coded = Buffer.concat([u32(picture.length), picture]);
  const items = [
    { id: 1, type: 'hvc1', bytes: coded },
    ...(exif ? [{ id: 2, type: 'Exif', bytes: Buffer.concat([u32(6), exif]) }] : []),
  ];
  const entry = ({ id, type }: { id: number; type: string }) =>
    box('infe', u32(2 << 24), u16(id, 0), Buffer.from(`${type}\0`, 'latin1'));
  const placed = (from: number) => {
    let at = from;
    return items.map(({ id, bytes }) => {
      const row = Buffer.concat([u16(id, 0, 1), u32(at, bytes.length)]);
      at += bytes.length;
      return row;
    });
  };
  const meta = (from: number) =>
    box(
      'meta',
      u32(0),
      box('hdlr', u32(0, 0), Buffer.from('pict'), u32(0, 0, 0), Buffer.from([0])),
      box('pitm', u32(0), u16(1)),
      box('iloc', u32(0), Buffer.from([0x44, 0]), u16(items.length), ...placed(from)),
      box('iinf', u32(0), u16(items.length), ...items.map(entry)),
      ...(exif ? [box('iref', u32(0), box('cdsc', u16(2, 1, 1)))] : []),
      box(
        'iprp',
        box('ipco', ...properties),
        box(
          'ipma',
          u32(0, 1),
          u16(1),
          Buffer.from([properties.length, ...properties.map((_one, at) => 0x80 | (at + 1))]),
        ),
      ),
    );
  const head = box('ftyp', Buffer.from('heic'), u32(0), Buffer.from('mif1heic'));
  const from = head.length + meta(0).length + 8;
  return Buffer.concat([head, meta(from), box('mdat', ...items.map((one) => one.bytes))]);
}
