/** Characters of a name at most, its ending not counted. */
export const longestName = 100;

/** Reads what a header says in UTF-7, as the protocol has names of files. */
export function fromUtf7(text: string): string {
  return text.replace(/\+([A-Za-z0-9+/]*)-?/g, (_whole, coded: string) => {
    if (coded === '') return '+';
    const bytes = Buffer.from(coded, 'base64');
    return bytes
      .subarray(0, bytes.length - (bytes.length % 2))
      .swap16()
      .toString('utf16le');
  });
}

/** A name that a file may have: without what no file system or page takes, and not too long; empty where nothing is left. */
export function properName(text: string): string {
  // oxlint-disable-next-line no-control-regex -- no name holds one
  const plain = text.replace(/[\u0000-\u001f\u007f\\/:*?"<>|]/g, '').replace(/^[\s.]+|[\s.]+$/g, '');
  return [...plain].slice(0, longestName + 10).join('');
}

export const endingOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
export const withoutEnding = (name: string) => name.replace(/\.[^.]+$/, '');

/** The name, or with the first number behind it that nobody has. */
export function freeName(name: string, taken: readonly string[]): string {
  const ending = endingOf(name);
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${withoutEnding(name)}（${number}）.${ending}`;
    if (!taken.includes(tried)) return tried;
  }
}
