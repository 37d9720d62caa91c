/** The most characters of a name without its extension. */
export const longestName = 100;

/** Decodes a header in UTF-7, the protocol's encoding of file names. */
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

/** A valid file name: without characters that file systems or pages reject, and not too long; empty if nothing is left. */
export function properName(text: string): string {
  // oxlint-disable-next-line no-control-regex -- no name holds one
  const plain = text.replace(/[\u0000-\u001f\u007f\\/:*?"<>|]/g, '').replace(/^[\s.]+|[\s.]+$/g, '');
  return [...plain].slice(0, longestName + 10).join('');
}

export const endingOf = (name: string) => /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
export const withoutEnding = (name: string) => name.replace(/\.[^.]+$/, '');

/** The name, or with the first free number after it. */
export function freeName(name: string, taken: readonly string[]): string {
  const ending = endingOf(name);
  for (let number = 1; ; number += 1) {
    const tried = number === 1 ? name : `${withoutEnding(name)}（${number}）.${ending}`;
    if (!taken.includes(tried)) return tried;
  }
}
