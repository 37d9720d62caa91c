import { momentText } from '#kernel/contract/moment.ts';
import type { Row } from './urgency.ts';

const key = 'lastWaits';
const most = 20;

/** Whether this is somebody's own device rather than a desk that others sit at, too: the office is installed on it, or it is a phone. */
const isOwn = () => window.innerWidth < 992 || window.matchMedia('(display-mode: standalone)').matches;

/** Keeps what waits so that it can be read without a network (worker/offline.js); it goes when its person signs out. */
export function keepLastWaits(rows: readonly Row[], total: number, now: Date): void {
  if (!isOwn()) return;
  const told = ({ kind, what, who, due_at }: Row) =>
    [what || kind.title, who, due_at && `${due_at.slice(0, 16)} 前`].filter(Boolean).join(' · ');
  const kept = rows.slice(0, most).map((row) => ({ title: row.title, told: told(row) }));
  try {
    localStorage.setItem(key, JSON.stringify({ at: momentText(now).slice(0, 16), total, rows: kept }));
  } catch {
    // A full storage costs the reading without a network alone.
  }
}
