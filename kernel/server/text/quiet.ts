const minuteMs = 60_000;
const dayMinutes = 1440;
const shanghaiMinutes = 480;

const minutesOf = (hour: string): number => Number(hour.slice(0, 2)) * 60 + Number(hour.slice(3, 5));

/** The first moment at or after `at` outside the quiet hours, which are `HH:MM` in Asia/Shanghai and may cross midnight. */
export function afterQuiet(at: Date, from: string | null, to: string | null): Date {
  if (from === null || to === null || from === to) return at;
  const now = (Math.floor(at.getTime() / minuteMs) + shanghaiMinutes) % dayMinutes;
  const since = (now - minutesOf(from) + dayMinutes) % dayMinutes;
  const left = (minutesOf(to) - now + dayMinutes) % dayMinutes;
  const lasts = (minutesOf(to) - minutesOf(from) + dayMinutes) % dayMinutes;
  return since < lasts ? new Date((Math.floor(at.getTime() / minuteMs) + left) * minuteMs) : at;
}
