import { signedOut } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { ProtocolReply, type Wire } from '#kernel/server/http/implement.ts';
import type { ToPdf } from '#kernel/server/files/office-pdf.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { FileStore } from '#modules/platform/files/service.ts';
import type { Settings } from '#modules/platform/settings/service.ts';
import type { Editors } from './editors.ts';
import type { Held, HeldFiles } from './editing/held.ts';
import type { Lock } from './editing/locks.ts';
import type { GivenPass, Pass, Passes } from './editing/passes.ts';

/** Everything needed to let an editor work on our files. */
export interface Hosting {
  passes: Passes;
  editors: Editors;
  files: HeldFiles;
  fileStore: FileStore;
  /** Missing if the machine has no office program. */
  toPdf: ToPdf | null;
  settings: Pick<Settings, 'get'>;
  /** Returns the public origin. */
  house(): string | null;
}

/** One request of an editor. */
export interface Request {
  fileId: number;
  token: string;
  wire: Wire;
  now: Date;
}

/** The rights of a token on exactly this file. Throws `signedOut` for another file, and for an invalid token. */
export function passOf({ passes }: Hosting, { fileId, token, now }: Request): GivenPass {
  const pass = passes.read(token, now);
  if (pass?.fileId !== fileId) throw signedOut();
  return pass;
}

/**
 * The pass of a request with a valid signature of the editor's server, if it signs; otherwise the protocol's error. Throws `signedOut` if no editor
 * is configured.
 */
export async function admitted(hosting: Hosting, request: Request): Promise<GivenPass | ProtocolReply> {
  const pass = passOf(hosting, request);
  if ((await hosting.editors.origin()) === null) throw signedOut();
  if (await hosting.editors.proves(request.token, request.wire, request.now)) return pass;
  return new ProtocolReply(500, { headers: { 'x-wopi-servererror': 'The proof of this request does not hold' } });
}

/** The file, if this pass may change it; throws `signedOut` if it may only be read, or no longer. */
export async function writable(hosting: Hosting, tx: Db, user: Viewer, pass: Pass, lock = false): Promise<Held> {
  if (!pass.write) throw signedOut();
  const held = await hosting.files.held(tx, user, pass.fileId, lock);
  if (!held.mayWrite) throw signedOut();
  return held;
}

/** The reply to a caller without the lock: the present lock, empty if there is none. */
export const lockedOut = (lock: Lock, reason: string): ProtocolReply =>
  new ProtocolReply(409, { headers: { 'x-wopi-lock': lock ?? '', 'x-wopi-lockfailurereason': reason } });

export const versionOf = ({ versionNo }: Held) => ({ 'x-wopi-itemversion': String(versionNo) });

declare module '#kernel/server/services.ts' {
  interface Services {
    hosting: Hosting;
  }
}
