import type { QRCodeToBufferOptions, QRCodeToDataURLOptions } from 'qrcode';

// What draws the codes is read with the first one.
/** A code to be scanned, as an address a page shows at once. */
export const qrAddress = async (text: string, options: QRCodeToDataURLOptions): Promise<string> =>
  (await import('qrcode')).toDataURL(text, options);
/** A code to be scanned, as a PNG file. */
export const qrPicture = async (text: string, options: QRCodeToBufferOptions): Promise<Buffer> =>
  (await import('qrcode')).toBuffer(text, options);
