import { z } from 'zod';
import { call, grantOverAll, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { done, name } from '#kernel/contract/shapes.ts';

export const yearOutOfRange = refusal(codes.refused, (day: string) => `${day} 不在 2000–2099 年之间，请重新选择日期`);

export const noSuchDay = refusal(codes.refused, (day: string) => `没有“${day}”这一天，请写成 2026-10-01 这样的日期`);

export const SpecialDay = z.object({
  day: z.string(),
  works: z.boolean(),
  name: z.string(),
  /** `announced`: by the State Council; `own`: set here, and goes before it. */
  source: z.enum(['announced', 'own']),
});
export type SpecialDay = z.output<typeof SpecialDay>;

const dayParams = z.object({ day: z.string() });

export const calendars = {
  year: call({
    method: 'GET',
    path: '/api/calendars/',
    access: signedIn,
    summary: '工作日历',
    query: z.object({
      year: z.coerce
        .number()
        .int()
        .min(2000)
        .max(2099)
        .default(() => new Date().getFullYear()),
    }),
    reply: z.object({
      year: z.number().int(),
      /** Whether the holidays of the year are known; without them only the usual week counts. */
      announced: z.boolean(),
      workdays: z.number().int(),
      /** Of each day of the year in order, 1 where it is worked and 0 where not. */
      days: z.string(),
      /** When a working day is worked: `08:30–12:00、13:30–18:00`. */
      office_hours: z.string(),
      value: z.array(SpecialDay),
    }),
  }),
  setDay: call({
    method: 'PUT',
    path: '/api/calendars/{day}/',
    access: grantOverAll('Update', 'system/site'),
    summary: '调整工作日历',
    params: dayParams,
    body: z.object({
      works: z.boolean().meta({ title: '上班' }),
      name: name(30).meta({ title: '说明' }),
    }),
    reply: done,
    message: '工作日历已保存，今后到达的环节按新的日历计时',
  }),
  clearDay: call({
    method: 'DELETE',
    path: '/api/calendars/{day}/',
    access: grantOverAll('Update', 'system/site'),
    summary: '取消日历调整',
    params: dayParams,
    reply: done,
    message: '已恢复为统一安排',
  }),
};
