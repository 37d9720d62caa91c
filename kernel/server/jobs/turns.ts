import { lineFull, ownLineFull } from '#kernel/contract/busy.ts';

/** The requester of a work: a person by id, or the product itself, whose works go first and are never refused. */
export type By = number | 'house';

export interface LineBounds {
  /** Works that run at once. */
  atOnce: number;
  /** The maximum number of waiting works of all people, and of one person. */
  waiting: number;
  waitingEach: number;
}
/** Runs a work when its turn comes. Throws `lineFull` or `ownLineFull` if too many are waiting. */
export type Line = <T>(by: By, work: () => Promise<T>) => Promise<T>;

/**
 * A queue of works: the product's own first, then those of the person who was served longest ago, one at a time for each person. So one person's many
 * works do not hold up everybody else's.
 */
export function createLine({ atOnce, waiting, waitingEach }: LineBounds): Line {
  let free = atOnce;
  const queue: { by: By; start: () => void }[] = [];
  const busy = new Set<By>();
  /** The start of each person's last work; kept while anybody waits. */
  const served = new Map<By, number>();
  let tick = 0;
  const rank = ({ by }: { by: By }) => (by === 'house' ? -1 : (served.get(by) ?? 0));
  const next = () => {
    const [one] = queue.filter(({ by }) => !busy.has(by)).toSorted((a, b) => rank(a) - rank(b));
    if (free === 0 || !one) return;
    queue.splice(queue.indexOf(one), 1);
    free -= 1;
    if (one.by !== 'house') {
      busy.add(one.by);
      served.set(one.by, (tick += 1));
    }
    one.start();
    next();
  };
  return async (by, work) => {
    if (by !== 'house') {
      const people = queue.filter((one) => one.by !== 'house');
      if (people.filter((one) => one.by === by).length >= waitingEach) throw ownLineFull(waitingEach);
      if (people.length >= waiting) throw lineFull();
    }
    await new Promise<void>((start) => {
      queue.push({ by, start });
      next();
    });
    try {
      return await work();
    } finally {
      free += 1;
      busy.delete(by);
      next();
      if (queue.length === 0 && busy.size === 0) served.clear();
    }
  };
}

/** Lets so many works run at once; the others wait in the order of arrival. */
export function createTurns(atOnce: number): <T>(work: () => Promise<T>) => Promise<T> {
  const line = createLine({ atOnce, waiting: 0, waitingEach: 0 });
  return (work) => line('house', work);
}

/** Lets so many works of one key run at once; one more is refused with the error that `full` creates. */
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

/** Lets so many works of one key run at once; the others of that key wait in the order of arrival. */
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
