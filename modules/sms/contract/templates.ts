import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { actions, done, idParams, line, listOf, listQuery, name, text, version } from '#kernel/contract/shapes.ts';

const page = 'sms/template';

const Template = z.object({
  id: z.number().int(),
  code: z.string(),
  name: z.string(),
  content: z.string(),
  type: z.number().int(),
  sign: z.string(),
  provider_template_id: z.string(),
  status: z.number().int(),
  /** Names of what is to be filled in. */
  params: z.array(z.string()),
  version: z.number().int(),
  actions,
});
export type Template = z.output<typeof Template>;

const TemplateInput = z.object({
  code: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9_]{1,39}$/, '请填写小写字母开头的字母、数字或下划线，2 到 40 位')
    .meta({ title: '编码' }),
  name: name(40).meta({ title: '名称' }),
  content: text(500).min(1, unfilled).meta({ title: '内容' }),
  type: z.int().min(1).max(3).meta({ title: '类型' }),
  sign: line(20).meta({ title: '签名' }),
  provider_template_id: line(60).meta({ title: '服务商模板编号' }),
  status: z.int().min(0).max(1).meta({ title: '状态' }),
});
const fields = TemplateInput.shape;

export const templates = {
  templates: call({
    method: 'GET',
    path: '/api/sms/template/',
    access: grant('Retrieve', page),
    summary: '短信模板',
    query: listQuery({
      sort: ['code', 'name', 'gmt_created'],
      filters: {
        type: z.coerce.number().int().min(1).max(3).optional(),
        status: z.coerce.number().int().min(0).max(1).optional(),
      },
    }),
    reply: listOf(Template),
  }),
  usable: call({
    method: 'GET',
    path: '/api/sms/send/template/',
    access: grant('Create', 'sms/send'),
    summary: '可用短信模板',
    reply: z.array(Template.pick({ id: true, name: true, content: true, params: true })),
  }),
  addTemplate: call({
    method: 'POST',
    path: '/api/sms/template/',
    access: grant('Create', page),
    summary: '新增短信模板',
    body: TemplateInput.extend({
      sign: fields.sign.default(''),
      provider_template_id: fields.provider_template_id.default(''),
      status: fields.status.default(1),
    }),
    reply: done,
    message: '模板已新增',
  }),
  editTemplate: call({
    method: 'PUT',
    path: '/api/sms/template/{id}/',
    access: grant('Update', page),
    summary: '编辑短信模板',
    params: idParams,
    body: TemplateInput.partial().extend({ version }),
    reply: done,
    message: '模板已保存',
  }),
  removeTemplate: call({
    method: 'DELETE',
    path: '/api/sms/template/{id}/',
    access: grant('Delete', page),
    summary: '删除短信模板',
    params: idParams,
    reply: done,
    message: '模板已删除',
  }),
};
