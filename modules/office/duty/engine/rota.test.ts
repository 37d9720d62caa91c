import { leastCost } from '#kernel/server/testing/cost.ts';
import { expect, test } from 'vitest';
import { chanceOf } from '#kernel/server/process/chance.ts';
import { overlaps, rota, tooClose, weights, type Asked, type Rota, type Seat, type Span } from './rota.ts';

const hour = 3_600_000;
const day = 24 * hour;
const plans = process.env['NIGHTLY'] ? 2000 : 400;

/** A plan as an office might have it: some days with holidays, a leader per week, one to three on duty, people who are away. */
function planOf(seed: number) {
  const { between, happens, pick } = chanceOf(seed);
  const need = between(1, 3);
  const days = between(5, 31);
  const start = between(0, 1000) * day;
  // Five people cannot follow each other with a day's rest between; that many suffice whoever is away.
  const enough = happens(0.7);
  const size = enough ? need * 6 + between(0, 12) : need + between(0, need * 3);
  const staff = Array.from({ length: size }, (_, at) => at + 1);
  const leaders = Array.from({ length: between(2, 6) }, (_, at) => at + 101);
  const seats: Seat[] = [];
  const weeks = new Map<number, { spans: Span[]; weight: number }>();
  for (let at = 0; at < days; at++) {
    const kind = happens(0.1) ? 3 : (start / day + at) % 7 > 4 ? 2 : 1;
    const from = start + at * day + (kind === 1 ? 17.5 : 8) * hour;
    const span = { from, to: start + (at + 1) * day + 8 * hour };
    const week = Math.floor((start / day + at) / 7);
    const of = weeks.get(week) ?? { spans: [], weight: 0 };
    weeks.set(week, { spans: [...of.spans, span], weight: of.weight + weights[kind]! });
    for (let place = 0; place < need; place++)
      seats.push({ id: `${at}.${place}`, post: 2, spans: [span], weight: weights[kind]!, rests: true });
  }
  for (const [week, of] of weeks) seats.push({ id: `week ${week}`, post: 1, ...of, rests: false });
  const away = new Map<number, Span[]>();
  for (const person of staff)
    if (happens(enough ? 0.1 : 0.3)) {
      const from = start + between(0, days) * day;
      away.set(person, [{ from, to: from + between(1, 7) * day }]);
    }
  // A few seats were set by hand, a day apart and with people who are present.
  if (happens(0.3))
    for (const seat of seats
      .filter((one) => one.post === 2 && one.id.endsWith('.0'))
      .filter((_one, at) => at % 4 === 0)) {
      const person = pick(staff);
      const busy = [...(away.get(person) ?? []), ...seats.flatMap((one) => (one.holder === person ? one.spans : []))];
      if (!busy.some((one) => tooClose({ ...one, rests: true }, { ...seat.spans[0]!, rests: true })))
        seat.holder = person;
    }
  const points = new Map(staff.map((person) => [`2:${person}`, happens(0.5) ? between(0, 4) : 2]));
  const asked: Asked = {
    seats,
    pools: new Map([
      [1, leaders],
      [2, staff],
    ]),
    away,
    taken: new Map(),
    points,
  };
  return { asked, enough, chance: { between, pick } };
}

const holderOf = (seat: Seat, made: Rota) => seat.holder ?? made.chosen.get(seat.id)?.person;
const close = (a: Seat, b: Seat) =>
  a.spans.some((one) => b.spans.some((other) => tooClose({ ...one, rests: a.rests }, { ...other, rests: b.rests })));
/** Lists violations in an assignment of seats, computed without the engine. */
function faultsOf({ asked, who }: { asked: Asked; who: ReadonlyMap<Seat, number> }): string[] {
  const found: string[] = [];
  const own = Map.groupBy(who, ([, person]) => person);
  for (const [person, seats] of own)
    for (const [at, [seat]] of seats.entries()) {
      if (!asked.pools.get(seat.post)!.includes(person)) found.push(`${person} is not in the pool of ${seat.id}`);
      if (seat.spans.some((span) => asked.away.get(person)?.some((one) => overlaps(span, one))))
        found.push(`${person} is away at ${seat.id}`);
      for (const [other] of seats.slice(at + 1))
        if (close(seat, other)) found.push(`${person} has ${seat.id} and ${other.id}`);
    }
  return found;
}
const whoOf = ({ seats }: Asked, made: Rota) =>
  new Map(
    seats.flatMap((seat) => (holderOf(seat, made) === undefined ? [] : [[seat, holderOf(seat, made)!] as const])),
  );
const pointsIn = (asked: Asked, who: ReadonlyMap<Seat, number>, post: number) => {
  const points = new Map(asked.pools.get(post)!.map((person) => [person, asked.points.get(`${post}:${person}`) ?? 0]));
  for (const [seat, person] of who) if (seat.post === post) points.set(person, (points.get(person) ?? 0) + seat.weight);
  return points;
};

