const key = 'scrolls';

/** How far down each page is scrolled, by its path: kept through a reload of this window. */
const tops = new Map<string, number>(kept());

function kept(): [string, number][] {
  try {
    return Object.entries(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, number>);
  } catch {
    return [];
  }
}

/** Pages that are shown: asked as the window goes, for a busy one may not have heard of its last scroll. */
const shown = new Set<() => void>();

addEventListener('pagehide', () => {
  for (const ask of shown) ask();
  try {
    sessionStorage.setItem(key, JSON.stringify(Object.fromEntries(tops)));
  } catch {
    // A full storage costs the place on the page.
  }
});

export const topOf = (path: string): number => tops.get(path) ?? 0;
export const keepTop = (path: string, top: number): void => void tops.set(path, top);

export function askWhenLeaving(ask: () => void): () => void {
  shown.add(ask);
  return () => void shown.delete(ask);
}

/** A page that was closed, or begins anew, begins at its top. */
export function forgetTops(paths: readonly string[]): void {
  for (const path of paths) tops.delete(path);
}
