import chineseDays from 'chinese-days';

export interface Announced {
  works: boolean;
  /** Of the holiday the day belongs to, 春节. */
  name: string;
}

// A light or a limit asks for each day on its way, and the library reckons each of them out of its text.
const known = new Map<string, Announced | null>();
const mostKnown = 50_000;

/** What is announced about a day (`YYYY-MM-DD`): a holiday, or a day worked in exchange for one; null for an ordinary one. */
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

/** Whether the holidays of a year are known: they are announced towards the end of the year before. */
export function isAnnounced(year: number): boolean {
  return announced(`${year}-10-01`) !== null;
}
