/** Repeatable random numbers: the same seed gives the same draws in the same order. For demonstration data, never for secrets. */
export interface Chance {
  /** At least 0 and less than 1. */
  draw(): number;
  /** True in this share of all draws. */
  happens(share: number): boolean;
  /** A whole number, both ends included. */
  between(least: number, most: number): number;
  pick<T>(from: readonly T[]): T;
  /** A duration around `middle`, with a long tail above, as people take. */
  lasting(middle: number): number;
}

export function chanceOf(seed: number): Chance {
  let state = seed >>> 0;
  const draw = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  return {
    draw,
    happens: (share) => draw() < share,
    between: (least, most) => least + Math.floor(draw() * (most - least + 1)),
    pick: (from) => {
      const found = from[Math.floor(draw() * from.length)];
      if (found === undefined) throw new Error('nothing to pick from');
      return found;
    },
    lasting: (middle) => middle * Math.exp((draw() + draw() + draw() - 1.5) * 2),
  };
}
