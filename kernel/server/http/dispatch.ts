import { randomInt } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import type { Logger } from 'pino';
import { z } from 'zod';
import { fileReply, messageOf, type Call, type EntryStep } from '#kernel/contract/call.ts';
import { absent, codes, forbidden, notOverAll, refusal, signedOut, type Refusal } from '#kernel/contract/refusal.ts';
import { notify, type Bus } from '../live/bus.ts';
import { changesChannel, changesIn, everybody } from '../live/changes.ts';
import type { Cookies } from './cookies.ts';
import { sendAlong, type Databases, type Db } from '../db/db.ts';
import { isAway } from '../db/lost.ts';
import { withNumbers } from '../db/numbering.ts';
import { searchWhole } from '../list/whole-list.ts';
import { momentText } from '#kernel/contract/moment.ts';
import type { AcknowledgedWrites } from '../live/acknowledged.ts';
import { parsed, refuseUnknownNames, success, transientState, type Envelope } from './envelope.ts';
import { createExportPlaces } from '../export/export-places.ts';
import { openSheet, type Sheet } from '../export/export.ts';
import { attemptOf, keptAnswer, once } from './idempotency.ts';
import {
  isStaged,
  ProtocolReply,
  type Change,
  type Context,
  type FileReply,
  type Incoming,
  type Input,
  type SignedBody,
  type AfterReading,
  type Mounted,
  type Origin,
  type Ports,
  type SignedRequest,
  type UploadedFile,
  type Wire,
} from './implement.ts';
import type { Metrics } from '../process/metrics.ts';
import type { SecretBox } from '../process/secret-box.ts';
import { stepBefore } from '../access/owed.ts';
import { holds, reachesEnough, type Viewer } from '../access/viewer.ts';
import type { Services } from '../services.ts';

/** `data` tells the client what to ask for next. */
export const secondStepFirst = refusal(
  codes.forbidden,
  () => '请先完成二次验证',
  () => ({ second_step: true }),
);
export const newPasswordFirst = refusal(
  codes.forbidden,
  () => '您正在使用一次性密码，请先设置新密码',
  () => ({ new_password: true }),
);
const stepFirst: Record<EntryStep, () => Refusal> = { password: newPasswordFirst, second: secondStepFirst };
export const onlySeeing = refusal(
  codes.forbidden,
  (whose: string) => `正在以${whose}的权限查看，不能修改或导出，请先结束查看`,
);
export const notExported = refusal(codes.refused, (what: string) => `“${what}”不能导出，请去掉导出参数`);
export const crossSite = refusal(codes.forbidden, () => '该操作只能在本系统页面内进行');

/** The parts of a request, before any of them is believed. */
export interface Arrived {
  token: string | null;
  signed: SignedRequest | null;
  signedBody: SignedBody | null;
  /** The token of an external protocol, which then answers in its own way; null if the call or the request uses none. */
  accessToken: string | null;
  wire: Wire;
  /** The caller, once identified. */
  user?: Viewer | null;
  params: unknown;
  query: Record<string, unknown>;
  body: unknown;
  file?: UploadedFile;
  incoming?: Incoming;
  /** Reads the file, or its beginning, and the fields beside it; called only for callers that are allowed. */
  upload?: (() => Promise<{ file?: UploadedFile; incoming?: Incoming; body: unknown }>) | undefined;
  /** True if the bytes are those that were signed; null if they were read before the caller was identified. */
  whole: (() => Promise<boolean>) | null;
  idempotencyKey: string | null;
  crossSite: boolean;
  cookies: Cookies;
  origin: Origin;
  path: string;
}

export type Answered =
  | { kind: 'envelope'; envelope: Envelope; user: Viewer | null }
  | { kind: 'file'; file: FileReply; user: Viewer | null }
  | { kind: 'protocol'; reply: ProtocolReply; user: Viewer | null }
  | { kind: 'sheet'; sheet: Sheet; title: string; user: Viewer | null };

