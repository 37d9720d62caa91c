/** What people wrote stays what they wrote where the other side reads markdown. */
export const literal = (text: string) => text.replace(/[\\`*_[\]<>#~|]/g, (sign) => `\\${sign}`);
export const bytesIn = (text: string) => Buffer.byteLength(text);
