import { prepared, type Db } from './db.ts';

/**
 * Takes the next number of a scope, key and period inside the caller's transaction. The row lock makes parallel callers
 * wait, so numbers are unique, and gapless as far as the transaction commits.
 */
export async function nextNumber(tx: Db, scope: string, key: string, period: string): Promise<number> {
  const [row] = await prepared<{ last_no: string }>(tx, 'next-number', nextText, [scope, key, period]);
  return Number(row?.last_no);
}

const nextText = `
  insert into sequence as s (scope, key, period, last_no) values ($1, $2, $3, 1)
  on conflict (scope, key, period) do update set last_no = s.last_no + 1
  returning last_no`;

/** `WX202611200007`: prefix, day, and at least four digits. */
export async function serialNumber(tx: Db, prefix: string, day: string): Promise<string> {
  const period = day.replaceAll('-', '').slice(0, 8);
  const number = await nextNumber(tx, 'sn', prefix, period);
  return `${prefix}${period}${String(number).padStart(4, '0')}`;
}
