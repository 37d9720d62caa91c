import type { QRCodeToBufferOptions, QRCodeToDataURLOptions } from 'qrcode';

// The library that draws the codes is loaded with the first one.
/** A QR code as a data address that a page can show at once. */
export const qrAddress = async (text: string, options: QRCodeToDataURLOptions): Promise<string> =>
  (await import('qrcode')).toDataURL(text, options);
/** A QR code as a PNG file. */
export const qrPicture = async (text: string, options: QRCodeToBufferOptions): Promise<Buffer> =>
  (await import('qrcode')).toBuffer(text, options);
