import { z } from 'zod';
import { day } from '#kernel/contract/shapes.ts';

export const mostDates = 100;
/** Days from the first to the last date; yearly repetitions may go on for longer. */
export const mostDays = 366;
export const mostYears = 10;

export const frequencies = { DAILY: '每天', WEEKLY: '每周', MONTHLY: '每月', YEARLY: '每年' } as const;
const places = [1, 2, 3, 4, -1] as const;
export const nths = { 1: '第一个', 2: '第二个', 3: '第三个', 4: '第四个', '-1': '最后一个' } as const;

/** A repetition; its first date determines the time of day. */
export const Repeat = z
  .object({
    freq: z.enum(Object.keys(frequencies) as [keyof typeof frequencies]).meta({ title: '重复' }),
    interval: z.int().min(1).max(12).default(1).meta({ title: '间隔' }),
    /** Days of the week, Monday 1. Monthly with `nth`: which of them; without days, the same day of each month. */
    days: z.array(z.int().min(1).max(7)).max(7).default([]).meta({ title: '星期' }),
    nth: z
      .int()
      .refine((nth) => (places as readonly number[]).includes(nth), '请选择第一至第四个或最后一个')
      .optional()
      .meta({ title: '第几个' }),
    count: z.int().min(1).max(mostDates, `最多 ${mostDates} 次`).optional().meta({ title: '次数' }),
    /** The last day, inclusive. */
    until: day.optional().meta({ title: '截止日期' }),
    /** Monthly: on the last day of the month. */
    last_day: z.boolean().default(false).meta({ title: '每月最后一天' }),
    /** Holidays are skipped, without a substitute. */
    skip_holidays: z.boolean().default(false).meta({ title: '跳过节假日' }),
    /** Days left out from the beginning. */
    left_out: z.array(day).max(mostDates, `最多 ${mostDates} 天`).default([]).meta({ title: '不开的日期' }),
  })
  .refine(({ count, until }) => (count === undefined) !== (until === undefined), {
    path: ['until'],
    message: '请填写次数或截止日期，二者选一',
  })
  .refine(({ freq, days, nth }) => (freq === 'MONTHLY' ? days.length > 0 === (nth !== undefined) : nth === undefined), {
    path: ['nth'],
    message: '按星期每月重复时，请同时选择第几个和星期几',
  })
  .refine(({ freq, days, last_day }) => !last_day || (freq === 'MONTHLY' && days.length === 0), {
    path: ['last_day'],
    message: '每月最后一天只用于每月重复，不与星期同选',
  })
  .refine(({ freq, days }) => freq !== 'YEARLY' || days.length === 0, {
    path: ['days'],
    message: '每年重复按同一日期，不选星期',
  });
export type Repeat = z.output<typeof Repeat>;
