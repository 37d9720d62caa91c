import { z } from 'zod';
import { yearOf } from '#kernel/contract/moment.ts';
import { call, grantOverAll, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { done, name } from '#kernel/contract/shapes.ts';
import { sheetImport } from '#kernel/contract/sheet/import.ts';

export const yearOutOfRange = refusal(codes.refused, (day: string) => `${day} 不在 2000–2099 年之间，请重新选择日期`);

export const noSuchDay = refusal(codes.refused, (day: string) => `没有“${day}”这一天，请写成 2026-10-01 这样的日期`);

/** The extent to which the days of a year are known; before they are, computed dates may change. */
export const yearStates = {
  announced: '已公布',
  confirmed: '本单位已确认',
  proposed: '建议稿，待确认',
  unknown: '尚未公布',
} as const;
export type YearState = keyof typeof yearStates;

export const yearKnown = refusal(
  codes.refused,
  (year: number, state: YearState) => `${year} 年的放假安排${yearStates[state]}，不需要建议稿；要改某一天，请直接调整`,
);

/** A plan that omits a day which every plan contains is invalid. */
export const planIncomplete = refusal(
  codes.refused,
  (days: readonly string[]) => `建议稿缺少 ${days.join('、')}，请先逐日调整为休息或上班，再确认建议稿`,
);

const reckonedBy = { unknown: '每周工作日', proposed: '建议稿' } as const;
export const isProvisional = (state: YearState): state is keyof typeof reckonedBy => state in reckonedBy;
/** A note on a date in a year whose holidays are not known. */
export const provisionalText = (year: string, state: keyof typeof reckonedBy) =>
  `${year} 年的放假安排尚未公布，日期暂按${reckonedBy[state]}推算，公布后可能变化`;

export const SpecialDay = z.object({
  day: z.string(),
  works: z.boolean(),
  name: z.string(),
  /** `announced`: by the State Council; `own`: set here, takes precedence; `proposed`: until one of them says otherwise. */
  source: z.enum(['announced', 'own', 'proposed']),
});
export type SpecialDay = z.output<typeof SpecialDay>;

const dayParams = z.object({ day: z.string() });
const yearParams = z.object({ year: z.coerce.number().int().min(2000).max(2099) });
const ofYear = '/api/calendars/years/{year}/';

/** The days of a year as announced, or as the organisation keeps them. */
export const calendarImport = sheetImport({
  prefix: '/api/calendars/',
  page: 'system/site',
  code: 'Update',
  whole: true,
  what: '放假安排',
  unit: '天',
  maxRows: 397,
  megabytes: 2,
  columns: [
    { key: 'day', title: '日期', kind: 'day', needed: true, unique: true, example: '2027-01-01' },
    { key: 'kind', title: '安排', aka: ['类型'], needed: true, example: '休息' },
    { key: 'name', title: '说明', aka: ['节日', '名称'], needed: true, example: '元旦' },
  ],
  tells: {},
});

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
        .default(() => yearOf(new Date())),
    }),
    reply: z.object({
      year: z.number().int(),
      state: z.enum(Object.keys(yearStates) as [YearState, ...YearState[]]),
      workdays: z.number().int(),
      /** For each day of the year in order, 1 if it is a working day, else 0. */
      days: z.string(),
      /** Office hours of a working day: `08:30–12:00、13:30–18:00`. */
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
  propose: call({
    method: 'POST',
    path: ofYear,
    access: grantOverAll('Update', 'system/site'),
    summary: '生成放假建议稿',
    params: yearParams,
    reply: done,
    message: '已按法定节假日生成建议稿，请核对后确认',
  }),
  confirm: call({
    method: 'PUT',
    path: ofYear,
    access: grantOverAll('Update', 'system/site'),
    summary: '确认放假建议稿',
    params: yearParams,
    reply: done,
    message: '放假安排已确认',
  }),
  discard: call({
    method: 'DELETE',
    path: ofYear,
    access: grantOverAll('Update', 'system/site'),
    summary: '撤销放假建议稿',
    params: yearParams,
    reply: done,
    message: '建议稿已撤销',
  }),
  ...calendarImport.calls,
};
