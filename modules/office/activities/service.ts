import type { Db } from '#kernel/server/db/db.ts';

interface Source {
  module: string;
  id: number;
}
/** The albums that hold photos of records. */
export interface Albums {
  /** Opens one album for a record, with the given managers; returns its id. */
  open(tx: Db, asked: { name: string; source: Source; managers: readonly number[] }): Promise<number>;
  /** The number of photos in the album of a record. */
  photosOf(tx: Db, source: Source): Promise<number>;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    albums: Albums;
  }
  interface ModuleDefinition {
    /** Albums of other modules' records; one module provides them. */
    albums?: Albums;
  }
}
