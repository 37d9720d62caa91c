import { expect, test } from 'vitest';
import { createStore } from './store.ts';

test('what nobody asked for longest makes room for the next', () => {
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

test('keeps no more than it may, and keeps what is nothing', () => {
  const store = createStore<number, number | null>(3);
  for (let at = 0; at < 10; at++) store.set(at, at % 2 ? at : null);
  expect([...store.entries()].map(([key]) => key)).toEqual([7, 8, 9]);
  expect(store.get(8)).toBeNull();
});

test('what is asked for is answered whole and in its order, however much more it is than is kept, and whatever was kept before', async () => {
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

test('what is emptied while others are fetched is answered all the same', async () => {
  const store = createStore<number, string>(5);
  store.set(1, 'one');
  const found = await store.all([1, 2], async () => {
    store.clear();
    return [[2, 'two']];
  });
  expect([...found.values()]).toEqual(['one', 'two']);
});
