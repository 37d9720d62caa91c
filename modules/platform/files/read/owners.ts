import type { FileKind } from '#kernel/contract/upload.ts';
import type { PictureRule } from '#kernel/server/files/photograph/picture.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';

/** What a module whose records hold files says about them, once, where the product is put together. */
export interface OwnerRule {
  /** Kinds its records take. */
  kinds: readonly FileKind[];
  /** Longest side of its pictures in pixels; they are drawn anew. */
  imageSize: number;
  /** Its pictures are photographs: kept large, in several sizes, with the few facts of `Shot`. */
  picture?: PictureRule;
  /** Its files carry the reader's name where the site asks for it. */
  watermarked?: boolean;
  /** Whether a file of a record carries it whatever the site asks for; words are what the mark says before the name. */
  alwaysMarked?(recordId: string, tx: Db, fileId: number): Promise<boolean | string>;
  /** Whether a person sees the record that holds a file, and so the file. */
  may(viewer: Viewer, file: { id: number; recordId: string }, tx: Db): Promise<boolean>;
}

/** By module name, as uploads and attachments name it. */
export type Owners = Readonly<Record<string, OwnerRule>>;

declare module '#kernel/server/product.ts' {
  interface Product {
    /** Whose files of all modules are. */
    owners: Owners;
  }
  interface ModuleDefinition {
    /** Whose these files are, who sees them. */
    owners?: Owners;
  }
}