export interface Kernel {
  databases: Databases;
  services: Services;
  ports: Ports;
  bus: Bus;
  replica: boolean;
  log: Logger;
  acknowledged: Pick<AcknowledgedWrites, 'note'>;
  /** A keyed hash of a text, useless to a reader of the database. */
  keyedHash: SecretBox['keyedHash'];
  now(): Date;
  /** Milliseconds that an export waits for a free place. */
  exportPatience?: number;
}

type Dispatch = (mounted: Mounted, arrived: Arrived) => Promise<Answered>;
const bodyOf = ({ bodyOf: read }: Call, sent: unknown) => read?.(sent) ?? sent;
const recentlyMs = 5000;
const isRecent = (at: number | undefined) => at !== undefined && Date.now() - at < recentlyMs;

/** The fixed order of every call: signed in, granted, well-formed, transaction. */
export function createDispatch(kernel: Kernel, metrics: Pick<Metrics, 'triedAgain'>): Dispatch {
  const takePlace = createExportPlaces(kernel.exportPatience);
  const wrote = new Map<number, number>();
  kernel.bus.listen('wrote', (sessionId) => wrote.set(Number(sessionId), Date.now()));
  // Clients ask again as soon as they are notified, so they must not read the state before the commit from a replica.
  const notified = new Map<number, number>();
  if (kernel.replica)
    kernel.bus.listen(changesChannel, (payload) => {
      for (const { person } of changesIn(payload)) notified.set(person, Date.now());
    });
  setInterval(() => {
    for (const known of [wrote, notified]) for (const [key, at] of known) if (!isRecent(at)) known.delete(key);
  }, 10_000).unref();

  const readFor = (call: Call, user: Viewer | null): Db => {
    if (!kernel.replica || call.fresh) return kernel.databases.fresh;
    const news = user ? [wrote.get(user.sessionId), notified.get(user.id), notified.get(everybody)] : [];
    return news.some(isRecent) ? kernel.databases.fresh : kernel.databases.read;
  };

  return async (mounted, arrived) => {
    const { call, handler } = mounted;
    const user = await admit(kernel, call, arrived);
    if (arrived.upload) Object.assign(arrived, await arrived.upload());
    if (!call.stream) await refuseAltered(arrived);
    refuseUnknownNames(call, arrived.query);
    const input: Input<Call> = {
      params: paramsOf(call, arrived.params),
      query: parsed(call.query, arrived.query),
      body: parsed(call.body, call.body ? bodyOf(call, arrived.body ?? {}) : undefined),
      // Present if the contract takes one; a handler of any other reads none.
      file: arrived.file as UploadedFile,
      incoming: arrived.incoming as Incoming,
      signedBody: arrived.signedBody,
    };
    const now = kernel.now();
    const { origin, cookies, wire } = arrived;
    const context = { user, now, origin, cookies, wire, services: kernel.services } as Context;
    const attempt = attemptOf(kernel.keyedHash, call, arrived, user, input);
    if (attempt && isStaged(handler)) {
      // The work before the transaction would refuse a repeat: the old password is no longer the old one.
      const kept = await keptAnswer(kernel.databases.fresh, attempt);
      if (kept) return answer(call, kept.answer, user);
    }
    const prepared = isStaged(handler)
      ? await handler.before(input, { ...context, read: kernel.databases.fresh })
      : undefined;
    if (call.stream) await refuseAltered(arrived);
    const readings: AfterReading[] = [];
    const invoke = (tx: Db, changes: Change[], asked = input): Promise<unknown> => {
      const work: Context = {
        ...context,
        tx,
        audit: (change) => void changes.push(change),
        afterReading: (reading) => void readings.push(reading),
      };
      return Promise.resolve(
        isStaged(handler)
          ? handler.run({ ...asked, prepared }, work)
          : handler({ ...asked, prepared: undefined }, work),
      );
    };

    const asked = input.query as { export?: string; reason?: string } | undefined;
    if (call.exports && asked?.export) {
      const started = performance.now();
      const rowsOf = async (tx: Db, number: number, size: number) =>
        shape(call, await invoke(tx, [], { ...input, query: { ...asked, page: number, per_page: size } }));
      const leave = await takePlace(user?.id ?? 0);
      const { title: of, columns } = call.exports;
      const shown = { title: of, columns: typeof columns === 'function' ? columns(asked) : columns };
      const sheet = await openSheet(kernel.databases, shown, leave, rowsOf);
      const title = `${of} ${sheet.rows} 行`;
      const change = { type: '导出', title, after: asked.reason ? { 用途: asked.reason } : null };
      const { path } = call;
      const { params, query } = arrived;
      try {
        const later = await kernel.databases.write(async (tx) => {
          await remember(kernel, tx, mounted, arrived, user, started, [change]);
          // Messages are for people, not for applications.
          if (!user || user.application) return null;
          const wanted = { user, path, params: { ...(params as object) }, query, title: of, rows: sheet.rows };
          return kernel.ports.exportLater?.(tx, wanted);
        });
        if (later) {
          sheet.bytes.destroy();
          return { kind: 'envelope', envelope: success(null, later), user };
        }
      } catch (error) {
        sheet.bytes.destroy();
        throw error;
      }
      return { kind: 'sheet', sheet, title: of, user };
    }

    if (call.method === 'GET' && !call.writes) {
      const started = performance.now();
      const { fresh } = kernel.databases;
      const from = readFor(call, user);
      const data = await invoke(from, []).catch((error: unknown) => {
        if (from === fresh || !kernel.databases.replicaFailed(error)) throw error;
        readings.length = 0;
        return invoke(fresh, []);
      });
      const noted = user?.seeing === undefined || call.notesReading === 'always';
      if (call.notesReading && readings.length > 0 && noted)
        await kernel.databases
          .write(async (tx) => {
            for (const work of readings) await work(tx);
          })
          // While the database is away people can still read; the reading is recorded when they come back.
          .catch((error: unknown) => {
            if (call.notesReading === 'always' || !isAway(error)) throw error;
          });
      if (user?.application)
        await kernel.databases.write((tx) => remember(kernel, tx, mounted, arrived, user, started, []));
      const typed = arrived.query['search_value'];
      const whole = shape(call, data);
      return answer(call, typeof typed === 'string' ? searchWhole(call, whole, typed) : whole, user);
    }

    let done = '';
    const work = () =>
      kernel.databases.write(async (tx) => {
        // The work of an earlier try was rolled back.
        done = '';
        const started = performance.now();
        const perform = async () => {
          const noted: Change[] = [];
          const [data, changes] = await withNumbers(tx, [shape(call, await invoke(tx, noted)), noted]);
          done = [call.summary, changes[0]?.type, changes[0]?.title].filter(Boolean).join(' ');
          const entries = call.logsEach && changes.length > 0 ? changes.map((change) => [change]) : [changes];
          if (!call.quiet)
            for (const entry of entries)
              await sendAlong(tx, remember(kernel, tx, mounted, arrived, user, started, entry));
          return data;
        };
        if (kernel.replica && user) await sendAlong(tx, notify(tx, 'wrote', String(user.sessionId)));
        return attempt ? once(tx, attempt, perform) : perform();
      });
    const data = await persistently(work, metrics.triedAgain);
    // A repeat that was answered from the kept answer changed nothing.
    if (done !== '' && !call.quiet) {
      const { path } = arrived;
      const who = user?.alias ?? '';
      kernel.acknowledged.note({ at: momentText(now), traceId: origin.traceId, who, what: done, path });
    }
    // Set directly, because the answer may arrive before the notification does.
    if (kernel.replica && user) wrote.set(user.sessionId, Date.now());
    // Caches that this node keeps up to date by notifications (rules, rights, sessions) are valid for the very next request.
    await kernel.bus.caughtUp();
    return answer(call, data, user);
  };
}

