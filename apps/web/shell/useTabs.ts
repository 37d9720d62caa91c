import { useCallback, useMemo, useRef, useState } from 'react';
import { useLocation } from 'react-router';
import { lastAddressOf } from './addresses.ts';
import { fixedTitle } from './routes.tsx';
import { entryFor } from './menu.ts';
import type { Menu } from './menu.ts';
import { noTabs, relocate, visit, withAffixed } from './tabs.ts';
import type { TabState, View } from './tabs.ts';

const key = 'tagsView';

interface Kept {
  visitedViews?: View[];
  cachedViews?: View[];
}

function kept(): TabState {
  try {
    const { visitedViews } = JSON.parse(localStorage.getItem(key) ?? '{}') as Kept;
    const whole = (visitedViews ?? []).filter((view) => typeof view.path === 'string' && view.path.startsWith('/'));
    // Only the tabs are restored: mounting twelve pages at the start would be slow.
    return { visited: whole, cached: [] };
  } catch {
    return noTabs;
  }
}

/** The pages opened last in this browser, the latest first, without the fixed tabs. */
export const lastOpened = (): View[] =>
  kept()
    .visited.filter((view) => !view.affix)
    .toReversed();

function keep(state: TabState): void {
  const isCached = ({ path }: View) => state.cached.includes(path);
  const value: Kept = { visitedViews: state.visited, cachedViews: state.visited.filter(isCached) };
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // A full storage only loses the tabs of the next visit.
  }
}

/** True for paths that show something without a tab. */
export function isPassing(path: string): boolean {
  return path === '/' || path === '/404' || path === '/401' || path.startsWith('/redirect/');
}

/** The tab of an address. `search` begins with `?` or is empty. */
export function viewOf(menu: Menu, path: string, search: string): View {
  const node = entryFor(menu, path);
  return {
    path,
    fullPath: path + search,
    title: node?.name ?? fixedTitle(path) ?? path,
    name: node?.component ?? path,
    affix: node?.affix ?? false,
    ...(node?.meta?.noCache && { noCache: true }),
  };
}

/** The visited tabs, including the present address. `held` are the paths with unsaved work. */
export function useTabs(menu: Menu, known: (path: string) => boolean) {
  const location = useLocation();
  const held = useRef(new Map<string, Set<string>>());
  const [state, setState] = useState<TabState>(() => {
    const affixed = menu.all.filter((node) => node.affix && !node.path.includes(':'));
    return withAffixed(
      kept(),
      affixed.map((node) => ({
        path: node.path,
        fullPath: node.path,
        title: node.name,
        name: node.component,
        affix: true,
      })),
    );
  });
  const path = location.pathname;
  const passing = isPassing(path) || !known(path);
  const heldPaths = new Set([...held.current].filter(([, keys]) => keys.size > 0).map(([at]) => at));
  let current = state;
  if (!passing) {
    current = visit(relocate(state, path, lastAddressOf), viewOf(menu, path, location.search), heldPaths);
    if (current !== state) {
      setState(current);
      keep(current);
    }
  }
  const update = useCallback((change: (state: TabState) => TabState) => {
    setState((before) => {
      const after = change(before);
      keep(after);
      return after;
    });
  }, []);
  const hold = useCallback((at: string, name: string, on: boolean) => {
    const keys = held.current.get(at) ?? new Set<string>();
    if (on) keys.add(name);
    else keys.delete(name);
    held.current.set(at, keys);
  }, []);
  const release = useCallback((paths: readonly string[]) => paths.forEach((at) => held.current.delete(at)), []);
  const isHeld = useCallback((at: string) => (held.current.get(at)?.size ?? 0) > 0, []);
  return useMemo(
    () => ({ state: current, passing, update, hold, release, isHeld }),
    [current, passing, update, hold, release, isHeld],
  );
}
