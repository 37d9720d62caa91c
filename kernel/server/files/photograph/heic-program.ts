// Run as a separate program with source, target and orientation. The source may not be the file that it pretends to be.
import { readFile } from 'node:fs/promises';
import libheif from 'libheif-js/wasm-bundle.js';
import sharp from 'sharp';

const [, , source = '', target = '', orientation = '1'] = process.argv;
const images = new libheif.HeifDecoder().decode(await readFile(source));
const image = images.find((one) => one.is_primary()) ?? images[0];
if (!image) throw new Error('no picture in it');
const [width, height] = [image.get_width(), image.get_height()];
const room = { data: new Uint8ClampedArray(width * height * 4), width, height };
const shown = await new Promise<{ data: Uint8ClampedArray } | null>((resolve) => image.display(room, resolve));
if (!shown) throw new Error('the picture cannot be unpacked');
await sharp(shown.data, { raw: { width, height, channels: 4 } })
  .removeAlpha()
  .withMetadata({ orientation: Number(orientation) })
  .tiff({ compression: 'none' })
  .toFile(target);
