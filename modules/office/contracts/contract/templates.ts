import { z } from 'zod';
import { call, grant, grantOverAll, signedIn, type ReplyOf } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { actions, day, done, flag, id, idParams, line, listOf, listQuery, name } from '#kernel/contract/shapes.ts';
import { timestamp, version } from '#kernel/contract/shapes.ts';
import { coded, field } from '#kernel/contract/titles.ts';
import { TextPart } from '#modules/office/documents/contract/revision.ts';

const page = 'contract/template';
const one = '/api/contract/template/{id}/';

/** Facts of a contract that fill a variable automatically. */
export const variableSources = {
  name: '合同名称',
  our_party: '我方',
  party: '相对方',
  amount: '金额',
  amount_upper: '大写金额',
  start_date: '开始日期',
  end_date: '结束日期',
} as const;
export const variableTypes = { text: '文字', date: '日期', money: '金额', number: '数字' } as const;

const offered = (names: Readonly<Record<string, string>>) =>
  Object.entries(names).map(([value, label]) => ({ value, label }));
export const TemplateVariable = z.object({
  label: name(30).meta({ title: '名称' }),
  key: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,29}$/, '由小写字母、数字和下划线组成，以字母开头')
    .meta({ title: '变量名' }),
  type: z
    .enum(Object.keys(variableTypes) as [keyof typeof variableTypes])
    .default('text')
    .meta(field('类型', { kind: 'select', options: offered(variableTypes) })),
  source: z
    .enum(Object.keys(variableSources) as [keyof typeof variableSources])
    .nullable()
    .default(null)
    .meta(field('取自', { kind: 'select', options: offered(variableSources) })),
  required: flag.default(true).meta(field('必填', { kind: 'switch' })),
});
export type TemplateVariable = z.output<typeof TemplateVariable>;

/** The drafter's values of variables, by key. */
export const TextValues = z.record(z.string().max(30), z.string().trim().max(2000, '最多 2000 个字'));
const content = z.string().max(100_000, '正文过长，请改为上传文件');

export const templateStatus = codeSet({
  draft: [0, '草稿', 'default'],
  inUse: [1, '启用', 'success'],
  outOfUse: [2, '停用', 'warning'],
});

export const variables = z.array(TemplateVariable).max(60, '最多 60 个变量').meta({ title: '变量' });
const TemplateInput = z.object({
  name: name(60).meta({ title: '模板名称' }),
  category_id: id.meta({ title: '合同类别' }),
  content: content.min(1, '请填写').meta({ title: '正文' }),
  variables,
  change_log: line(300).optional().meta({ title: '修改说明' }),
  effective_date: day.nullable().optional().meta({ title: '生效日期' }),
});
export type TemplateInput = z.output<typeof TemplateInput>;

export const templateRow = z.object({
  id: z.number().int(),
  name: z.string().meta(field('模板名称')),
  category_id: z.number().int(),
  category_name: z.string().meta(field('类别')),
  status: z.number().int().meta(coded('状态', templateStatus.names)),
  version_no: z.number().int().meta(field('版本')),
  change_log: z.string().meta(field('修改说明')),
  effective_date: z.string().nullable(),
  /** The number of contracts written from any of its versions. */
  used: z.number().int().meta(field('使用')),
  gmt_modified: timestamp.meta(field('修改时间')),
  version: z.number().int(),
  actions,
});
const versionRow = z.object({
  id: z.number().int(),
  no: z.number().int(),
  content: z.string(),
  variables: z.array(TemplateVariable),
  change_log: z.string(),
  effective_date: z.string().nullable(),
  gmt_created: timestamp,
  who: z.string(),
  used: z.number().int(),
  /** The difference from the version before; empty for the first. */
  diff: z.array(TextPart),
});

/** Templates of contracts: text with variables and locked clauses, in versions. */
export const contractTemplates = {
  templates: call({
    method: 'GET',
    path: '/api/contract/template/',
    access: grant('Retrieve', page),
    summary: '查看合同模板',
    query: listQuery({
      sort: ['gmt_modified', 'name', 'used'],
      filters: {
        category_id: id.optional().meta(field('合同类别', { short: '类别' })),
        status: z.coerce.number().int().min(0).max(2).optional(),
      },
    }),
    reply: listOf(templateRow),
  }),
  addTemplate: call({
    method: 'POST',
    path: '/api/contract/template/',
    access: grantOverAll('Create', page),
    summary: '新增合同模板',
    body: TemplateInput,
    reply: done,
    message: '模板已保存',
  }),
  template: call({
    method: 'GET',
    path: one,
    access: grant('Retrieve', page),
    summary: '查看合同模板详情',
    params: idParams,
    reply: z.object({ value: templateRow.extend({ versions: z.array(versionRow) }) }),
    fresh: true,
  }),
  /** Changing the text of a template that is or was in use makes a new version; existing contracts keep theirs. */
  changeTemplate: call({
    method: 'PUT',
    path: one,
    access: grantOverAll('Update', page),
    summary: '编辑合同模板',
    params: idParams,
    body: TemplateInput.partial().extend({
      status: z.literal([1, 2]).optional().meta({ title: '状态' }),
      version,
    }),
    reply: done,
    message: '模板已保存',
  }),
  removeTemplate: call({
    method: 'DELETE',
    path: one,
    access: grantOverAll('Delete', page),
    summary: '删除合同模板',
    params: idParams,
    reply: done,
    message: '模板已删除',
  }),
  templateOptions: call({
    method: 'GET',
    path: '/api/contract/tp/',
    access: signedIn,
    summary: '可用的合同模板',
    query: z.object({ category_id: id.optional() }),
    reply: z.array(
      z.object({
        id: z.number().int(),
        name: z.string(),
        category_id: z.number().int(),
        version_no: z.number().int(),
        version_id: z.number().int(),
      }),
    ),
  }),
  /** The stored text, and the text with sample values. Drafts are visible to those who manage templates. */
  templateHtml: call({
    method: 'GET',
    path: `${one}html/`,
    access: signedIn,
    summary: '查看合同模板正文',
    params: idParams,
    query: z.object({ no: z.coerce.number().int().positive().optional() }),
    reply: z.object({
      id: z.number().int(),
      name: z.string(),
      version_id: z.number().int(),
      no: z.number().int(),
      content: z.string(),
      variables: z.array(TemplateVariable),
      html: z.string(),
    }),
  }),
};
export type Template = ReplyOf<typeof contractTemplates.template>['value'];
