import { dayOf } from '#kernel/contract/moment.ts';
import type { Services } from '#kernel/server/services.ts';
import { smsRules } from '../contract/rules.ts';
import { placeLimits } from '../providers/provider.ts';
import { defaultOptOut, type ContentRules } from '../engine/text.ts';

/** The settings for sending. */
export interface SmsRules extends ContentRules {
  sign: string;
  dayQuota: number;
  monthQuota: number;
  /** `HH:MM` between which notices wait; equal: never. */
  quiet: [from: string, to: string];
  optOut: string;
  /** Price of one segment, in hundredths of a yuan; 0: unknown. */
  price: number;
  /** Characters that the preferred provider accepts for one placeholder. */
  mostInPlace: number;
}

const listed = (text = '') => [
  ...new Set(
    text
      .split(/[\s,，;；、]+/)
      .map((part) => part.trim().toLowerCase())
      .filter((part) => /[\p{L}\p{N}]/u.test(part)),
  ),
];

export async function rulesOf(settings: Services['settings']): Promise<SmsRules> {
  const { sms = {} } = await settings.get('interface');
  const rules = await settings.of(smsRules);
  const [from = '', to = ''] = rules.quiet.split('-');
  return {
    sign: sms['sign'] || (await settings.get('site')).name,
    dayQuota: rules.day_quota,
    monthQuota: rules.month_quota,
    quiet: [from, to],
    links: listed(rules.links),
    words: listed(rules.words),
    optOut: rules.opt_out || defaultOptOut,
    price: rules.price,
    mostInPlace: placeLimits[sms['provider'] ?? ''] ?? Infinity,
  };
}

/** Day and month in Asia/Shanghai, `YYYY-MM-DD`. */
export function periodsOf(now: Date): { day: string; month: string } {
  const text = dayOf(now);
  return { day: text, month: `${text.slice(0, 7)}-01` };
}
