import type * as PinyinPro from 'pinyin-pro';
import { whenNeeded } from '../process/when-needed.ts';

// Its dictionaries are large, and only code that writes names needs them.
const pinyinPro = whenNeeded<typeof PinyinPro>('pinyin-pro');

/** The pinyin of a name, syllable by syllable: names are sorted by it, and found by its first letter. */
export const readingOf = (name: string): string =>
  pinyinPro()
    .pinyin(name.normalize('NFKC'), { toneType: 'none', type: 'array', surname: 'head', v: true, nonZh: 'consecutive' })
    .map((syllable) => syllable.trim().toLowerCase())
    .filter((syllable) => /[\p{L}\p{N}]/u.test(syllable))
    .join(' ')
    .slice(0, 200);

const maxSyllables = 24;
const chinese = /\p{sc=Han}+/gu;

/**
 * The ways to type a Chinese name without an input method: in full (`zhangsan`), from each later syllable on (`san`), and the initials likewise
 * (`zs`, `s`). A surname with a special reading gives both (单: shan, dan). Lower case, ü as v.
 */
export function pinyinOf(name: string): string[] {
  const found = new Set<string>();
  for (const [run] of name.normalize('NFKC').matchAll(chinese)) {
    const cut = Array.from(run).slice(0, maxSyllables).join('');
    for (const surname of ['head', 'off'] as const) {
      const read = pinyinPro().pinyin(cut, { toneType: 'none', type: 'array', surname, v: true });
      const syllables = read.map((s) => s.toLowerCase()).filter((s) => /^[a-z]+$/.test(s));
      for (let from = 0; from < syllables.length; from += 1) {
        const rest = syllables.slice(from);
        found.add(rest.join(''));
        found.add(rest.map((s) => s[0]).join(''));
      }
    }
  }
  return [...found];
}
