const key = 'scrolls';

/** The scroll position of each page, by its path; kept when this window reloads. */
const tops = new Map<string, number>(kept());

function kept(): [string, number][] {
  try {
    return Object.entries(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, number>);
  } catch {
    return [];
  }
}

/** The visible pages, which are asked when the window closes, because a busy one may have missed its last scroll event. */
const shown = new Set<() => void>();

addEventListener('pagehide', () => {
  for (const ask of shown) ask();
  try {
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(tops)));
  } catch {
    // A full storage only loses the scroll position.
  }
});

/** The pages that are about to be unmounted, whose last position is no longer kept; a page that is mounted again leaves this set. */
const leaving = new Set<string>();

/** The position to which a page that is shown now returns. */
export function topOf(path: string): number {
  leaving.delete(path);
  return tops.get(path) ?? 0;
}

export function keepTop(path: string, top: number): void {
  if (!leaving.has(path)) tops.set(path, top);
}

export function askWhenLeaving(ask: () => void): () => void {
  shown.add(ask);
  return () => void shown.delete(ask);
}

/** Forgets the positions of pages that were closed or reset, so that they begin at the top. */
export function forgetTops(paths: readonly string[]): void {
  for (const path of paths) {
    leaving.add(path);
    tops.delete(path);
  }
}
