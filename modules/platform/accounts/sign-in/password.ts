import { hash, verify } from '@node-rs/argon2';
import { commonPasswords } from './common-passwords.ts';

const cost = { memoryCost: 19_456, timeCost: 2, parallelism: 1 };
/** Verified for unknown people, so that the reply takes as long. */
const nobodysHash = hash('nobody signs in with this', cost);

/** argon2id; about 20 ms and 19 MB, so never inside a transaction. */
export function hashPassword(password: string): Promise<string> {
  return hash(password, cost);
}

/** False also without a hash, after the same work. */
export async function passwordFits(kept: string | undefined, password: string): Promise<boolean> {
  const fits = await verify(kept || (await nobodysHash), password).catch(() => false);
  return kept ? fits : false;
}

export interface PasswordRules {
  pwd_min: number;
  pwd_classes: number;
}

const classes = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/];

const lettersOf = (text: string) => text.replace(/[^\p{L}\p{N}]/gu, '');

/** The fault of a new password, as a sentence; null if it may be used. `own` are words a guesser tries first. */
export function passwordFlaw(password: string, rules: PasswordRules, own: readonly string[]): string | null {
  const length = Array.from(password).length;
  if (length < rules.pwd_min) return `至少 ${rules.pwd_min} 位，目前 ${length} 位`;
  if (classes.filter((kind) => kind.test(password)).length < rules.pwd_classes)
    return `须含大写字母、小写字母、数字、符号中的 ${rules.pwd_classes} 类`;
  if (new Set(password).size < 4) return '重复的字符过多，请换一个';
  const plain = password.normalize('NFKC').toLowerCase();
  const letters = lettersOf(plain);
  if (commonPasswords.has(plain) || commonPasswords.has(letters)) return '过于常见，容易被猜中，请换一个';
  for (const word of own) {
    const part = word.normalize('NFKC').toLowerCase();
    const bare = lettersOf(part);
    if ((part.length >= 3 && plain.includes(part)) || (bare.length >= 3 && letters.includes(bare)))
      return `不能包含“${word}”，请换一个`;
  }
  return null;
}
