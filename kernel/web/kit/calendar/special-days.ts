import { createContext } from 'react';

/** A day on which people do not work although its weekday says so, or the other way round. */
export interface SpecialDay {
  day: string;
  works: boolean;
  name: string;
}
/** The special days of a year; the shell asks the work calendar. */
export type SpecialDays = (year: number) => Promise<readonly SpecialDay[]>;
export const SpecialDaysContext = createContext<SpecialDays | null>(null);
