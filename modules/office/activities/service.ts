import type { Db } from '#kernel/server/db/db.ts';

interface Source {
  module: string;
  id: number;
}
/** Where the photos of a record lie. */
export interface Albums {
  /** Opens an album for a record, once, which those people look after; answers its id. */
  open(tx: Db, asked: { name: string; source: Source; managers: readonly number[] }): Promise<number>;
  /** How many photos lie in the album of a record. */
  photosOf(tx: Db, source: Source): Promise<number>;
}

declare module '#kernel/server/product.ts' {
  interface Product {
    albums: Albums;
  }
  interface ModuleDefinition {
    /** Albums of the records of others; said by one module. */
    albums?: Albums;
  }
}
