import { useEffect } from 'react';
import { momentText } from '#kernel/contract/moment.ts';
import { allKinds, type WaitingRow } from '#modules/platform/waits/contract.ts';
import { useUrgent } from '#modules/platform/waits/widgets.tsx';

const key = 'lastWaits';
/** So many are kept, and asked for at once. */
export const mostKept = 20;

/** Whether this is somebody's own device, which keeps what waits, rather than a desk that others sit at, too: the office is installed on it, or it is a phone. */
export const isOwn = () => window.innerWidth < 992 || window.matchMedia('(display-mode: standalone)').matches;

/** Keeps the most urgent of what waits for me as it is heard of; a desk that keeps nothing asks for nothing. */
export function useKeptLastWaits(): void {
  const { data } = useUrgent(mostKept, allKinds, isOwn());
  useEffect(() => {
    if (data) keepLastWaits(data.value, data.total, new Date());
  }, [data]);
}

/** Keeps what waits so that it can be read without a network (worker/offline.js); it goes when its person signs out. */
export function keepLastWaits(rows: readonly WaitingRow[], total: number, now: Date): void {
  if (!isOwn()) return;
  const told = ({ kind, what, who, due_at }: WaitingRow) =>
    [what || kind, who, due_at && `${due_at.slice(0, 16)} 前`].filter(Boolean).join(' · ');
  const kept = rows.slice(0, mostKept).map((row) => ({ title: row.title, told: told(row) }));
  try {
    localStorage.setItem(key, JSON.stringify({ at: momentText(now).slice(0, 16), total, rows: kept }));
  } catch {
    // A full storage costs the reading without a network alone.
  }
}
