export interface View {
  /** Path without query: the tab's identity. */
  path: string;
  /** Path with query: the tab's present address. */
  fullPath: string;
  title: string;
  /** Serial number of the shown record. */
  sn?: string;
  /** Page component. */
  name: string;
  affix: boolean;
  /** The page is not kept mounted while another is shown. */
  noCache?: boolean;
}
/** `cached` lists the paths of mounted pages, the latest used last. */
export interface TabState {
  visited: View[];
  cached: string[];
}

/** The maximum number of mounted pages. */
export const mostMounted = 12;
export const noTabs: TabState = { visited: [], cached: [] };

/**
 * Opens or re-enters a tab and unmounts pages that must not be kept. Beyond the limit the page that was used longest ago is unmounted, unless it
 * holds unsaved work.
 */
export function visit(state: TabState, view: View, held: ReadonlySet<string> = new Set()): TabState {
  const known = state.visited.find((one) => one.path === view.path);
  const visited = known
    ? state.visited.map((one) => (one === known ? { ...view, title: known.title, sn: known.sn } : one))
    : [...state.visited, view];
  const passing = new Set(state.visited.filter((one) => one.noCache && !held.has(one.path)).map((one) => one.path));
  const cached = [...state.cached.filter((path) => path !== view.path && !passing.has(path)), view.path];
  while (cached.length > mostMounted) {
    const oldest = cached.findIndex((path) => path !== view.path && !held.has(path));
    if (oldest < 0) break;
    cached.splice(oldest, 1);
  }
  return same(state, { visited, cached }) ? state : { visited, cached };
}

function same(a: TabState, b: TabState): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Adds the fixed tabs, which come first and exist from the start. */
export function withAffixed(state: TabState, affixed: readonly View[]): TabState {
  const rest = state.visited.filter((view) => !affixed.some((one) => one.path === view.path));
  return { ...state, visited: [...affixed, ...rest.map((view) => ({ ...view, affix: false }))] };
}

/** Leads each tab but the active one to where its page was last. */
export function relocate(
  state: TabState,
  active: string,
  addressOf: (path: string, fullPath: string) => string,
): TabState {
  const visited = state.visited.map((view) => {
    const fullPath = view.path === active ? view.fullPath : addressOf(view.path, view.fullPath);
    return fullPath === view.fullPath ? view : { ...view, fullPath };
  });
  return visited.every((view, at) => view === state.visited[at]) ? state : { ...state, visited };
}

export function entitle(state: TabState, path: string, title: string, sn?: string): TabState {
  return { ...state, visited: state.visited.map((view) => (view.path === path ? { ...view, title, sn } : view)) };
}

export type Closing = 'current' | 'others' | 'right' | 'all';

/** Paths that a choice of the context menu closes; never fixed tabs. */
export function closedBy(state: TabState, closing: Closing, path: string): string[] {
  const at = state.visited.findIndex((view) => view.path === path);
  return state.visited
    .filter((view, index) => {
      if (view.affix) return false;
      if (closing === 'current') return view.path === path;
      if (closing === 'others') return view.path !== path;
      return closing === 'all' || index > at;
    })
    .map((view) => view.path);
}

export function close(state: TabState, paths: readonly string[]): TabState {
  return {
    visited: state.visited.filter((view) => !paths.includes(view.path)),
    cached: state.cached.filter((path) => !paths.includes(path)),
  };
}

/** Shows another page in a tab, which ends its present one. If that page has a tab already, or this one is fixed, the tab closes or resets. */
export function become(state: TabState, path: string, next: View): TabState {
  const old = state.visited.find((view) => view.path === path);
  if (!old || path === next.path || old.affix) return unmount(state, path);
  if (state.visited.some((view) => view.path === next.path)) return close(state, [path]);
  return { ...unmount(state, path), visited: state.visited.map((view) => (view === old ? next : view)) };
}

/** The page to show after the tab at `active` was closed: its right neighbour, else the left, else home. */
export function nextAfter(before: TabState, after: TabState, active: string): string | null {
  if (after.visited.some((view) => view.path === active)) return null;
  const at = before.visited.findIndex((view) => view.path === active);
  const kept = (view: View) => after.visited.some((one) => one.path === view.path);
  const right = before.visited.slice(at + 1).find(kept);
  const left = before.visited.slice(0, Math.max(0, at)).findLast(kept);
  return (right ?? left)?.fullPath ?? '/index';
}

/** Unmounts a page, so that it starts anew when shown again. */
export function unmount(state: TabState, path: string): TabState {
  return { ...state, cached: state.cached.filter((one) => one !== path) };
}
