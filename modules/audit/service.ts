import { isDeepStrictEqual } from 'node:util';
import type { Db } from '#kernel/server/db.ts';
import type { AuditEntry, Change } from '#kernel/server/implement.ts';
import { logTable, type FieldDifference, type ObjectDifference } from './tables.ts';

const secretField = /password|pwd|secret|token|^jwt$|^code$|signature|hash/i;
const maxValue = 2000;

/** Writes one row of the operation log in the caller's transaction. */
export async function remember(tx: Db, entry: AuditEntry): Promise<void> {
  const [first] = entry.changes;
  await tx.insert(logTable).values({
    userId: entry.user?.id ?? null,
    username: entry.user?.username ?? '',
    alias: entry.user?.alias ?? '',
    module: entry.module,
    action: entry.action,
    objectType: first?.type ?? '',
    objectId: String(first?.id ?? ''),
    title: plain(first?.title ?? ''),
    method: entry.method,
    path: maskPhones(plain(entry.path)),
    ip: entry.origin.ip,
    userAgent: plain(entry.origin.userAgent),
    result: entry.result,
    milliseconds: entry.milliseconds,
    diff: entry.changes.map(difference),
    traceId: entry.origin.traceId,
  });
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
    title: plain(change.title ?? ''),
    fields,
  };
}

function shown(name: string, value: unknown): unknown {
  if (value === undefined || value === null) return null;
  if (secretField.test(name)) return '******';
  if (typeof value === 'string') return maskPhones(value).slice(0, maxValue);
  if (typeof value === 'number' || typeof value === 'boolean') return value;
  return maskPhones(JSON.stringify(value)).slice(0, maxValue);
}

const maskPhones = (text: string) => text.replace(/(?<!\d)(1[3-9]\d)\d{4}(\d{4})(?!\d)/g, '$1****$2');
// A line break in a name must not look like a second entry wherever the log is read as text.
const plain = (text: string) => text.replace(/\p{Cc}+/gu, ' ');
