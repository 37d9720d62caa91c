import { z } from 'zod';
import { line } from '#kernel/contract/shapes.ts';

const year = z.coerce.number().int().min(1900, '请填写四位年份').max(2200, '请填写四位年份');

/** In an address a list is written with commas. */
export const commaList = z
  .string()
  .max(2000)
  .regex(/^\d{1,10}(,\d{1,10}){0,199}$/, '请填写用逗号隔开的编号，最多 200 个')
  .transform((value) => value.split(',').map(Number));

/** A filter of alumni; missing fields do not filter. */
export const alumnusFilter = {
  college: line(50).meta({ title: '学院' }).optional(),
  major: line(50).meta({ title: '专业' }).optional(),
  enter_year: year.meta({ title: '入学年份' }).optional(),
  graduate_year: year.meta({ title: '毕业年份' }).optional(),
  city: line(30).meta({ title: '城市' }).optional(),
  degree: line(20).meta({ title: '学历' }).optional(),
  search_value: line(100).meta({ title: '搜索' }).optional(),
};
export type AlumnusFilter = { [K in keyof typeof alumnusFilter]?: z.output<(typeof alumnusFilter)[K]> };
