/** A cache of limited size: the entry that was not read for longest makes room for the next. */
export interface Store<K, V> {
  get(key: K): V | undefined;
  set(key: K, value: V): void;
  delete(key: K): void;
  clear(): void;
  entries(): Iterable<[K, V]>;
  /**
   * Returns the values of all keys: the cached ones, and those that `make` returns for the others, in the order of the keys. The answer is complete
   * however little is cached, because nothing is looked up here again.
   */
  all(keys: readonly K[], make: (missing: K[]) => Promise<Iterable<readonly [K, V]>>): Promise<Map<K, V>>;
}

export function createStore<K, V>(most: number): Store<K, V> {
  const kept = new Map<K, V>();
  const set = (key: K, value: V) => {
    kept.delete(key);
    kept.set(key, value);
    if (kept.size > most) kept.delete(kept.keys().next().value as K);
  };
  const get = (key: K) => {
    const value = kept.get(key);
    if (value !== undefined) set(key, value);
    return value;
  };
  return {
    get,
    set,
    delete: (key) => void kept.delete(key),
    clear: () => kept.clear(),
    entries: () => kept.entries(),
    async all(keys, make) {
      const wanted = [...new Set(keys)];
      const found = new Map<K, V>();
      for (const key of wanted) {
        const value = get(key);
        if (value !== undefined) found.set(key, value);
      }
      const missing = wanted.filter((key) => !found.has(key));
      for (const [key, value] of missing.length > 0 ? await make(missing) : []) {
        found.set(key, value);
        set(key, value);
      }
      return new Map(wanted.flatMap((key) => (found.has(key) ? [[key, found.get(key) as V] as const] : [])));
    },
  };
}
