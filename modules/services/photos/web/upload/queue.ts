import { useSyncExternalStore } from 'react';
import type { Asked } from '#kernel/contract/call.ts';
import { newAttempt, send } from '#kernel/web/client.ts';
import { CallFailed } from '#kernel/web/failure.ts';
import { createTransfer, rest } from '#modules/platform/files/widgets.tsx';
import { photoState } from '../../contract/codes.ts';
import { photos } from '../../contract/photos.ts';

/** A photo being uploaded; it outlives the page it was chosen on. */
export interface Sending {
  key: string;
  name: string;
  size: number;
  state: 'waiting' | 'sending' | 'held' | 'sent' | 'done' | 'same' | 'failed';
  share: number;
  /** The reason why it waits, failed, or was not sent again. */
  reason: string;
  /** The photo that exists already, or looks the same. */
  other?: number;
}
export interface Common {
  category_id: number;
  [field: string]: unknown;
}
interface Entry {
  file: File;
  common: Common;
  title: string;
  hash: string;
  file_id?: number;
  stop: AbortController;
  /** The number of interruptions in a row without progress. */
  cuts: number;
  run?: ReturnType<typeof createTransfer>;
}

const atOnce = 3;
const together = 10;
const entries = new Map<string, Entry>();
let list: readonly Sending[] = [];
let paused = false;
let active = 0;
let submitting = false;
const heard = new Set<() => void>();
const tell = () => heard.forEach((hear) => hear());
function change(key: string, next: Partial<Sending>): void {
  list = list.map((one) => (one.key === key ? { ...one, ...next } : one));
  tell();
}
const inState = (...states: Sending['state'][]) => list.filter((one) => states.includes(one.state));

/** Arrived uploads by hash: the file, then its photo. A reloaded page need not send them again. */
const place = 'draft:photos';
type Arrived = Record<string, { file?: number; photo?: number }>;
function arrived(): Arrived {
  try {
    return JSON.parse(localStorage.getItem(place) ?? '{}') as Arrived;
  } catch {
    return {};
  }
}
function remember(hash: string, what: Arrived[string] | null): void {
  const all = Object.entries({ ...arrived(), [hash]: what }).filter(([, one]) => one !== null);
  try {
    localStorage.setItem(place, JSON.stringify(Object.fromEntries(all.slice(-3000))));
  } catch {
    // A full storage costs a repeated upload, but loses no photo.
  }
}

/** Includes the album, because the same photo may be in two. */
async function hashOf(file: File, album: number): Promise<string> {
  if (!globalThis.crypto.subtle) return `${album}:${file.name}:${file.size}:${file.lastModified}`;
  const bytes = await crypto.subtle.digest('SHA-256', await file.arrayBuffer());
  return `${album}:${Array.from(new Uint8Array(bytes).slice(0, 12), (byte) => byte.toString(16).padStart(2, '0')).join('')}`;
}

async function run(key: string): Promise<void> {
  const entry = entries.get(key)!;
  active += 1;
  change(key, { state: 'sending' });
  try {
    entry.hash ||= await hashOf(entry.file, entry.common.category_id);
    const twin = [...entries].find(([other, one]) => other !== key && one.hash === entry.hash);
    const known = arrived()[entry.hash];
    if (twin) change(key, { state: 'same', reason: '与本次选择的另一张相同，没有重复上传' });
    else if (known?.photo)
      change(key, { state: 'same', reason: '此前已提交到这个相册，没有重复上传', other: known.photo });
    else if (known?.file) arrive(key, known.file);
    else {
      entry.run ??= createTransfer(entry.file, 'photos');
      const card = await entry.run.run({
        signal: entry.stop.signal,
        quiet: true,
        onProgress: (share) => {
          if (share > (list.find((one) => one.key === key)?.share ?? 0)) entry.cuts = 0;
          change(key, { share });
        },
        onPause: (why) => change(key, { reason: why ? '网络中断，恢复后自动续传' : '' }),
      });
      remember(entry.hash, { file: card.id });
      arrive(key, card.id);
    }
  } catch (error) {
    const stopped = entry.stop.signal.aborted;
    // The network stayed down for all tries: the photo waits for its next turn and continues where it stopped.
    if (entries.has(key) && !stopped && isCut(error) && ++entry.cuts < mostTries)
      change(key, { state: 'waiting', reason: cutReason });
    else if (entries.has(key))
      change(
        key,
        stopped ? { state: 'held', reason: '已暂停' } : { state: 'failed', reason: (error as Error).message },
      );
  }
  active -= 1;
  next();
}

function arrive(key: string, fileId: number): void {
  entries.get(key)!.file_id = fileId;
  change(key, { state: 'sent', share: 1, reason: '' });
}

