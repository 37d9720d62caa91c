/** A half-open interval in milliseconds; touching ends do not overlap. */
export interface Span {
  from: number;
  to: number;
}
/** A seat to be filled: one of a shift, or one for all shifts of a week if the post goes by weeks. */
export interface Seat {
  id: string;
  post: number;
  spans: readonly Span[];
  weight: number;
  /** Nobody has two such seats within `restHours`. */
  rests: boolean;
  /** The person who has it already and keeps it. */
  holder?: number;
}
export interface Asked {
  seats: readonly Seat[];
  /** The candidates of each post, in the order of the house. */
  pools: ReadonlyMap<number, readonly number[]>;
  away: ReadonlyMap<number, readonly Span[]>;
  /** Other engagements of people, in other plans and around the days. */
  taken: ReadonlyMap<number, readonly (Span & { rests: boolean })[]>;
  /** Points people bring along, by `post:person`. */
  points: ReadonlyMap<string, number>;
}
export interface Chosen {
  person: number;
  why: string;
}
export interface Rota {
  chosen: ReadonlyMap<string, Chosen>;
  gaps: readonly string[];
  /** Points by `post:person`, including those brought along. */
  points: ReadonlyMap<string, number>;
}

export const weights: Readonly<Record<number, number>> = { 1: 1, 2: 2, 3: 3 };
export const restHours = 24;
const rest = restHours * 3_600_000;
export const overlaps = (a: Span, b: Span): boolean => a.from < b.to && b.from < a.to;
/** True if two shifts are too close for one person: at the same time, or within a day if both need rest. */
export const tooClose = (a: Span & { rests: boolean }, b: Span & { rests: boolean }): boolean => {
  const gap = a.rests && b.rests ? rest : 0;
  return a.from < b.to + gap && b.from < a.to + gap;
};

/**
 * Fills seats, the heaviest first: each by the candidate with the fewest points, then with the farthest nearest shift, then in order. A
 * seat without a free candidate is filled by moving one other seat on. Then seats are passed on or exchanged from people more than a point
 * above their share, as long as that evens things out. Pure: the same input gives the same result.
 */
export function rota({ seats, pools, away, taken, points: brought }: Asked): Rota {
  const points = new Map(brought);
  const held = new Map<number, Seat[]>();
  const chosen = new Map<string, Chosen>();
  const pointsOf = (post: number, person: number) => points.get(`${post}:${person}`) ?? 0;
  const give = (seat: Seat, person: number, sign: 1 | -1 = 1) => {
    const key = `${seat.post}:${person}`;
    points.set(key, (points.get(key) ?? 0) + sign * seat.weight);
    const own = held.get(person) ?? [];
    held.set(person, sign > 0 ? [...own, seat] : own.filter((one) => one !== seat));
  };
  const spansOf = (seat: Seat) => seat.spans.map((span) => ({ ...span, rests: seat.rests }));
  const hits = (a: Seat, b: Seat) => spansOf(a).some((one) => spansOf(b).some((other) => tooClose(one, other)));
  const open = (seat: Seat, person: number) =>
    (pools.get(seat.post) ?? []).includes(person) &&
    !seat.spans.some((span) => away.get(person)?.some((one) => overlaps(span, one))) &&
    !spansOf(seat).some((span) => taken.get(person)?.some((one) => tooClose(span, one)));
  const inTheWay = (seat: Seat, person: number, but?: Seat) =>
    (held.get(person) ?? []).filter((one) => one !== but && hits(one, seat));
  const fits = (seat: Seat, person: number, but?: Seat) =>
    open(seat, person) && inTheWay(seat, person, but).length === 0;
  const nearest = (seat: Seat, person: number) =>
    Math.min(
      ...[...(held.get(person) ?? []).flatMap((one) => one.spans), ...(taken.get(person) ?? [])].map((one) =>
        Math.abs(one.from - seat.spans[0]!.from),
      ),
      Infinity,
    );
  const bestFor = (seat: Seat, not?: number): number | undefined => {
    const free = (pools.get(seat.post) ?? []).filter((person) => person !== not && fits(seat, person));
    return free
      .map((person, order) => ({ person, order, points: pointsOf(seat.post, person), near: nearest(seat, person) }))
      .toSorted((a, b) => a.points - b.points || (a.near === b.near ? a.order - b.order : b.near - a.near))[0]?.person;
  };
  const choose = (seat: Seat, person: number, why: string) => {
    give(seat, person);
    chosen.set(seat.id, { person, why });
  };
  const move = (seat: Seat, person: number, why: string) => {
    give(seat, chosen.get(seat.id)!.person, -1);
    choose(seat, person, why);
  };

  for (const seat of seats) if (seat.holder !== undefined) give(seat, seat.holder);
  const wanted = seats.filter((seat) => seat.holder === undefined);
  const inOrder = wanted.toSorted((a, b) => b.weight - a.weight || a.spans[0]!.from - b.spans[0]!.from);
  /** Fills seats by free candidates, or by moving one seat of a candidate to another person. Returns true if it filled any. */
  let missing: readonly Seat[] = inOrder;
  const fill = (): boolean => {
    const before = missing.length;
    missing = missing.filter((seat) => {
      const free = bestFor(seat);
      if (free !== undefined) {
        choose(seat, free, `积分最少（${round(pointsOf(seat.post, free))} 分）`);
        return false;
      }
      for (const person of pools.get(seat.post) ?? []) {
        const [other, ...more] = open(seat, person) ? inTheWay(seat, person) : [];
        if (!other || more.length > 0 || !chosen.has(other.id)) continue;
        const next = bestFor(other, person);
        if (next === undefined) continue;
        move(other, next, '为补缺人班次调整');
        choose(seat, person, '为补缺人班次调整');
        return false;
      }
      return true;
    });
    return missing.length < before;
  };

  const evenOut = (): boolean => {
    for (const [post, pool] of pools) {
      const of = (person: number) => pointsOf(post, person);
      const share = pool.reduce((sum, person) => sum + of(person), 0) / pool.length;
      const [most, least] = [pool.toSorted((a, b) => of(b) - of(a)), pool.toSorted((a, b) => of(a) - of(b))];
      const movable = (person: number) =>
        (held.get(person) ?? []).filter((seat) => seat.post === post && chosen.has(seat.id));
      for (const from of most.filter((person) => of(person) > share + 1))
        for (const to of least.filter((person) => of(person) < of(from)))
          for (const seat of movable(from)) {
            if (of(from) - of(to) > seat.weight && fits(seat, to)) {
              move(seat, to, '均衡积分');
              return true;
            }
            const back = movable(to).find(
              (one) =>
                seat.weight > one.weight &&
                of(from) - of(to) > seat.weight - one.weight &&
                fits(seat, to, one) &&
                fits(one, from, seat),
            );
            if (!back) continue;
            move(seat, to, '均衡积分');
            move(back, from, '均衡积分');
            return true;
          }
    }
    return false;
  };
  // Each turn lowers the sum of the squares, so it ends; the bound limits the time.
  let turns = wanted.length * 2;
  while (fill()) while (turns-- > 0 && evenOut());
  return { chosen, gaps: missing.map((seat) => seat.id), points };
}

const round = (points: number) => Math.round(points * 10) / 10;
