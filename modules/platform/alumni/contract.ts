import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { actions, listOf, listQuery } from '#kernel/contract/shapes.ts';
import { alumnusFilter, commaList } from './contract/filter.ts';
import { alumniImport } from './contract/import.ts';
import { oneAlumnus } from './contract/one.ts';

const list = 'alumnus/list';

export const reasonWanted = refusal(codes.refused, () => '导出校友名单须填写用途（最多 100 个字），用途会记入操作日志');

const Alumnus = z.object({
  id: z.number().int(),
  version: z.number().int(),
  name: z.string(),
  gender: z.string(),
  student_no: z.string(),
  college: z.string(),
  major: z.string(),
  enter_year: z.number().int().nullable(),
  graduate_year: z.number().int().nullable(),
  class_name: z.string(),
  degree: z.string(),
  city: z.string(),
  company: z.string(),
  post: z.string(),
  /** Empty for whoever only chooses recipients; the remark too. */
  email: z.string(),
  mobile_masked: z.string(),
  can_sms: z.boolean(),
  consent_sms: z.boolean(),
  consent_at: z.string().nullable(),
  consent_from: z.string(),
  opt_out: z.boolean(),
  remark: z.string(),
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
        /** Those chosen before. */
        ids: commaList.optional(),
        reason: z.string().trim().max(100, '最多 100 个字').optional(),
      },
    }).extend({ search_value: z.string().trim().max(100, '搜索内容最多 100 个字').default('') }),
    reply: listOf(Alumnus),
    exports: {
      page: list,
      title: '校友',
      columns: [
        { key: 'name', title: '姓名' },
        { key: 'gender', title: '性别' },
        { key: 'student_no', title: '学号' },
        { key: 'college', title: '学院' },
        { key: 'major', title: '专业' },
        { key: 'enter_year', title: '入学年份' },
        { key: 'graduate_year', title: '毕业年份' },
        { key: 'class_name', title: '班级' },
        { key: 'degree', title: '学历' },
        { key: 'city', title: '城市' },
        { key: 'company', title: '单位' },
        { key: 'post', title: '职务' },
        { key: 'email', title: '邮箱' },
        { key: 'mobile_masked', title: '手机' },
        { key: 'can_sms', title: '可发短信', show: (can: boolean) => (can ? '是' : '否') },
        { key: 'consent_sms', title: '同意短信', show: (consents: boolean) => (consents ? '是' : '否') },
        { key: 'consent_at', title: '同意日期' },
        { key: 'consent_from', title: '同意来源' },
        { key: 'opt_out', title: '已退订', show: (out: boolean) => (out ? '是' : '否') },
        { key: 'remark', title: '备注' },
      ],
    },
  }),
  ...alumniImport.calls,
  ...oneAlumnus,
};
