export type TextEncodingName = 'utf-8' | 'utf-16le' | 'utf-16be' | 'gb18030';

/**
 * The most likely encoding of a text file: by its byte order mark, else UTF-8 if every byte fits, else GB18030. `whole` says that the last character
 * cannot be cut. Null if it is not text.
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

type Opening = () => Promise<AsyncIterable<Uint8Array>>;

/** The encoding of a whole text of any length, read part by part. */
export async function encodingOfAll(open: Opening): Promise<TextEncodingName | null> {
  for (const encoding of ['utf-8', 'gb18030'] as const) {
    const decoder = new TextDecoder(encoding, { fatal: true });
    let first = true;
    try {
      for await (const part of await open()) {
        if (first && part[0] === 0xff && part[1] === 0xfe) return 'utf-16le';
        if (first && part[0] === 0xfe && part[1] === 0xff) return 'utf-16be';
        if (part.includes(0)) return null;
        first = false;
        decoder.decode(part, { stream: true });
      }
      decoder.decode();
      return encoding;
    } catch (error) {
      if (!(error instanceof TypeError)) throw error;
    }
  }
  return null;
}

/** Yields a text in UTF-8 part by part, without a byte order mark. */
export async function* inUtf8(open: Opening, encoding: TextEncodingName): AsyncGenerator<Buffer> {
  const decoder = new TextDecoder(encoding);
  for await (const part of await open()) yield Buffer.from(decoder.decode(part, { stream: true }));
  yield Buffer.from(decoder.decode());
}
