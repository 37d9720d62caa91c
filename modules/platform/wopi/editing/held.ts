import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Accepted, FileRow, OwnerRule } from '#modules/platform/files/service.ts';
import type { Lock } from './locks.ts';

/** A file that is edited in place, as a person may have it now. */
export interface Held {
  id: number;
  file: FileRow;
  /** Counts what was saved, from 1. */
  versionNo: number;
  saved: Date;
  ownerId: number;
  mayWrite: boolean;
}

/** When it was saved last, by which one version is told from another: a moment is kept in whole seconds, in which several may be saved. */
export const lastModified = ({ saved, versionNo }: Pick<Held, 'saved' | 'versionNo'>): string =>
  new Date(saved.getTime() + (versionNo % 1000)).toISOString();

/** The records that hold such files. */
export interface HeldFiles {
  rule: OwnerRule;
  /** Throws `absent` unless the person sees it and it may be opened by an editor. `lock`: until the transaction ends. */
  held(tx: Db, user: Viewer, id: number, lock?: boolean): Promise<Held>;
  /** The lock that has not run out; its row is locked until the transaction ends where that is wanted. */
  lockOf(tx: Db, id: number, now: Date, hold?: boolean): Promise<Lock>;
  keepLock(tx: Db, id: number, lock: { id: string; userId: number; until: Date } | null): Promise<void>;
  /** Makes a new version, or nothing where the content is the same; answers the file as it is then. */
  save(tx: Db, user: Viewer, held: Held, file: Accepted): Promise<Held>;
  /** Gives the file, as it lies there now, another name. */
  rename(tx: Db, user: Viewer, held: Held, name: string): Promise<Held>;
  /** The files that lie beside this one, itself among them. */
  beside(tx: Db, held: Held): Promise<{ id: number; name: string }[]>;
  /** Lays another file beside this one. Throws what keeps it from being there. */
  lay(tx: Db, user: Viewer, held: Held, file: Accepted): Promise<Held>;
}
