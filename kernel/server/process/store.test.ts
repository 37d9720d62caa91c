import { expect, test } from 'vitest';
import { createStore } from './store.ts';

test('a full cache drops the entry that was unused for longest', () => {
  const store = createStore<number, string>(2);
  store.set(1, 'one');
  store.set(2, 'two');
  expect(store.get(1)).toBe('one');
  store.set(3, 'three');
  expect([...store.entries()]).toEqual([
    [1, 'one'],
    [3, 'three'],
  ]);
  store.delete(1);
  expect(store.get(1)).toBeUndefined();
  store.clear();
  expect([...store.entries()]).toEqual([]);
});

test('a cache holds no more than its limit, and may hold null', () => {
  const store = createStore<number, number | null>(3);
  for (let at = 0; at < 10; at++) store.set(at, at % 2 ? at : null);
  expect([...store.entries()].map(([key]) => key)).toEqual([7, 8, 9]);
  expect(store.get(8)).toBeNull();
});

test('a cache returns all requested entries in order, even more than it can hold, whatever it held before', async () => {
  const store = createStore<number, string>(5);
  const asked: number[][] = [];
  const make = async (missing: number[]) => {
    asked.push(missing);
    return missing.filter((key) => key !== 99).map((key) => [key, `${key}`] as const);
  };
  const keysFrom = (first: number, count: number) => Array.from({ length: count }, (_, at) => first + at);
  for (const keys of [keysFrom(0, 5), keysFrom(3, 4), keysFrom(0, 12), keysFrom(20, 50), [4, 4, 99, 2]]) {
    const found = await store.all(keys, make);
    expect([...found]).toEqual([...new Set(keys)].filter((key) => key !== 99).map((key) => [key, `${key}`]));
    expect([...store.entries()].length).toBeLessThanOrEqual(5);
  }
  expect(asked[1]).toEqual([5, 6]);
  expect(await store.all([], make)).toEqual(new Map());
});

test('entries cleared while others are fetched are still returned', async () => {
  const store = createStore<number, string>(5);
  store.set(1, 'one');
  const found = await store.all([1, 2], async () => {
    store.clear();
    return [[2, 'two']];
  });
  expect([...found.values()]).toEqual(['one', 'two']);
});
