const maxLength = 120;
const unwanted = /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\p{Cn}\p{Zl}\p{Zp}]/gu;
const reserved = /^(?:con|prn|aux|nul|com\d|lpt\d)(?=\.|$)/i;

/** The ending of a name in lower case without its dot, `jpeg` as `jpg`; '' when there is none. */
export function fileEnding(name: string): string {
  const ending = /\.([A-Za-z0-9]{1,8})$/.exec(name)?.[1]?.toLowerCase() ?? '';
  return ending === 'jpeg' ? 'jpg' : ending;
}

/**
 * A name that is safe to show, to keep and to send in a header: no folders, no control or direction characters, none of
 * `< > : " | ? *`, no dots at its ends, at most 120 characters with the ending kept, NFC. Never empty.
 */
export function cleanFileName(name: string): string {
  const base = name.replace(unwanted, '').normalize('NFC').split(/[/\\]/).at(-1)!;
  const plain = base
    .replace(/[<>:"|?*]/g, '_')
    .replace(/\s+/g, ' ')
    .replace(/^[. ]+/, '')
    .replace(/(?<![. ])[. ]+$/, '')
    .replace(reserved, '_$&');
  const characters = Array.from(plain === '' ? '未命名' : plain);
  if (characters.length <= maxLength) return characters.join('');
  const ending = Array.from(/\.[A-Za-z0-9]{1,8}$/.exec(plain)?.[0] ?? '');
  return characters.slice(0, maxLength - ending.length).join('') + ending.join('');
}
