import { dayOf } from '#kernel/contract/moment.ts';
import type { Services } from '#kernel/server/services.ts';
import { smsRules } from '../contract/rules.ts';
import { defaultOptOut, type ContentRules } from '../engine/text.ts';

/** What the settings say of sending. */
export interface SmsRules extends ContentRules {
  sign: string;
  dayQuota: number;
  monthQuota: number;
  /** Minutes of the day between which notices wait; equal: never. */
  quiet: { from: number; to: number };
  optOut: string;
  /** Of one segment, in hundredths of a yuan; 0: not told. */
  price: number;
}

const listed = (text = '') => [
  ...new Set(
    text
      .split(/[\s,，;；、]+/)
      .map((part) => part.trim().toLowerCase())
      .filter((part) => /[\p{L}\p{N}]/u.test(part)),
  ),
];
const minutes = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

export async function rulesOf(settings: Services['settings']): Promise<SmsRules> {
  const { sms = {} } = await settings.get('interface');
  const rules = await settings.of(smsRules);
  const [from = '', to = ''] = rules.quiet.split('-');
  return {
    sign: sms['sign'] || (await settings.get('site')).name,
    dayQuota: rules.day_quota,
    monthQuota: rules.month_quota,
    quiet: { from: minutes(from), to: minutes(to) },
    links: listed(rules.links),
    words: listed(rules.words),
    optOut: rules.opt_out || defaultOptOut,
    price: rules.price,
  };
}

const zone = 8 * 3_600_000;
const day = 86_400_000;

/** The first moment from `at` on that is not quiet. */
export function afterQuiet(at: Date, { from, to }: SmsRules['quiet']): Date {
  if (from === to) return at;
  const local = at.getTime() + zone;
  const midnight = Math.floor(local / day) * day;
  const minute = (local - midnight) / 60_000;
  const quiet = from < to ? minute >= from && minute < to : minute >= from || minute < to;
  if (!quiet) return at;
  const end = midnight + to * 60_000;
  return new Date((end <= local ? end + day : end) - zone);
}

/** Day and month in Asia/Shanghai, `YYYY-MM-DD`. */
export function periodsOf(now: Date): { day: string; month: string } {
  const text = dayOf(now);
  return { day: text, month: `${text.slice(0, 7)}-01` };
}
