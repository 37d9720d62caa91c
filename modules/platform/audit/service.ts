import { cutTo } from '#kernel/contract/words/cut.ts';
import { isDeepStrictEqual } from 'node:util';
import { named, type Db } from '#kernel/server/db/db.ts';
import type { AuditEntry, Change } from '#kernel/server/http/implement.ts';
import { searchVector } from '#kernel/server/list/search.ts';
import { maskIn, maskPhones } from '#kernel/server/text/mask-phones.ts';
import { logTable, type FieldDifference, type ObjectDifference } from './tables.ts';

const secretField = /password|pwd|secret|token|^jwt$|^code$|signature|hash/i;
const maxValue = 2000;

/** Writes one row of the operation log in the caller's transaction. */
export async function remember(tx: Db, entry: AuditEntry): Promise<void> {
  await named(tx.insert(logTable).values(rowOf(entry)));
}

/** Field of a tombstone with the positions in the chain that lost their content. */
export const placesField = '链上序号';

/** Writes the row that reports a removal and is never removed itself. `places` is stored in full, because verification reads it. */
export async function rememberRemoval(tx: Db, entry: AuditEntry, places: string): Promise<void> {
  const row = rowOf(entry);
  const [tombstone] = row.diff;
  if (!tombstone) throw new Error('a removal says what it removed');
  const fields = [...tombstone.fields, { field: placesField, before: null, after: places }];
  await tx.insert(logTable).values({ ...row, diff: [{ ...tombstone, fields }], removed: 2 });
}

function rowOf(entry: AuditEntry) {
  const [first] = entry.changes;
  const said = titleOf(first);
  const { application } = entry.user ?? {};
  const title = application ? `应用“${application.name}”${said && `：${said}`}` : said;
  const row = {
    user_id: entry.user?.id ?? null,
    username: entry.user?.username ?? '',
    alias: entry.user?.alias ?? '',
    module: entry.module,
    action: entry.action,
    object_type: first?.type ?? (application ? '应用令牌' : ''),
    object_id: String(first?.id ?? application?.id ?? ''),
    title,
    method: entry.method,
    path: maskPhones(plain(entry.path)),
    ip: entry.origin.ip,
    ua: plain(entry.origin.userAgent),
    result: entry.result,
    ms: entry.milliseconds,
    diff: entry.changes.map(difference),
    trace_id: entry.origin.traceId,
  };
  const texts = [cutTo(title, 200), entry.action, row.object_type];
  return { ...row, search: searchVector({ texts, names: [row.alias], codes: [row.username, row.ip, row.object_id] }) };
}

function difference(change: Change): ObjectDifference {
  const before = change.before ?? {};
  const after = change.after ?? {};
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const fields = names
    .filter((name) => !isDeepStrictEqual(before[name], after[name]))
    .map((name): FieldDifference => ({
      field: name,
      before: shown(name, before[name]),
      after: shown(name, after[name]),
    }));
  return {
    type: change.type,
    id: change.id == null ? null : String(change.id),
    title: titleOf(change),
    fields,
  };
}

function shown(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (secretField.test(name)) return '******';
  if (typeof value === 'string') return whole(maskIn(name, value).slice(0, maxValue));
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return whole(maskPhones(JSON.stringify(value)).slice(0, maxValue));
}

const titleOf = (change: Change | undefined) => maskPhones(plain(change?.title ?? ''));

// A line break in a name must not look like a second entry in a text export of the log.
const plain = (text: string) => whole(text).replace(/\p{Cc}+/gu, ' ');
/** Removes half of a character left by a cut: the database accepts none in JSON. */
const whole = (text: string) => (text.isWellFormed() ? text : text.replaceAll(/\p{Cs}/gu, ''));
