import { match } from 'pinyin-pro';

/** True if these letters spell a name: by whole syllables, beginnings of syllables, or initials. */
export function spelt(name: string, letters: string): boolean {
  return match(name, letters.replaceAll(' ', ''), { continuous: true }) !== null;
}
