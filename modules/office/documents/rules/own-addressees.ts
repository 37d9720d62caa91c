import { linesOf } from '#kernel/server/text/rich-text.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { bodiesOf } from '../bodies/known.ts';
import { between } from '../contract/shapes.ts';
import type { Stored } from '../visibility/visibility.ts';
import { sending } from './rules.ts';
import { namesOrganisations } from './several.ts';

/** The number of first lines in which addressees are searched. */
const looked = 8;
const bare = (text: string) => text.replace(/[\s\u3000]/g, '');

/** The names on the line of addressees, which ends with a colon before the text begins; empty if there is no such line. */
export function addresseesIn(words: string): string[] {
  const lines = words.split('\n').map(bare).filter(Boolean).slice(0, looked);
  for (const line of lines) {
    if (/[。；！？]/.test(line)) return [];
    const names = /^(.{2,300})[：:]$/.exec(line)?.[1]?.split(between).filter(Boolean) ?? [];
    if (names.length > 0) return names.every(namesOrganisations) ? names : [];
  }
  return [];
}

/**
 * The line in the text that repeats the addressees and would be printed besides 主送: in a file if it has other names, in typed text always.
 * Null if there is none.
 */
export async function ownAddressees(tx: Db, doc: Stored): Promise<string | null> {
  const { doc_kind, body_file: file, body_html, main_send } = doc;
  if (doc_kind !== sending || main_send.length === 0) return null;
  const words = file === null ? linesOf(body_html) : ((await bodiesOf(tx, [file])).get(file)?.words ?? '');
  const names = addresseesIn(words);
  const same = names.join('、') === main_send.map((one) => bare(one.name)).join('、');
  return names.length === 0 || (same && file !== null) ? null : names.join('、');
}
