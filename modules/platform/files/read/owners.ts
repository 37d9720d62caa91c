import type { FileKind } from '#kernel/contract/upload.ts';
import type { PictureRule } from '#kernel/server/files/photograph/picture.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';

/** The rule of a module whose records hold files, registered at startup. */
export interface OwnerRule {
  /** File kinds that its records accept. */
  kinds: readonly FileKind[];
  /** Longest side of its pictures in pixels; they are redrawn. */
  imageSize: number;
  /** Its pictures are photographs: stored large, in several sizes, with the few facts of `Shot`. */
  picture?: PictureRule;
  /** Its files carry a watermark if the site requires it. */
  watermarked?: boolean;
  /** Returns whether a file of a record carries it in any case; a text precedes the name in the watermark. */
  alwaysMarked?(recordId: string, tx: Db, fileId: number): Promise<boolean | string>;
  /** Returns whether a person sees the record that holds a file, and so the file. */
  may(viewer: Viewer, file: { id: number; recordId: string }, tx: Db): Promise<boolean>;
}

/** By module name, as in uploads and attachments. */
export type Owners = Readonly<Record<string, OwnerRule>>;

declare module '#kernel/server/product.ts' {
  interface Product {
    /** The owner rules of all modules. */
    owners: Owners;
  }
  interface ModuleDefinition {
    /** The owner rules of its files. */
    owners?: Owners;
  }
}
