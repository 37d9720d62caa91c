import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import {
  dayOr,
  done,
  id,
  idParams,
  line,
  name,
  partialOf,
  personName,
  phone,
  version,
} from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';

const page = 'alumnus/list';
const path = '/api/alumnus/{id}/';
/** The most similar people shown at once. */
export const mostAlike = 5;

export const studentNoTaken = refusal(codes.refused, (no: string) => `学号 ${no} 已有校友，请核对`);
export const consentUnsaid = refusal(codes.refused, () => '填写了同意短信，须注明同意的日期和来源');
export const optOutStays = refusal(
  codes.refused,
  () => '本人已退订，不能在这里改回；本人重新同意的，请在短信的“退订名单”中解除',
);

const yearOf = (title: string) =>
  z
    .int('请填写四位年份')
    .min(1900, '请填写四位年份')
    .max(2199, '请填写四位年份')
    .nullable()
    .default(null)
    .meta({ title });
const text = (title: string, max: number) => line(max).default('').meta({ title });

const mobileOf = (title: string, help?: string) =>
  z
    .union([z.literal(''), phone], { error: '请输入 11 位手机号' })
    .default('')
    .meta(field(title, { help }));

const study = {
  name: personName(30).meta({ title: '姓名' }),
  student_no: name(30).meta({ title: '学号' }),
  gender: z
    .enum(['', '男', '女'], '请选择性别')
    .default('')
    .meta(
      field('性别', {
        kind: 'select',
        options: [
          { value: '', label: '未填' },
          { value: '男', label: '男' },
          { value: '女', label: '女' },
        ],
      }),
    ),
  college: text('学院', 50),
  major: text('专业', 50),
  enter_year: yearOf('入学年份'),
  graduate_year: yearOf('毕业年份'),
  class_name: text('班级', 50),
  degree: text('学历', 20),
};
const life = {
  email: z
    .union([z.literal(''), z.email().max(100)], { error: '邮箱格式不正确' })
    .default('')
    .meta({ title: '邮箱' }),
  city: text('城市', 30),
  company: text('单位', 60),
  post: text('职务', 30),
  consent_sms: z
    .boolean()
    .default(false)
    .meta(field('同意短信', { kind: 'switch' })),
  consent_at: dayOr('请选择日期').nullable().default(null).meta({ title: '同意日期' }),
  consent_from: text('同意来源', 60),
  opt_out: z
    .boolean()
    .default(false)
    .meta(field('已退订', { kind: 'switch', help: '本人不愿再收到短信' })),
  remark: text('备注', 200),
};
export const newAlumnusFields = { ...study, mobile: mobileOf('手机号', '保存后只显示末 4 位'), ...life };
export const alumnusFields = {
  ...study,
  mobile: mobileOf('新手机号', '不填则保持原来的号码；原来的号码不显示'),
  without_mobile: z
    .boolean()
    .default(false)
    .meta(field('删去手机号', { kind: 'switch' })),
  ...life,
};

const Alike = z.object({
  id: z.number().int(),
  name: z.string(),
  student_no: z.string(),
  college: z.string(),
  graduate_year: z.number().int().nullable(),
  /** True if the number is the same; otherwise name and year are. */
  same_mobile: z.boolean(),
});
export type Alike = z.output<typeof Alike>;

/** One alumnus: add, correct, erase; many are imported. */
export const oneAlumnus = {
  add: call({
    method: 'POST',
    path: '/api/alumnus/',
    access: grant('Create', page),
    summary: '新增校友',
    body: z.object(newAlumnusFields),
    reply: done,
    message: '校友已新增',
  }),
  /**
   * Called before somebody is added or changed. It reveals the owner of a number, which the list does not: people with read access only may not ask.
   * A body, because numbers must not appear in addresses.
   */
  alike: call({
    method: 'POST',
    path: '/api/alumnus/alike/',
    access: grant('Create', page),
    summary: '查找可能重复的校友',
    body: z.object({
      ...partialOf({ name: study.name, mobile: newAlumnusFields.mobile }),
      graduate_year: study.graduate_year,
      /** The person being changed, to be left out. */
      except: id.optional(),
    }),
    reply: z.array(Alike),
    quiet: true,
  }),
  change: call({
    method: 'PATCH',
    path,
    access: grant('Update', page),
    summary: '编辑校友',
    params: idParams,
    body: z.object({ ...partialOf(alumnusFields), version }),
    reply: done,
    message: '校友已保存',
  }),
  erase: call({
    method: 'DELETE',
    path,
    access: grant('Delete', page),
    summary: '删除校友',
    params: idParams,
    reply: done,
    message: '校友已删除',
  }),
};
