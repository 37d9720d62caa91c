import { sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { headOf, type Head } from './chain.ts';
import { contentHash, firstHash, linkHash, logRows, type LogRow } from './content.ts';
import { inRanges, rangesIn, type Range } from './ranges.ts';
import { placesField } from '../service.ts';
import type { ObjectDifference } from '../tables.ts';

export interface Verified {
  /** The number of links verified, up to a break if there is one. */
  rows: number;
  /** Rows that the next sealing will chain. */
  unsealed: number;
  removed: number;
  head: Head;
  /** The first row that was altered; `id` is null for a missing row. */
  broken: { id: number | null; seal: number; why: string } | null;
}

const portion = 1000;

/** Verifies the chain from its first link, in portions; call it within one snapshot. */
export async function verifyLogs(tx: Db): Promise<Verified> {
  const removals = await removalsIn(tx);
  const head = await headOf(tx);
  const counted = await tx.execute<{ n: string }>(sql`select count(*) as n from log where seal is null`);
  const unsealed = Number(counted.rows[0]?.n);
  let seal = 0;
  let hash = firstHash;
  let removed = 0;
  const broken = (id: string | null, at: number, why: string): Verified => ({
    rows: seal,
    unsealed,
    removed,
    head,
    broken: { id: id === null ? null : Number(id), seal: at, why },
  });
  for (;;) {
    const { rows } = await tx.execute<LogRow>(logRows(sql`seal > ${seal}`, 'seal', portion));
    for (const row of rows) {
      const at = seal + 1;
      if (Number(row.seal) !== at) return broken(null, at, '缺少记录');
      const why = faultOf(row, hash, removals);
      if (why) return broken(row.id, at, why);
      if (row.removed === 1) removed += 1;
      seal = at;
      hash = row.hash!;
    }
    if (rows.length < portion) break;
  }
  if (head.seal > seal) return broken(null, seal + 1, '缺少记录');
  const lower = await tx.execute<{ id: string; seal: string }>(
    sql`select id::text, seal::text from log where seal < 1`,
  );
  const stray = lower.rows[0];
  if (stray) return broken(stray.id, Number(stray.seal), '序号有误');
  if (head.hash !== hash || head.seal !== seal) return broken(null, seal, '链尾与登记的不一致');
  return { rows: seal, unsealed, removed, head, broken: null };
}

function faultOf(row: LogRow, previous: string, removals: readonly Range[]): string | null {
  const seal = Number(row.seal);
  const named = inRanges(removals, seal);
  if (row.removed === 1 ? !named || !row.blank : contentHash(row) !== row.content_hash) return '内容被改动';
  if (row.removed === 0 && named) return '已清除的记录又有了内容';
  if (row.prev_hash !== previous) return '与上一条不相连';
  return linkHash(seal, row.id, row.content_hash ?? '', previous) === row.hash ? null : '校验值不符';
}

/** Positions whose content was removed, according to the tombstones in the chain. */
async function removalsIn(tx: Db): Promise<Range[]> {
  const { rows } = await tx.execute<{ diff: ObjectDifference[] }>(
    sql`select diff from log where removed = 2 and seal is not null`,
  );
  const fields = rows
    .flatMap((row) => (Array.isArray(row.diff) ? row.diff : []))
    .flatMap((object) => object.fields ?? []);
  const places = fields.filter((field) => field.field === placesField && typeof field.after === 'string');
  return places.flatMap((field) => rangesIn(field.after as string)).toSorted((a, b) => a[0] - b[0]);
}