test(`${plans} random plans fill each seat once, with nobody absent or twice within a day, and without gaps if enough people are available`, () => {
  let gaps = 0;
  for (let seed = 1; seed <= plans; seed++) {
    const { asked, enough } = planOf(seed);
    const made = rota(asked);
    const who = whoOf(asked, made);
    expect(faultsOf({ asked, who }), `plan ${seed}`).toEqual([]);
    expect(who.size + made.gaps.length).toBe(asked.seats.length);
    if (enough) expect(made.gaps, `plan ${seed}`).toEqual([]);
    // A gap is left only if nobody of the pool could fill it.
    for (const id of made.gaps) {
      const seat = asked.seats.find((one) => one.id === id)!;
      for (const person of asked.pools.get(seat.post)!)
        expect(
          faultsOf({ asked, who: new Map([...who, [seat, person]]) }),
          `plan ${seed}, ${id}, ${person}`,
        ).not.toEqual([]);
    }
    gaps += made.gaps.length;
    expect(rota(asked)).toEqual(made);
  }
  expect(gaps).toBeGreaterThan(0);
});

test(`${plans} random plans: nobody is more than a point above their share unless no seat of theirs could be moved`, () => {
  const beyond = new Map<number, number[]>([
    [1, []],
    [2, []],
  ]);
  for (let seed = 1; seed <= plans; seed++) {
    const { asked } = planOf(seed);
    const made = rota(asked);
    const who = whoOf(asked, made);
    for (const post of [1, 2]) {
      const points = pointsIn(asked, who, post);
      const share = [...points.values()].reduce((sum, one) => sum + one, 0) / points.size;
      for (const [person, own] of points) {
        if (own <= share + 1) continue;
        const movable = (of: number) =>
          [...who].filter(([seat, has]) => has === of && seat.post === post && seat.holder === undefined);
        const evens: string[] = [];
        for (const [other, theirs] of points)
          for (const [seat] of movable(person)) {
            if (own - theirs > seat.weight && faultsOf({ asked, who: new Map([...who, [seat, other]]) }).length === 0)
              evens.push(`${seat.id} to ${other}`);
            for (const [back] of movable(other))
              if (
                seat.weight > back.weight &&
                own - theirs > seat.weight - back.weight &&
                faultsOf({ asked, who: new Map([...who, [seat, other], [back, person]]) }).length === 0
              )
                evens.push(`${seat.id} for ${back.id} of ${other}`);
          }
        expect(evens, `plan ${seed}, ${person} has ${own}, the share is ${share}`).toEqual([]);
        beyond.get(post)!.push(own - share);
      }
    }
  }
  for (const [post, all] of beyond)
    console.info(
      `post ${post}: ${all.length} beyond a point of their share who could not be helped, ${Math.max(...all).toFixed(1)} at most`,
    );
});

test(`${plans} random plans: with enough equally loaded people nobody is more than a point above their share`, () => {
  let plain = 0;
  for (let seed = 1; seed <= plans; seed++) {
    const { asked: drawn, enough } = planOf(seed);
    const seats = drawn.seats.filter((seat) => seat.post === 2).map(({ holder: _holder, ...seat }) => seat);
    const asked = { ...drawn, seats, away: new Map(), points: new Map() };
    const ones = seats.filter((seat) => seat.weight === 1).length;
    // With as many working-day shifts as people, the unevenness of holidays can be balanced.
    if (!enough || ones < asked.pools.get(2)!.length * 2) continue;
    const made = rota(asked);
    const points = [...pointsIn(asked, whoOf(asked, made), 2).values()];
    const share = points.reduce((sum, one) => sum + one, 0) / points.length;
    expect(Math.max(...points), `plan ${seed}`).toBeLessThanOrEqual(share + 1);
    plain += 1;
  }
  expect(plain).toBeGreaterThan(plans / 10);
});

test(`${plans} random plans: a swap for which both are free keeps all seats filled and everybody’s rest and absences`, () => {
  let swapped = 0;
  for (let seed = 1; seed <= plans; seed++) {
    const { asked, chance } = planOf(seed);
    const who = whoOf(asked, rota(asked));
    const staff = [...who].filter(([seat]) => seat.post === 2);
    for (let tries = 0; tries < 5 && staff.length > 1; tries++) {
      const [[mine, me], [theirs, they]] = [chance.pick(staff), chance.pick(staff)];
      if (me === they) continue;
      const after = new Map([...who, [mine, they], [theirs, me]]);
      // The handler asks this of both sides: they fit the new shift, apart from the one they give up.
      const fits = ([seat, person, gives]: [Seat, number, Seat]) =>
        !asked.away.get(person)?.some((one) => overlaps(one, seat.spans[0]!)) &&
        ![...who].some(([other, has]) => has === person && other !== gives && close(other, seat));
      if (
        !(
          [
            [mine, they, theirs],
            [theirs, me, mine],
          ] as [Seat, number, Seat][]
        ).every(fits)
      )
        continue;
      expect(faultsOf({ asked, who: after }), `plan ${seed}`).toEqual([]);
      expect(after.size).toBe(who.size);
      swapped += 1;
    }
  }
  expect(swapped).toBeGreaterThan(plans / 2);
});

test('a roster for the longest allowed period is made without blocking others', async () => {
  const seats = Array.from({ length: 400 }, (_, at): Seat => {
    const from = Math.floor(at / 4) * day;
    return { id: `${at}`, post: 2, spans: [{ from, to: from + day }], weight: 1 + (at % 3), rests: true };
  });
  const asked: Asked = {
    seats,
    pools: new Map([[2, Array.from({ length: 100 }, (_, at) => at)]]),
    away: new Map(),
    taken: new Map(),
    points: new Map(),
  };
  expect(await leastCost(() => void rota(asked), 12)).toBeLessThan(50);
});
