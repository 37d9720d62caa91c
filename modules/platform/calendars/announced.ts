import chineseDays from 'chinese-days';

export interface Announced {
  works: boolean;
  /** Name of the holiday that the day belongs to, 春节. */
  name: string;
}

// Lights and deadlines look up many days, and the library computes each from its text.
const known = new Map<string, Announced | null>();
const mostKnown = 50_000;

/** The official announcement for a day (`YYYY-MM-DD`): a holiday, or a make-up working day; null for an ordinary day. */
export function announced(day: string): Announced | null {
  let found = known.get(day);
  if (found === undefined) {
    if (known.size >= mostKnown) known.clear();
    known.set(day, (found = readAnnounced(day)));
  }
  return found;
}

function readAnnounced(day: string): Announced | null {
  const { work, name } = chineseDays.getDayDetail(day);
  const [, chinese] = name.split(',');
  return chinese === undefined ? null : { works: work, name: chinese };
}

/** True if the holidays of a year are known: they are announced towards the end of the year before. */
export function isAnnounced(year: number): boolean {
  return announced(`${year}-10-01`) !== null;
}
