import { z } from 'zod';
import { line } from '#kernel/contract/shapes.ts';

const year = z.coerce.number().int().min(1900, '请填写四位年份').max(2200, '请填写四位年份');

/** Which alumni are meant; what is absent narrows nothing. */
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
