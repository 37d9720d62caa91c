/** Lets so many works run at once; the others wait in the order they came. */
export function createTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = atOnce;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free > 0) free -= 1;
    else await new Promise<void>((next) => waiting.push(next));
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}

/** Lets so many works of one key run at once; one more is refused by what `full` makes. */
export function createPlaces<K>(each: number, full: () => Error): <T>(key: K, work: () => Promise<T>) => Promise<T> {
  const taken = new Map<K, number>();
  return async (key, work) => {
    const before = taken.get(key) ?? 0;
    if (before >= each) throw full();
    taken.set(key, before + 1);
    try {
      return await work();
    } finally {
      const left = taken.get(key)! - 1;
      if (left > 0) taken.set(key, left);
      else taken.delete(key);
    }
  };
}

/** Lets so many works of one key run at once; the others of that key wait in the order they came. */
export function createTurnsOf<K>(each: number): <T>(key: K, work: () => Promise<T>) => Promise<T> {
  const turns = new Map<K, { turn: ReturnType<typeof createTurns>; works: number }>();
  return async (key, work) => {
    const mine = turns.get(key) ?? { turn: createTurns(each), works: 0 };
    turns.set(key, mine);
    mine.works += 1;
    try {
      return await mine.turn(work);
    } finally {
      mine.works -= 1;
      if (mine.works === 0) turns.delete(key);
    }
  };
}
