import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Accepted, FileRow, OwnerRule } from '#modules/platform/files/service.ts';
import type { Lock } from './locks.ts';

/** A file edited in place, with a person's present rights. */
export interface Held {
  id: number;
  file: FileRow;
  /** The number of saved versions, from 1. */
  versionNo: number;
  saved: Date;
  ownerId: number;
  mayWrite: boolean;
}

/** The time of the last save, which distinguishes versions: times are stored in whole seconds, and several versions may be saved within one. */
export const lastModified = ({ saved, versionNo }: Pick<Held, 'saved' | 'versionNo'>): string =>
  new Date(saved.getTime() + (versionNo % 1000)).toISOString();

/** The records that hold such files. */
export interface HeldFiles {
  rule: OwnerRule;
  /** Throws `absent` unless the person sees it and an editor may open it. `lock`: until the transaction ends. */
  held(tx: Db, user: Viewer, id: number, lock?: boolean): Promise<Held>;
  /** The unexpired lock; with `hold` its row is locked until the transaction ends. */
  lockOf(tx: Db, id: number, now: Date, hold?: boolean): Promise<Lock>;
  keepLock(tx: Db, id: number, lock: { id: string; userId: number; until: Date } | null): Promise<void>;
  /** Makes a new version, or nothing if the content is unchanged; returns the file afterwards. */
  save(tx: Db, user: Viewer, held: Held, file: Accepted): Promise<Held>;
  /** Renames the present file. */
  rename(tx: Db, user: Viewer, held: Held, name: string): Promise<Held>;
  /** The files of the same record, including this one. */
  beside(tx: Db, held: Held): Promise<{ id: number; name: string }[]>;
  /** Adds another file to the record. Throws the reason if it cannot. */
  lay(tx: Db, user: Viewer, held: Held, file: Accepted): Promise<Held>;
}
