/** A text in UTF-8 as a stream, with the reader in the last line; the byte order mark lets a spreadsheet read what was decoded. */
export async function* withLine(ext: string, text: AsyncIterable<Buffer>, words: string): AsyncGenerator<Buffer> {
  const line = ext === 'csv' ? `"${words.replaceAll('"', '""')}"` : `—— ${words} ——`;
  let ended = false;
  yield Buffer.from('\ufeff');
  for await (const part of text) {
    if (part.length === 0) continue;
    ended = part.at(-1) === 10;
    yield part;
  }
  yield Buffer.from(`${ended ? '' : '\r\n'}${line}\r\n`);
}