const mostTries = 4;

/** Runs a transaction again if the database ended it in favour of another, after a delay that grows with each try. */
async function persistently<T>(work: () => Promise<T>, onRetry: (sqlState: string) => void): Promise<T> {
  for (let tried = 1; ; tried++) {
    try {
      return await work();
    } catch (error) {
      const state = transientState(error);
      if (tried === mostTries || state === null) throw error;
      onRetry(state);
      // The delay is random, so that the same two do not collide again.
      await setTimeout(randomInt(50) * tried);
    }
  }
}

async function admit(kernel: Kernel, call: Call, arrived: Arrived): Promise<Viewer | null> {
  const user = await identify(kernel, arrived);
  arrived.user = user;
  if ((call.writes || call.notesReading) && arrived.crossSite) throw crossSite();
  if (user?.application && !user.application.may(call)) throw forbidden(call.summary);
  const changes = call.method !== 'GET' || call.writes || (call.exports && arrived.query['export'] !== undefined);
  if (user?.seeing !== undefined && changes && !call.whileSeeing) throw onlySeeing(user.seeing);
  const step = user && stepBefore(call, user);
  // Before its second step a session counts as a stranger's.
  if (call.access.kind === 'public') return step && user.secondStep !== undefined ? null : user;
  if (!user && 'address' in call.access) return null;
  if (!user) throw signedOut();
  if (step) throw stepFirst[step]();
  if (call.access.kind === 'grant' && !holds(user, call.access.code, ...call.access.pages))
    throw forbidden(call.summary);
  if (call.access.kind === 'grant' && !reachesEnough(user, call.access)) throw notOverAll(call.summary);
  if (call.exports && arrived.query['export'] !== undefined && !holds(user, 'daochu', call.exports.page))
    throw forbidden(`导出${call.exports.title}`);
  if (!call.exports && arrived.query['export'] !== undefined) throw notExported(call.summary);
  return user;
}

