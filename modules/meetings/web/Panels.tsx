import type { MeetDetail } from '../contract/shapes.ts';

/** What is held, kept and decided: signing in, minutes, decisions. */
export function Panels({ row: _row }: { row: MeetDetail }) {
  return null;
}

/** The dates of a repeat. */
export function SeriesStrip({ row: _row }: { row: MeetDetail }) {
  return null;
}