let lock: WakeLockSentinel | null = null;
function next(): void {
  for (const { key } of inState('waiting')) if (!paused && active < atOnce) void run(key);
  void submit();
  const busy = inState('waiting', 'sending', 'sent').length > 0;
  if (busy && !lock)
    void navigator.wakeLock?.request('screen').then(
      (got) => (lock = got),
      () => undefined,
    );
  if (!busy) void lock?.release().finally(() => (lock = null));
}

const cutReason = '网络中断，恢复后自动续传';
/** The number of interruptions in a row without progress after which a person has to look. The pause grows with each. */
const mostTries = 20;
const pauseOf = (tries: number) => Math.min(60_000, 5000 * tries);
/** True for a failure that passes by itself, of the network or of a restarting server; other errors would recur. */
const isCut = (error: unknown) =>
  error instanceof CallFailed &&
  (['network', 'timeout'].includes(error.kind) || [502, 503, 504].includes(error.status));

/** Repeats the same request with the same key until it is answered, so that nothing is created twice. */
async function sentOnce(body: Asked<typeof photos.createMany>['body'], now: readonly Sending[]) {
  const attempt = newAttempt();
  for (let tries = 1; ; tries += 1)
    try {
      return await send(photos.createMany, { body }, { quiet: true, attempt });
    } catch (error) {
      if (!isCut(error) || tries === mostTries) throw error;
      for (const { key } of now) change(key, { reason: cutReason });
      await rest(pauseOf(tries));
    }
}

/** Creates photos ten at a time, while others are still uploading. */
async function submit(): Promise<void> {
  const ready = inState('sent');
  const last = active === 0 && inState('waiting').length === 0;
  if (submitting || ready.length === 0 || (ready.length < together && !last && !paused)) return;
  const { common } = entries.get(ready[0]!.key)!;
  const now = ready.filter(({ key }) => entries.get(key)!.common === common).slice(0, 50);
  submitting = true;
  try {
    const body = {
      ...common,
      photos: now.map(({ key }) => ({ file_id: entries.get(key)!.file_id!, title: entries.get(key)!.title })),
    };
    const { value } = await sentOnce(body, now);
    now.forEach(({ key }, at) => {
      const { ok, id, msg, duplicate_of, alike_id, state } = value[at]!;
      const entry = entries.get(key);
      // Removed while the network was down.
      if (!entry) return;
      const made = id ?? duplicate_of;
      remember(entry.hash, made ? { photo: made } : null);
      if (ok)
        change(key, {
          state: 'done',
          reason: `${state === photoState.shown ? '已展示' : '待审核'}${alike_id ? '，与已有的一张很像' : ''}`,
          ...(alike_id ? { other: alike_id } : {}),
        });
      else if (duplicate_of !== undefined)
        change(key, { state: 'same', reason: msg, ...(duplicate_of ? { other: duplicate_of } : {}) });
      else {
        delete entry.file_id;
        delete entry.run;
        change(key, { state: 'failed', reason: msg });
      }
    });
  } catch (error) {
    const { message } = error as CallFailed;
    for (const { key } of now) change(key, { state: 'failed', reason: message });
  }
  submitting = false;
  next();
}

/** The queue of this window. */
export const queue = {
  add(files: readonly File[], common: Common, titleOf: (file: File, at: number) => string): void {
    const added = files.map((file, at) => ({ key: newAttempt(), file, title: titleOf(file, at) }));
    for (const { key, file, title } of added)
      entries.set(key, { file, title, common, hash: '', cuts: 0, stop: new AbortController() });
    list = [
      ...list,
      ...added.map(({ key, file }) => ({
        key,
        name: file.name,
        size: file.size,
        state: 'waiting' as const,
        share: 0,
        reason: '',
      })),
    ];
    tell();
    next();
  },
  pause(): void {
    paused = true;
    for (const { key } of inState('sending')) entries.get(key)!.stop.abort();
    tell();
    void submit();
  },
  /** Resumes everything that was paused; with `failed`, failed ones too. */
  resume(failed = false): void {
    paused = false;
    for (const { key } of inState('held', ...(failed ? (['failed'] as const) : []))) {
      const entry = entries.get(key)!;
      entry.stop = new AbortController();
      entry.cuts = 0;
      change(key, { state: entry.file_id ? 'sent' : 'waiting', reason: '' });
    }
    next();
  },
  drop(key: string): void {
    const entry = entries.get(key);
    entries.delete(key);
    list = list.filter((one) => one.key !== key);
    entry?.stop.abort();
    void entry?.run?.cancel();
    tell();
  },
  clear(): void {
    for (const { key } of inState('done', 'same')) queue.drop(key);
  },
};

const look = { list, paused };
function snapshot(): { list: readonly Sending[]; paused: boolean } {
  if (look.list === list && look.paused === paused) return kept;
  Object.assign(look, { list, paused });
  return (kept = { list, paused });
}
let kept: { list: readonly Sending[]; paused: boolean } = { list, paused };
const listen = (hear: () => void) => {
  heard.add(hear);
  return () => heard.delete(hear);
};
export const useQueue = () => useSyncExternalStore(listen, snapshot);
