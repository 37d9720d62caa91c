export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030';

/**
 * The encoding a text file is most likely in: by its mark, else UTF-8 where every byte fits, else GB18030. `whole` tells that
 * the last character cannot have been cut. Null for what is no text.
 */
export function encodingOf(bytes: Uint8Array, whole: boolean): TextEncodingName | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return 'utf-16le';
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return 'utf-16be';
  if (bytes.includes(0)) return null;
  for (const encoding of ['utf-8', 'gb18030'] as const) {
    try {
      new TextDecoder(encoding, { fatal: true }).decode(bytes, { stream: !whole });
      return encoding;
    } catch {
      continue;
    }
  }
  return null;
}
