import { linesOf } from '#kernel/server/text/rich-text.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { bodiesOf } from '../bodies/known.ts';
import { between } from '../contract/shapes.ts';
import type { Stored } from '../visibility/visibility.ts';
import { sending } from './rules.ts';
import { namesOrganisations } from './several.ts';

/** Of its first lines: below them nobody is addressed any more. */
const looked = 8;
const bare = (text: string) => text.replace(/[\s\u3000]/g, '');

/** The names of a line that says whom a letter goes to, ended by a colon before its text begins; none where there is no such line. */
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
 * The line by which the text of a letter itself names whom it goes to, where it would stand on paper beside 主送: in a file that says other
 * names, and in what was typed here, whatever it says. Null where there is none.
 */
export async function ownAddressees(tx: Db, doc: Stored): Promise<string | null> {
  const { doc_kind, body_file: file, body_html, main_send } = doc;
  if (doc_kind !== sending || main_send.length === 0) return null;
  const words = file === null ? linesOf(body_html) : ((await bodiesOf(tx, [file])).get(file)?.words ?? '');
  const names = addresseesIn(words);
  const same = names.join('、') === main_send.map((one) => bare(one.name)).join('、');
  return names.length === 0 || (same && file !== null) ? null : names.join('、');
}
