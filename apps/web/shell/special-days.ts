import type { SpecialDays } from '#kernel/web/kit/calendar/special-days.ts';

/** Holidays and make-up working days of the work calendar, queried when a month is shown. */
export const specialDays: SpecialDays = async (year) => {
  const [{ send }, { calendars }] = await Promise.all([
    import('#kernel/web/client.ts'),
    import('#modules/platform/calendars/contract.ts'),
  ]);
  return (await send(calendars.year, { query: { year } }, { quiet: true })).value;
};
