import { fileTooBig } from '#kernel/contract/upload.ts';
import { pathOf } from '#kernel/contract/call.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { ProtocolReply, type Incoming } from '#kernel/server/http/implement.ts';
import { admitted as checked, aside, type Accepted } from '#modules/platform/files/service.ts';
import { uploadBroken } from '#modules/platform/files/contract.ts';
import { wopi } from '../contract.ts';
import { lockedOut, writable, type Hosting } from '../hosting.ts';
import { endingOf, freeName, fromUtf7, properName, withoutEnding } from './names.ts';
import type { Put } from './putting.ts';
import { refused } from './refused.ts';

/** RenameFile: the name comes without its extension, which stays; a taken one is numbered. */
export async function rename(hosting: Hosting, { pass, user, wire, now }: Put, tx: Db): Promise<ProtocolReply> {
  const { files } = hosting;
  const held = await writable(hosting, tx, user, pass, true);
  const lock = await files.lockOf(tx, pass.fileId, now, true);
  if (lock !== null && lock !== wire.header('x-wopi-lock'))
    return lockedOut(lock, 'The file is locked by another session');
  const asked = fromUtf7(wire.header('x-wopi-requestedname') ?? '');
  const wanted = properName(asked);
  if (!asked.isWellFormed()) return unnameable('The name holds half a character');
  if (!wanted) return unnameable('The name is empty');
  const others = (await files.beside(tx, held)).filter((one) => one.id !== held.id);
  const name = freeName(
    `${wanted}.${held.file.ext}`,
    others.map((one) => one.name),
  );
  if (name !== held.file.name) await files.rename(tx, user, held, name);
  return new ProtocolReply(200, { json: { Name: withoutEnding(name) } });
}

const unnameable = (why: string) => new ProtocolReply(400, { headers: { 'x-wopi-invalidfilenameerror': why } });

/** The target of PutRelativeFile: a file of this name, or the next version of an existing one. */
export interface Target {
  name: string;
  over: number | null;
}

/** Determines the requested file; a reply if that is impossible. */
async function targetOf(
  hosting: Hosting,
  { pass, user, wire, now }: Put,
  tx: Db,
  hold: boolean,
): Promise<Target | ProtocolReply> {
  const held = await writable(hosting, tx, user, pass, hold);
  const [suggested, exact] = [wire.header('x-wopi-suggestedtarget'), wire.header('x-wopi-relativetarget')];
  // Exactly one of the two headers gives the name.
  if ((suggested === undefined) === (exact === undefined))
    return new ProtocolReply(suggested === undefined ? 400 : 501);
  const beside = await hosting.files.beside(tx, held);
  const names = beside.map((one) => one.name);
  const asked = fromUtf7(suggested ?? exact ?? '');
  if (!asked.isWellFormed()) return unnameable('The name holds half a character');
  const whole = asked.startsWith('.') ? `${withoutEnding(held.file.name)}${asked}` : asked;
  const name = properName(whole);
  const ending = endingOf(name);
  if (!ending || !withoutEnding(name) || !hosting.files.rule.kinds.some((kind) => kind === ending))
    return new ProtocolReply(400, { headers: { 'x-wopi-validrelativetarget': '' } });
  if (suggested !== undefined) return { name: freeName(name, names), over: null };
  if (name !== whole)
    return new ProtocolReply(400, {
      headers: { 'x-wopi-validrelativetarget': encodeURIComponent(freeName(name, names)) },
    });
  const there = beside.find((one) => one.name === name);
  if (!there) return { name, over: null };
  const lock = await hosting.files.lockOf(tx, there.id, now, hold);
  const over = wire.header('x-wopi-overwriterelativetarget')?.toLowerCase() === 'true';
  if (over && lock === null) return { name, over: there.id };
  const valid = { 'x-wopi-validrelativetarget': encodeURIComponent(freeName(name, names)) };
  return new ProtocolReply(409, { headers: lock === null ? valid : { ...valid, 'x-wopi-lock': lock } });
}

/** Spools the bytes of a file saved under another name; they pass the same checks as an upload. No transaction is open. */
export async function receiveRelative(
  hosting: Hosting,
  asked: Put,
  { read, incoming }: { read: Db; incoming: Incoming },
): Promise<Accepted | ProtocolReply> {
  const target = await targetOf(hosting, asked, read, false);
  if (target instanceof ProtocolReply) return target;
  const most = (await hosting.settings.get('site')).file_max_mb * 2 ** 20;
  const tooBig = fileTooBig(most);
  try {
    return await aside(
      hosting.fileStore,
      incoming.stream,
      { most, name: target.name, tooBig: () => tooBig },
      (sent) => {
        if (sent.broken) throw uploadBroken();
        return checked(hosting.fileStore, sent, { name: target.name, rule: hosting.files.rule, by: asked.pass.userId });
      },
    );
  } catch (error) {
    return refused(error, tooBig);
  }
}

/** PutRelativeFile: stores the received bytes as another file of the record, or over the named one; returns its address. */
export async function putRelative(
  hosting: Hosting,
  asked: Put,
  tx: Db,
  received: Accepted,
): Promise<{ reply: ProtocolReply; name: string | null }> {
  const { files } = hosting;
  const { pass, user, now } = asked;
  const target = await targetOf(hosting, asked, tx, true);
  if (target instanceof ProtocolReply) return { reply: target, name: null };
  const source = await files.held(tx, user, pass.fileId, true);
  const made =
    target.over === null
      ? await files.lay(tx, user, source, { ...received, name: target.name })
      : await files.save(tx, user, await files.held(tx, user, target.over, true), received);
  const { token } = hosting.passes.make({ ...pass, fileId: made.id }, now);
  const path = pathOf(wopi.checkFileInfo, { id: made.id }).replace(/\/$/, '');
  const url = `${hosting.house() ?? ''}${path}?access_token=${encodeURIComponent(token)}`;
  return { reply: new ProtocolReply(200, { json: { Name: made.file.name, Url: url } }), name: made.file.name };
}
