import { useEffect, useRef, useState, type RefObject } from 'react';
import { codes } from '#kernel/contract/refusal.ts';
import { newAttempt } from '#kernel/web/client.ts';
import type { CallFailed } from '#kernel/web/failure.ts';
import { filesComing, useHold } from '#kernel/web/kit/form/parts/waiting.ts';
import type { FileCard } from '../contract.ts';
import { createTransfer, type Transfer } from './transfer.ts';

/** A file being uploaded. */
export interface Coming {
  key: string;
  name: string;
  /** The share sent, 0–1. */
  share: number;
  state: 'waiting' | 'sending' | 'paused' | 'failed';
  /** The reason of an error or a pause. */
  reason: string;
}

interface Entry {
  transfer: Transfer;
  stop: AbortController;
}
const atOnce = 3;
/** The explanation shown while it waits to go on by itself. */
function whyPaused({ kind, code, msg }: CallFailed): string {
  if (kind === 'network' || kind === 'timeout') return '网络中断，恢复后自动续传';
  if (kind === 'status' || code === codes.notNow) return `${msg}（将自动重试）`;
  return '正在继续上传';
}
function stop(entry: Entry): void {
  entry.stop.abort();
  void entry.transfer.cancel();
}

/**
 * Uploads files, a few at a time; the surrounding form waits for them. `onDone` receives each card in the order of arrival. They continue in a hidden
 * tab, and end when their place on the page is removed.
 */
export function useTransfers(
  module: string,
  {
    place,
    onDone,
  }: {
    place: RefObject<Element | null>;
    onDone: (card: FileCard) => void;
  },
) {
  const [coming, setComing] = useState<readonly Coming[]>([]);
  const entries = useRef(new Map<string, Entry>());
  const queue = useRef<string[]>([]);
  const active = useRef(0);
  // An upload ends long after it began: its result must reach the present form.
  const heard = useRef(onDone);
  const waits = coming.some((one) => one.state !== 'failed');
  useHold(waits ? filesComing : '', true);
  useEffect(() => {
    heard.current = onDone;
  });
  useEffect(() => {
    const all = entries.current;
    const shown = place.current;
    // A hidden tab ends its effects as well, but its place stays.
    return () => void setTimeout(() => shown?.isConnected || all.forEach(stop));
  }, [place]);

  const change = (key: string, next: Partial<Coming>) =>
    setComing((before) => before.map((one) => (one.key === key ? { ...one, ...next } : one)));
  const forget = (key: string) => {
    entries.current.delete(key);
    setComing((before) => before.filter((one) => one.key !== key));
  };
  const next = () => {
    while (active.current < atOnce && queue.current.length > 0) void run(queue.current.shift()!);
  };
  const run = async (key: string) => {
    const entry = entries.current.get(key);
    if (!entry) return;
    active.current += 1;
    change(key, { state: 'sending' });
    try {
      const card = await entry.transfer.run({
        signal: entry.stop.signal,
        quiet: true,
        onProgress: (share) => change(key, { share }),
        onPause: (why) =>
          change(key, why ? { state: 'paused', reason: whyPaused(why) } : { state: 'sending', reason: '' }),
      });
      heard.current(card);
      forget(key);
    } catch (error) {
      if (entry.stop.signal.aborted) forget(key);
      else change(key, { state: 'failed', reason: (error as Error).message });
    } finally {
      active.current -= 1;
      next();
    }
  };
  const enqueue = (key: string) => {
    queue.current.push(key);
    next();
  };
  return {
    coming,
    add(files: readonly File[]) {
      const added = files.map((file) => ({ key: newAttempt(), file }));
      for (const { key, file } of added)
        entries.current.set(key, { transfer: createTransfer(file, module), stop: new AbortController() });
      setComing((before) => [
        ...before,
        ...added.map(({ key, file }) => ({ key, name: file.name, share: 0, state: 'waiting' as const, reason: '' })),
      ]);
      for (const { key } of added) enqueue(key);
    },
    retry(key: string) {
      change(key, { state: 'waiting', reason: '' });
      enqueue(key);
    },
    cancel(key: string) {
      const entry = entries.current.get(key);
      if (entry) stop(entry);
      forget(key);
    },
  };
}
