export interface Difference {
  kind: 'same' | 'gone' | 'new';
  text: string;
}

/** Pairs of lines that are looked at, at most. */
const most = 1_000_000;

/** What became of the lines of a text, by their longest common sequence; null where the two are too long for that. */
export function compareTexts(before: string, after: string): Difference[] | null {
  const old = linesOf(before);
  const fresh = linesOf(after);
  if ((old.length + 1) * (fresh.length + 1) > most) return null;
  const width = fresh.length + 1;
  // How many lines the rests from (i, j) on have in common.
  const common = new Uint16Array((old.length + 1) * width);
  for (let i = old.length - 1; i >= 0; i--)
    for (let j = fresh.length - 1; j >= 0; j--)
      common[i * width + j] =
        old[i] === fresh[j]
          ? common[(i + 1) * width + j + 1]! + 1
          : Math.max(common[(i + 1) * width + j]!, common[i * width + j + 1]!);
  const found: Difference[] = [];
  let [i, j] = [0, 0];
  while (i < old.length || j < fresh.length) {
    if (i < old.length && j < fresh.length && old[i] === fresh[j]) {
      found.push({ kind: 'same', text: old[i]! });
      i++;
      j++;
    } else if (j >= fresh.length || (i < old.length && common[(i + 1) * width + j]! >= common[i * width + j + 1]!)) {
      found.push({ kind: 'gone', text: old[i++]! });
    } else found.push({ kind: 'new', text: fresh[j++]! });
  }
  return found;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
