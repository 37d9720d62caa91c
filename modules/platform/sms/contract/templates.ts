import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { line, name, text } from '#kernel/contract/shapes.ts';
import { choice, field, onOff } from '#kernel/contract/titles.ts';
import { smsType } from './labels.ts';

const input = {
  code: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9_]{1,39}$/, '请填写小写字母开头的字母、数字或下划线，2 到 40 位')
    .meta(field('编码', { help: '程序按编码使用模板，如 duty_notice' })),
  name: name(40).meta({ title: '名称' }),
  content: text(500)
    .min(1, unfilled)
    .meta(
      field('内容', {
        kind: 'textarea',
        help: '要填写的地方写成 {时间}；{name} 换成接收人姓名；不写签名',
      }),
    ),
  type: choice('类型', smsType.names, { help: '通知在免打扰时段内顺延，告警立即发出' }),
  sign: line(20)
    .default('')
    .meta(field('签名', { help: '不填则用接口设置中的签名' })),
  provider_template_id: line(60).default('').meta({ title: '服务商模板编号' }),
  status: choice('状态', onOff.names).default(1),
};
const row = {
  code: z.string(),
  name: z.string(),
  content: z.string(),
  type: z.number().int(),
  sign: z.string(),
  provider_template_id: z.string(),
  status: z.number().int(),
  /** Names of its placeholders. */
  params: z.array(z.string()),
};

export const smsTemplates = nounCalls({
  prefix: '/api/sms/template/',
  page: 'sms/template',
  whole: true,
  noun: '短信模板',
  input,
  row,
  sort: ['code', 'name', 'gmt_created'],
  filters: {
    type: z.coerce.number().int().min(1).max(3).optional(),
    status: z.coerce.number().int().min(0).max(1).optional(),
  },
});

export const templates = {
  usable: call({
    method: 'GET',
    path: '/api/sms/send/template/',
    access: grant('Create', 'sms/send'),
    summary: '可用短信模板',
    reply: z.array(z.object(row).pick({ name: true, content: true, params: true }).extend({ id: z.number().int() })),
  }),
};
