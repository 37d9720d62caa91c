import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { actions, listOf, listQuery } from '#kernel/contract/shapes.ts';
import { field, sheetColumns } from '#kernel/contract/titles.ts';
import { alumnusFilter, commaList } from './contract/filter.ts';
import { alumniImport } from './contract/import.ts';
import { oneAlumnus } from './contract/one.ts';

const list = 'alumnus/list';

export const reasonWanted = refusal(codes.refused, () => '导出校友名单须填写用途（最多 100 个字），用途会记入操作日志');

const Alumnus = z.object({
  id: z.number().int(),
  version: z.number().int(),
  name: z.string().meta(field('姓名')),
  gender: z.string().meta(field('性别')),
  student_no: z.string().meta(field('学号')),
  college: z.string().meta(field('学院')),
  major: z.string().meta(field('专业')),
  enter_year: z.number().int().nullable().meta(field('入学年份')),
  graduate_year: z.number().int().nullable().meta(field('毕业年份')),
  class_name: z.string().meta(field('班级')),
  degree: z.string().meta(field('学历')),
  city: z.string().meta(field('城市')),
  company: z.string().meta(field('单位')),
  post: z.string().meta(field('职务')),
  /** Empty for people who only choose recipients, like the remark. */
  email: z.string().meta(field('邮箱')),
  mobile_masked: z.string().meta(field('手机')),
  can_sms: z.boolean().meta(field('可发短信')),
  consent_sms: z.boolean().meta(field('同意短信')),
  consent_at: z.string().nullable().meta(field('同意日期')),
  consent_from: z.string().meta(field('同意来源')),
  opt_out: z.boolean().meta(field('已退订')),
  remark: z.string().meta(field('备注')),
  actions,
});
export type Alumnus = z.output<typeof Alumnus>;

const groups = z.array(z.object({ name: z.string(), count: z.number().int() }));

export const alumni = {
  count: call({
    method: 'GET',
    path: '/api/alumnus/count/',
    access: grant('Retrieve', list, 'sms/send'),
    summary: '校友人数',
    query: z.object(alumnusFilter),
    reply: z.object({
      total: z.number().int(),
      with_mobile: z.number().int(),
      consented: z.number().int(),
      by_college: groups,
      by_major: groups,
      by_enter_year: groups,
      by_degree: groups,
      by_year: groups,
      by_city: groups,
    }),
  }),
  choose: call({
    method: 'GET',
    path: '/api/alumnus/sms_retrieve/',
    access: grant('Retrieve', list, 'sms/send'),
    summary: '校友名单',
    query: listQuery({
      sort: ['gmt_created', 'name', 'graduate_year', 'college'],
      filters: {
        ...alumnusFilter,
        /** Ids already chosen. */
        ids: commaList.optional(),
        reason: z.string().trim().max(100, '最多 100 个字').optional().meta({ title: '导出用途' }),
      },
    }).extend({ search_value: z.string().trim().max(100, '搜索内容最多 100 个字').default('') }),
    reply: listOf(Alumnus),
    exports: {
      page: list,
      title: '校友',
      columns: sheetColumns(Alumnus.shape, [
        'name',
        'gender',
        'student_no',
        'college',
        'major',
        'enter_year',
        'graduate_year',
        'class_name',
        'degree',
        'city',
        'company',
        'post',
        'email',
        'mobile_masked',
        'can_sms',
        'consent_sms',
        'consent_at',
        'consent_from',
        'opt_out',
        'remark',
      ]),
    },
  }),
  ...alumniImport.calls,
  ...oneAlumnus,
};
