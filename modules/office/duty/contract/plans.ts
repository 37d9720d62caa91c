import { z } from 'zod';
import { figures } from '#kernel/contract/figures.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { id, name, telephone } from '#kernel/contract/shapes.ts';
import { choice, field, onOff } from '#kernel/contract/titles.ts';
import { Audience, AudienceShown, nobody } from '#modules/platform/people/contract/audience.ts';

const int = z.number().int();
export const page = 'leader/duty';
export const path = '/api/leader/duty/' as const;
const hour = (title: string, help?: string) =>
  z
    .string()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, '请按“17:30”填写')
    .meta(field(title, help ? { help } : {}));
const pool = (title: string) => Audience.default(nobody).meta(field(title));
const need = (title: string) => int.min(0).max(10, '最多 10 人').default(0).meta(field(title));
const plan = {
  name: name(30).meta(field('班次名称', { help: '如“总值班”“夜班”；一天有几个班次的，每个班次一个方案' })),
  on_work: choice('工作日', { 1: '值班', 0: '不值班' }).default(1),
  work_from: hour('工作日开始').default('17:30'),
  work_to: hour('工作日结束', '不晚于开始的，到次日').default('08:00'),
  rest_from: hour('休息日开始').default('08:00'),
  rest_to: hour('休息日结束', '休息日和节假日；不晚于开始的，到次日').default('08:00'),
  lead_need: need('带班领导人数').default(1),
  lead: pool('带班领导'),
  lead_weekly: z
    .boolean()
    .default(true)
    .meta(field('带班按周轮换', { kind: 'switch' })),
  staff_need: need('值班员人数').default(1),
  staff: pool('值班员'),
  backup_need: need('备勤人数'),
  backup: pool('备勤'),
  phone: telephone(30).default('').meta(field('值班电话')),
  confirms: z
    .boolean()
    .default(true)
    .meta(field('换班须办公室确认', { kind: 'switch' })),
  status: choice('状态', onOff.names).default(1),
};
export const planCalls = nounCalls({
  prefix: `${path}plan/`,
  page,
  noun: '值班方案',
  input: plan,
  row: {
    ...plan,
    lead: AudienceShown,
    staff: AudienceShown,
    backup: AudienceShown,
    keeper_name: z.string().meta(field('负责人')),
  },
  sort: ['gmt_created'],
  filters: { status: z.coerce.number().int().optional() },
});

export const dutyStatistics = figures({
  path: `${path}statistics/`,
  page,
  title: '值班统计',
  filters: { plan_id: id.optional() },
  months: 3,
  columns: {
    count: { title: '班次' },
    points: { title: '积分' },
    work: { title: '工作日' },
    rest: { title: '休息日' },
    holiday: { title: '节假日' },
    swapped: { title: '换班得来' },
  },
  panels: {
    person: {
      title: '各人值班',
      heading: '人员',
      columns: ['count', 'points', 'work', 'rest', 'holiday', 'swapped'],
      drawn: ['points'],
      unit: '分',
      chart: 'bars',
      none: '这段时间没有值班',
    },
    dept: {
      title: '按部门',
      heading: '部门',
      columns: ['count', 'points', 'rest', 'holiday'],
      drawn: ['count'],
      unit: '班次',
      chart: 'bars',
      none: '这段时间没有值班',
    },
  },
  summary: { gaps: int },
});
