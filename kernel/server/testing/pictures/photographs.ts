import sharp, { type Sharp } from 'sharp';

/** Four corners of four colours, by which a turned or mirrored picture is recognised. */
export const corners = {
  topLeft: [220, 30, 30],
  topRight: [30, 200, 30],
  bottomLeft: [30, 30, 220],
  bottomRight: [230, 230, 30],
};
export const [wide, high] = [96, 64];

const block = (width: number, height: number, [r, g, b]: readonly number[]) =>
  sharp({ create: { width, height, channels: 3, background: { r: r!, g: g!, b: b! } } })
    .png()
    .toBuffer();

/** The picture as it should be seen. */
export async function upright(): Promise<Buffer> {
  const [w, h] = [wide / 2, high / 2];
  const places = [
    [corners.topLeft, 0, 0],
    [corners.topRight, w, 0],
    [corners.bottomLeft, 0, h],
    [corners.bottomRight, w, h],
  ] as const;
  const parts = await Promise.all(
    places.map(async ([colour, left, top]) => ({ input: await block(w, h, colour), left, top })),
  );
  return sharp({ create: { width: wide, height: high, channels: 3, background: '#000' } })
    .composite(parts)
    .png()
    .toBuffer();
}

/** Pixels as a camera stores them with this `orientation`, so that the picture looks like `upright`. */
export async function laidDown(orientation: number, source?: Buffer): Promise<Sharp> {
  const seen = sharp(source ?? (await upright()));
  switch (orientation) {
    case 2:
      return seen.flop();
    case 3:
      return seen.rotate(180);
    case 4:
      return seen.flip();
    case 5:
      return sharp(await seen.rotate(270).toBuffer()).flip();
    case 6:
      return seen.rotate(270);
    case 7:
      return sharp(await seen.rotate(90).toBuffer()).flip();
    case 8:
      return seen.rotate(90);
    default:
      return seen;
  }
}

const canary = 'CANARYKANALJENVOGEL';
/** Bytes that must not be found anywhere: of words, and of a location in degrees, minutes and seconds. */
export const canaries = [canary, Buffer.from(canary, 'utf16le').toString('latin1')];

/** A JPEG with every sort of tag that cameras and programs write: EXIF with location, owner, serial numbers and comments, XMP, IPTC, a comment. */
export async function tellTale(orientation = 1, taken = '2025:03:04 05:06:07'): Promise<Buffer> {
  const jpeg = await (
    await laidDown(orientation)
  )
    .withExif({
      IFD0: {
        Make: 'Testkamera',
        Model: 'Drei',
        Artist: canary,
        Copyright: canary,
        ImageDescription: canary,
        HostComputer: canary,
        Software: canary,
        DocumentName: canary,
        XPComment: canary,
      },
      IFD2: {
        DateTimeOriginal: taken,
        BodySerialNumber: canary,
        LensSerialNumber: canary,
        CameraOwnerName: canary,
        LensModel: canary,
        ImageUniqueID: canary,
        UserComment: canary,
        MakerNote: canary,
      },
      IFD3: {
        GPSLatitudeRef: 'N',
        GPSLatitude: '39/1 54/1 2647/100',
        GPSLongitudeRef: 'E',
        GPSLongitude: '116/1 23/1 2921/100',
        GPSProcessingMethod: canary,
        GPSAreaInformation: canary,
      },
    })
    .withMetadata({ orientation })
    .withXmp(
      `<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description xmlns:dc="http://purl.org/dc/elements/1.1/" dc:creator="${canary}"/></rdf:RDF></x:xmpmeta>`,
    )
    .jpeg({ quality: 95 })
    .toBuffer();
  const segment = (marker: number, body: Buffer) => {
    const head = Buffer.from([0xff, marker, 0, 0]);
    head.writeUInt16BE(body.length + 2, 2);
    return Buffer.concat([head, body]);
  };
  const record = Buffer.concat([Buffer.from([0x1c, 2, 120, 0, canary.length]), Buffer.from(canary)]);
  const iptc = Buffer.concat([
    Buffer.from('Photoshop 3.0\x008BIM\x04\x04\0\0\0\0\0', 'latin1'),
    Buffer.from([record.length]),
    record,
  ]);
  return Buffer.concat([
    jpeg.subarray(0, 2),
    segment(0xfe, Buffer.from(canary)),
    segment(0xed, iptc),
    jpeg.subarray(2),
    Buffer.from(`PK\x05\x06 ${canary}`),
  ]);
}
