import { dayOf, dropYear, momentText } from '#kernel/contract/moment.ts';

/** A server's `YYYY-MM-DD HH:mm:ss` for people: only the time if it is today, with the full text on hover. */
export function Moment({ at }: { at: string | null | undefined }) {
  if (!at) return <>—</>;
  return (
    <time dateTime={at.replace(' ', 'T')} title={at} className="kit-figures">
      {shortMoment(at, new Date())}
    </time>
  );
}

/** True if a value of an answer is a server's `YYYY-MM-DD HH:mm:ss`. */
export const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/.test(value);

/** A moment of this browser in the server's format, to the minute. */
export const minuteOf = (at: number | string | Date): string => momentText(new Date(at)).slice(0, 16);

/** A day or a minute as a list writes it: `11-20 09:30`, or `2025-11-20 09:30` of another year. */
export const shortDate = (text: string): string => dropYear(text.slice(0, 16), new Date());

/** `09:30` today, else `2026-11-20 09:30`. */
export function shortMoment(at: string, now: Date): string {
  return at.startsWith(dayOf(now)) ? at.slice(11, 16) : at.slice(0, 16);
}
