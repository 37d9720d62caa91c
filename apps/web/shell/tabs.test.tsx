import { describe, expect, test } from 'vitest';
import { close, closedBy, entitle, mostMounted, nextAfter, noTabs, unmount, visit, withAffixed } from './tabs.ts';
import type { TabState, View } from './tabs.ts';

const view = (path: string, affix = false): View => ({ path, fullPath: path, title: path, name: path, affix });
const state = (...paths: string[]): TabState =>
  paths.reduce((before, path) => visit(before, view(path, path === '/index')), noTabs);
const paths = (tabs: TabState) => tabs.visited.map((one) => one.path);
const open = state('/index', '/a', '/b', '/c');

describe('visiting a page', () => {
  test('adds a tab once and updates its address', () => {
    const again = visit(open, { ...view('/a'), fullPath: '/a?page=2' });
    expect(paths(again)).toEqual(['/index', '/a', '/b', '/c']);
    expect(again.visited[1]?.fullPath).toBe('/a?page=2');
  });
  test('changes nothing if nothing changed', () => {
    expect(visit(open, view('/c'))).toBe(open);
  });
  test('keeps twelve pages mounted and unmounts the one unused for longest, whose tab stays', () => {
    const many = state(...Array.from({ length: mostMounted + 1 }, (_, i) => `/p${i}`));
    expect(many.cached).toHaveLength(mostMounted);
    expect(many.cached).not.toContain('/p0');
    expect(paths(many)).toContain('/p0');
  });
  test('never unmounts a page with unsaved work', () => {
    const full = state(...Array.from({ length: mostMounted }, (_, i) => `/p${i}`));
    const next = visit(full, view('/new'), new Set(['/p0']));
    expect(next.cached).toContain('/p0');
    expect(next.cached).not.toContain('/p1');
  });
  test('keeps the title that a page gave itself', () => {
    const named = entitle(open, '/a', '公章');
    expect(visit(named, view('/a')).visited[1]?.title).toBe('公章');
  });
});

describe('closing tabs', () => {
  test('by current, others, right and all spares the fixed tabs', () => {
    expect(closedBy(open, 'current', '/b')).toEqual(['/b']);
    expect(closedBy(open, 'current', '/index')).toEqual([]);
    expect(closedBy(open, 'others', '/b')).toEqual(['/a', '/c']);
    expect(closedBy(open, 'right', '/a')).toEqual(['/b', '/c']);
    expect(closedBy(open, 'all', '/a')).toEqual(['/a', '/b', '/c']);
  });
  test('goes to the right neighbour, else the left, else home, and nowhere if the active tab stays', () => {
    const goesTo = (closed: string[], active: string) => nextAfter(open, close(open, closed), active);
    expect(goesTo(['/b'], '/b')).toBe('/c');
    expect(goesTo(['/c'], '/c')).toBe('/b');
    expect(goesTo(['/a', '/b', '/c'], '/b')).toBe('/index');
    expect(goesTo(['/a'], '/b')).toBeNull();
    expect(nextAfter(state('/a'), noTabs, '/a')).toBe('/index');
  });
  test('unmounts the pages', () => {
    expect(close(open, ['/a']).cached).not.toContain('/a');
  });
});

test('refreshing unmounts the page and keeps its tab', () => {
  const refreshed = unmount(open, '/b');
  expect(refreshed.cached).not.toContain('/b');
  expect(paths(refreshed)).toContain('/b');
});

test('fixed tabs are first, and a stored tab that is no longer fixed can be closed', () => {
  const kept: TabState = { visited: [view('/old', true), view('/a')], cached: [] };
  const begun = withAffixed(kept, [view('/index', true)]);
  expect(paths(begun)).toEqual(['/index', '/old', '/a']);
  expect(closedBy(begun, 'all', '/index')).toEqual(['/old', '/a']);
});

test('a page that must not be kept is unmounted when another is shown, unless it holds unsaved work', () => {
  const fresh: View = { path: '/s', fullPath: '/s', title: '统计', name: 's', affix: false, noCache: true };
  const other: View = { path: '/l', fullPath: '/l', title: '列表', name: 'l', affix: false };
  const open = visit(noTabs, fresh);
  expect(open.cached).toEqual(['/s']);
  expect(visit(open, other)).toMatchObject({ cached: ['/l'], visited: [{ path: '/s' }, { path: '/l' }] });
  expect(visit(open, other, new Set(['/s'])).cached).toEqual(['/s', '/l']);
});
