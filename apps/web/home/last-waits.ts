import { useEffect } from 'react';
import { momentText } from '#kernel/contract/moment.ts';
import { allKinds, type WaitingRow } from '#modules/platform/waits/contract.ts';
import { useUrgent } from '#modules/platform/waits/widgets.tsx';

const key = 'lastWaits';
/** The number of items that are stored, and queried at once. */
export const mostKept = 20;

/** True if this is the person's own device, which stores waiting items, rather than a shared desk: the office is installed on it, or it is a phone. */
export const isOwn = () => window.innerWidth < 992 || window.matchMedia('(display-mode: standalone)').matches;

/** Stores the most urgent waiting items whenever they arrive; a desk that stores nothing queries nothing. */
export function useKeptLastWaits(): void {
  const { data } = useUrgent(mostKept, allKinds, isOwn());
  useEffect(() => {
    if (data) keepLastWaits(data.value, data.total, new Date());
  }, [data]);
}

/** Stores waiting items so that they can be read without a network (worker/offline.js); they are removed when the person signs out. */
export function keepLastWaits(rows: readonly WaitingRow[], total: number, now: Date): void {
  if (!isOwn()) return;
  const told = ({ kind, what, who, due_at }: WaitingRow) =>
    [what || kind, who, due_at && `${due_at.slice(0, 16)} 前`].filter(Boolean).join(' · ');
  const kept = rows.slice(0, mostKept).map((row) => ({ title: row.title, told: told(row) }));
  try {
    localStorage.setItem(key, JSON.stringify({ at: momentText(now).slice(0, 16), total, rows: kept }));
  } catch {
    // A full storage only prevents reading without a network.
  }
}
