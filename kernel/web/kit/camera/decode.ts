type Detector = { detect(image: CanvasImageSource): Promise<{ rawValue: string }[]> };
type DetectorClass = { new (options: { formats: string[] }): Detector; getSupportedFormats(): Promise<string[]> };
declare global {
  /** Missing in the types of browsers, and in some browsers. */
  var BarcodeDetector: DetectorClass | undefined;
}

/** Reads the code in a picture; null if there is none. */
export type ReadCode = (image: CanvasImageSource, width: number, height: number) => Promise<string | null>;

/** The longest side of the examined picture, in pixels. */
const enough = 1024;

/** The browser's own reader if it supports QR codes, else a plain one. No WebAssembly, because the content policy forbids it. */
export async function openReader(): Promise<ReadCode> {
  const { BarcodeDetector: own } = globalThis;
  const formats = (await own?.getSupportedFormats().catch(() => [])) ?? [];
  if (own && formats.includes('qr_code')) {
    const detector = new own({ formats: ['qr_code'] });
    return async (image) => (await detector.detect(image))[0]?.rawValue ?? null;
  }
  const { decodeQR } = await import('qr/decode.js');
  const canvas = document.createElement('canvas');
  const context = canvas.getContext('2d', { willReadFrequently: true });
  return async (image, width, height) => {
    const share = Math.min(1, enough / Math.max(width, height));
    canvas.width = Math.round(width * share);
    canvas.height = Math.round(height * share);
    if (!context || canvas.width === 0 || canvas.height === 0) return null;
    context.drawImage(image, 0, 0, canvas.width, canvas.height);
    try {
      return decodeQR(context.getImageData(0, 0, canvas.width, canvas.height));
    } catch {
      // The reader throws if it finds none.
      return null;
    }
  };
}

/** Reads the code in a picture from a file. Throws a sentence for people if there is none, or the file is no picture. */
export async function codeInFile(file: Blob): Promise<string> {
  const picture = await createImageBitmap(file).catch(() => {
    throw new Error('这个文件不是图片，请选择照片或截图');
  });
  const read = await openReader();
  const code = await read(picture, picture.width, picture.height);
  picture.close();
  if (code === null) throw new Error('照片里没有识别到二维码，请靠近一些、拍清楚后再试');
  return code;
}