function identify(
  { ports, now }: Kernel,
  { token, signed, accessToken, origin }: Arrived,
): Promise<Viewer | null> | null {
  if (accessToken !== null) return ports.identifyByToken(accessToken, now());
  if (token) return ports.identify(token);
  return signed && ports.identifySigned(signed, origin);
}

/** Reads the rest of the body: the part of a stream that the work before the transaction did not read. */
async function refuseAltered({ whole }: Arrived): Promise<void> {
  if (whole && !(await whole())) throw signedOut();
}

function paramsOf(call: Call, params: unknown): unknown {
  try {
    return parsed(call.params, params);
  } catch {
    throw absent('您访问的记录');
  }
}

/** Returns only the fields that the contract's reply names. */
function shape(call: Call, data: unknown): unknown {
  const { reply } = call;
  if (data instanceof ProtocolReply || typeof reply === 'symbol') return data;
  return z.core.parse(reply, data);
}

function answer(call: Call, shaped: unknown, user: Viewer | null): Answered {
  if (shaped instanceof ProtocolReply) return { kind: 'protocol', reply: shaped, user };
  return call.reply === fileReply
    ? { kind: 'file', file: shaped as FileReply, user }
    : { kind: 'envelope', envelope: success(shaped, messageOf(call, shaped)), user };
}

async function remember(
  kernel: Kernel,
  tx: Db,
  mounted: Mounted,
  arrived: Arrived,
  user: Viewer | null,
  started: number,
  changes: readonly Change[],
): Promise<void> {
  await kernel.ports.remember(tx, {
    module: mounted.module,
    action: mounted.call.summary,
    method: mounted.call.method,
    path: arrived.path,
    user,
    origin: arrived.origin,
    result: codes.ok,
    milliseconds: Math.round(performance.now() - started),
    changes,
  });
}

/** Records refused permissions, and every refusal of an application, in a transaction of its own. */
export async function rememberDenied(
  kernel: Kernel,
  mounted: Mounted,
  arrived: Arrived,
  refused: Refusal,
): Promise<void> {
  await kernel.databases.write((tx) =>
    kernel.ports.rememberRefusal(tx, {
      module: mounted.module,
      action: mounted.call.summary,
      method: mounted.call.method,
      path: arrived.path,
      user: arrived.user ?? null,
      origin: arrived.origin,
      result: refused.code,
      milliseconds: 0,
      changes: [],
    }),
  );
}
