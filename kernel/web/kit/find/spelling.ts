import { match } from 'pinyin-pro';

/** Whether a name is spelt by these letters: whole syllables, beginnings, or initials one after another. */
export function spelt(name: string, letters: string): boolean {
  return match(name, letters.replaceAll(' ', ''), { continuous: true }) !== null;
}
