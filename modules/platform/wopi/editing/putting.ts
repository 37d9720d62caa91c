import { fileTooBig } from '#kernel/contract/upload.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { ProtocolReply, type Incoming, type Wire } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { admitted as checked, aside, type Accepted } from '#modules/platform/files/service.ts';
import { uploadBroken } from '#modules/platform/files/contract.ts';
import { lockedOut, versionOf, writable, type Hosting } from '../hosting.ts';
import { mayPut } from './locks.ts';
import { refused } from './refused.ts';
import { lastModified, type Held } from './held.ts';
import type { Pass } from './passes.ts';

export interface Put {
  pass: Pass;
  user: Viewer;
  wire: Wire;
  now: Date;
}
const wrongLock = 'The file is locked by another session, or not at all';

/** Collabora sends the time of the version it read, in either of two headers, and asks its user what to do if that is outdated. */
function isMovedOn(held: Held, wire: Wire): boolean {
  const read = wire.header('x-cool-wopi-timestamp') ?? wire.header('x-lool-wopi-timestamp');
  return read !== undefined && Date.parse(read) !== Date.parse(lastModified(held));
}
const changedMeanwhile = 1010;
const movedOn = () =>
  new ProtocolReply(409, { json: { COOLStatusCode: changedMeanwhile, LOOLStatusCode: changedMeanwhile } });

/** Spools the bytes of a save if it is allowed; they pass the same checks as an upload. No transaction is open. */
export async function receive(
  hosting: Hosting,
  { pass, user, wire, now }: Put,
  { read, incoming }: { read: Db; incoming: Incoming },
): Promise<Accepted | ProtocolReply> {
  const { files, fileStore } = hosting;
  const held = await writable(hosting, read, user, pass);
  const { file } = held;
  const lock = await files.lockOf(read, pass.fileId, now);
  if (!mayPut(lock, wire.header('x-wopi-lock'), file.size)) return lockedOut(lock, wrongLock);
  if (isMovedOn(held, wire)) return movedOn();
  const most = (await hosting.settings.get('site')).file_max_mb * 2 ** 20;
  const tooBig = fileTooBig(most);
  try {
    return await aside(fileStore, incoming.stream, { most, name: file.name, tooBig: () => tooBig }, (sent) => {
      if (sent.broken) throw uploadBroken();
      return checked(fileStore, sent, { name: file.name, rule: files.rule, by: pass.userId });
    });
  } catch (error) {
    return refused(error, tooBig);
  }
}

/** PutFile: makes a version of the received bytes, if the lock is still the given one. */
export async function put(
  hosting: Hosting,
  { pass, user, wire, now }: Put,
  tx: Db,
  received: Accepted,
): Promise<{ reply: ProtocolReply; saved: boolean }> {
  const { files } = hosting;
  const held = await writable(hosting, tx, user, pass, true);
  const lock = await files.lockOf(tx, pass.fileId, now, true);
  if (!mayPut(lock, wire.header('x-wopi-lock'), held.file.size))
    return { reply: lockedOut(lock, wrongLock), saved: false };
  if (isMovedOn(held, wire)) return { reply: movedOn(), saved: false };
  const after = await files.save(tx, user, held, received);
  const json = { LastModifiedTime: lastModified(after) };
  return {
    reply: new ProtocolReply(200, { headers: versionOf(after), json }),
    saved: after.versionNo !== held.versionNo,
  };
}
