export type Range = readonly [from: number, to: number];

/** Numbers as sorted closed ranges: 1, 2, 3, 7 is [1, 3], [7, 7]. */
export function rangesOf(numbers: readonly number[]): Range[] {
  const ranges: [number, number][] = [];
  for (const number of numbers.toSorted((a, b) => a - b)) {
    const last = ranges.at(-1);
    if (last && number <= last[1] + 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges;
}

export const rangesText = (ranges: readonly Range[]) =>
  ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',');

/** Parses the output of `rangesText`; invalid parts are left out. */
export function rangesIn(text: string): Range[] {
  return text.split(',').flatMap((part): Range[] => {
    const found = /^(\d+)(?:-(\d+))?$/.exec(part);
    return found ? [[Number(found[1]), Number(found[2] ?? found[1])]] : [];
  });
}

/** True if a number lies in one of sorted ranges. */
export function inRanges(ranges: readonly Range[], number: number): boolean {
  let low = 0;
  let high = ranges.length - 1;
  while (low <= high) {
    const middle = (low + high) >> 1;
    const [from, to] = ranges[middle]!;
    if (number < from) high = middle - 1;
    else if (number > to) low = middle + 1;
    else return true;
  }
  return false;
}
