/** Escapes text for receivers that interpret markdown. */
export const literal = (text: string) => text.replace(/[\\`*_[\]<>#~|]/g, (sign) => `\\${sign}`);
export const bytesIn = (text: string) => Buffer.byteLength(text);
