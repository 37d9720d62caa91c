/** A period of a working day, in minutes since midnight. */
export interface DayPart {
  from: number;
  to: number;
}

const dash = /\s*[-–—~～至]\s*/g;
const part = /^([01]?\d|2[0-3])[:：]([0-5]\d)-(?:([01]?\d|2[0-3])[:：]([0-5]\d)|24[:：]00)$/;
const mostParts = 4;

/** Parses `8:30-12:00、13:30-18:00` into periods in order; null if it is invalid or they overlap. */
export function dayParts(text: string): DayPart[] | null {
  const parts: DayPart[] = [];
  for (const piece of text
    .trim()
    .replace(dash, '-')
    .split(/[、，,；;\s]+/)) {
    const found = part.exec(piece);
    if (!found) return null;
    const [, h1, m1, h2, m2] = found;
    const from = Number(h1) * 60 + Number(m1);
    const to = h2 === undefined ? 24 * 60 : Number(h2) * 60 + Number(m2);
    if (from >= to || from < (parts.at(-1)?.to ?? 0)) return null;
    parts.push({ from, to });
  }
  return parts.length <= mostParts ? parts : null;
}

/** The same as text: `08:30–12:00、13:30–18:00`. */
export function dayPartsText(parts: readonly DayPart[]): string {
  const clock = (minutes: number) =>
    `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`;
  return parts.map(({ from, to }) => `${clock(from)}–${clock(to)}`).join('、');
}
