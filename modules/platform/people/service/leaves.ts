import { Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Origin } from '#kernel/server/http/implement.ts';
import type { PersonCard } from '../contract/cards.ts';
import type { Held } from '../contract/leaves.ts';

/** The person handing over, and the time. */
export interface By {
  user: Viewer;
  now: Date;
  origin: Origin;
}
export interface Handed {
  moved: number;
  /** Things that stay, with the reason. */
  kept: { id: number; title: string; msg: string }[];
}

/** Things of a module that belong to somebody until another takes them: shown and handed over before an account is closed. */
export interface Leaves {
  key: string;
  title: string;
  /** Set if nobody takes it over: it ends. */
  ends?: true;
  /** Set if it has no check of its own, so that only people who could act as the person may hand it over. */
  asPerson?: true;
  openOf(tx: Db, person: number, limit: number): Promise<{ count: number; rows: Held[] }>;
  /** `only`: just these ids; all if empty. Things that may not go stay. */
  handOver(tx: Db, from: PersonCard, to: PersonCard, by: By, only: readonly number[]): Promise<Handed>;
}

/** Rows in the format of `openOf`, for a module that reads them all at once. */
export const heldOf = (rows: readonly Held[], limit: number) => ({ count: rows.length, rows: rows.slice(0, limit) });

/** Hands over row by row; one refused before anything is written stays, with the reason. */
export async function eachHanded<Row extends Held>(
  rows: readonly Row[],
  only: readonly number[],
  work: (row: Row) => Promise<unknown>,
): Promise<Handed> {
  const handed: Handed = { moved: 0, kept: [] };
  for (const row of rows) {
    if (only.length > 0 && !only.includes(row.id)) continue;
    try {
      await work(row);
      handed.moved += 1;
    } catch (stop) {
      if (!(stop instanceof Refusal)) throw stop;
      handed.kept.push({ id: row.id, title: row.title, msg: stop.message });
    }
  }
  return handed;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    leaves: readonly Leaves[];
  }
  interface ModuleDefinition {
    /** Its things to be handed over before somebody leaves. */
    leaves?: readonly Leaves[];
  }
}
