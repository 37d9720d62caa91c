import { Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Origin } from '#kernel/server/http/implement.ts';
import type { PersonCard } from '../contract/cards.ts';
import type { Held } from '../contract/leaves.ts';

/** Who hands over, and when. */
export interface By {
  user: Viewer;
  now: Date;
  origin: Origin;
}
export interface Handed {
  moved: number;
  /** What stays, and why. */
  kept: { id: number; title: string; msg: string }[];
}

/** What of a module is somebody's until another has it: shown and handed over before an account is closed. */
export interface Leaves {
  key: string;
  title: string;
  /** Nobody has it afterwards: it ends. */
  ends?: true;
  /** It asks nothing else of whoever hands it over, so it goes by them alone who could act as the person. */
  asPerson?: true;
  openOf(tx: Db, person: number, limit: number): Promise<{ count: number; rows: Held[] }>;
  /** `only`: of these ids; of all where none is named. What may not go stays. */
  handOver(tx: Db, from: PersonCard, to: PersonCard, by: By, only: readonly number[]): Promise<Handed>;
}

/** Rows as `openOf` answers them, of a module that reads them all at once. */
export const heldOf = (rows: readonly Held[], limit: number) => ({ count: rows.length, rows: rows.slice(0, limit) });

/** Hands over row by row; what is refused, before anything of it is written, stays with its reason. */
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
    /** What of it is somebody's, to be handed over before they leave. */
    leaves?: readonly Leaves[];
  }
}
