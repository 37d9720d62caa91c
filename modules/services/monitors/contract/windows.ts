import { z } from 'zod';
import { grant } from '#kernel/contract/call.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { id, localMoment, name } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

const int = z.number().int();
const page = 'customer/project';
const input = {
  title: name(50).meta({ title: '名称' }),
  project_ids: z
    .array(id)
    .min(1, '请至少选择一个项目')
    .max(500, '最多 500 个项目')
    .transform((all) => [...new Set(all)])
    .meta({ title: '项目' }),
  weekly: z
    .boolean()
    .default(false)
    .meta(field('每周重复', { kind: 'switch' })),
  starts_at: localMoment.meta({ title: '开始时间' }),
  ends_at: localMoment
    .nullable()
    .default(null)
    .meta(field('结束时间', { help: '每周重复的可以不填' })),
  weekdays: z.array(int.min(1).max(7)).max(7).default([]).meta({ title: '星期' }),
  from_minute: int
    .min(0)
    .max(1439)
    .default(0)
    .meta(field('当天几点起（分钟）', { help: '从零点起的分钟数，如 1320 为 22:00' })),
  minutes: int.min(0).max(1440, '最多一天').default(0).meta({ title: '时长（分钟）' }),
};
const noun = nounCalls({
  prefix: '/api/test/maintenance/',
  page,
  noun: '维护窗口',
  input,
  row: {
    title: z.string(),
    project_ids: z.array(int),
    project_names: z.string().meta(field('项目')),
    weekly: z.boolean(),
    starts_at: z.string(),
    ends_at: z.string().nullable(),
    weekdays: z.array(int),
    from_minute: int,
    minutes: int,
  },
  sort: ['starts_at', 'title'],
});
/** Those who manage monitors manage their windows, too. */
const access = grant('Update', page);
export const windowCalls = {
  windows: noun.list,
  addWindow: { ...noun.add, access },
  changeWindow: noun.change,
  removeWindow: { ...noun.remove, access },
};
export const windowNoun = {
  list: windowCalls.windows,
  add: windowCalls.addWindow,
  change: windowCalls.changeWindow,
  remove: windowCalls.removeWindow,
};
