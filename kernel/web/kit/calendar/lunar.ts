const tens = ['初', '十', '廿', '三'];
const ones = ['十', '一', '二', '三', '四', '五', '六', '七', '八', '九'];
const written = new Intl.DateTimeFormat('zh-CN-u-ca-chinese', { month: 'long', day: 'numeric', timeZone: 'UTC' });

/** A day of the lunar calendar; the first of a month by the month's name: `十二`, `闰六月`. */
export function lunarOf(day: string): string {
  const parts = written.formatToParts(new Date(`${day}T12:00:00Z`));
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  const at = Number(part('day'));
  if (at === 1) return part('month');
  if (at === 20 || at === 30) return `${ones[at / 10]}十`;
  return `${at === 10 ? '初' : tens[Math.floor(at / 10)]}${ones[at % 10]}`;
}
