import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import {
  actions,
  done,
  id,
  idParams,
  line,
  listOf,
  listQuery,
  name,
  timestamp,
  version,
} from '#kernel/contract/shapes.ts';

const int = z.number().int();
const page = 'document/setting';
const status = z.union([z.literal(0), z.literal(1)]);

export const RuleInput = z.object({
  agency_code: z
    .string()
    .trim()
    .min(1, unfilled)
    .max(20, '最多 20 个字')
    .regex(/^[^\p{Cc}\p{Cs}第号〔〕[\]【】()（）]*$/u, '请只填机关代字，如“校发”，不要带年份、“第”字和括号')
    .meta({ title: '机关代字' }),
  scope: line(100).default('').meta({ title: '使用范围' }),
  start_no: z.int().min(1).max(99_999).default(1).meta({ title: '起始号' }),
  status: status.default(1).meta({ title: '状态' }),
});
/** What whoever writes or numbers a letter chooses from. */
export const Agency = z.object({ id: int, agency_code: z.string(), scope: z.string() });
export const NumberRule = z.object({
  ...Agency.shape,
  start_no: int,
  status: int,
  /** Of this year. */
  last_number: z.string(),
  gmt_modified: timestamp,
  version: int,
  actions,
});
export type NumberRule = z.output<typeof NumberRule>;

export const Booked = z.object({
  id: int,
  rule_id: int,
  year: int,
  seq: int,
  number: z.string(),
  /** 1 given to a document, 3 void. */
  state: int,
  state_name: z.string(),
  document_id: int.nullable(),
  document_title: z.string(),
  reason: z.string(),
  voided_by: z.string(),
  voided_at: timestamp.nullable(),
  gmt_created: timestamp,
});
export const documentSettings = {
  rules: call({
    method: 'GET',
    path: '/api/document/number_rule/',
    access: grant('Retrieve', page),
    summary: '发文字号规则',
    query: listQuery({ sort: ['agency_code', 'gmt_modified'] }),
    reply: listOf(NumberRule),
  }),
  agencies: call({
    method: 'GET',
    path: '/api/document/agency/',
    access: signedIn,
    summary: '可选的机关代字',
    reply: z.object({ value: z.array(Agency) }),
  }),
  addRule: call({
    method: 'POST',
    path: '/api/document/number_rule/',
    access: grant('Create', page),
    summary: '新增发文字号规则',
    body: RuleInput,
    reply: done,
  }),
  changeRule: call({
    method: 'PUT',
    path: '/api/document/number_rule/{id}/',
    access: grant('Update', page),
    summary: '编辑发文字号规则',
    params: idParams,
    body: RuleInput.extend({ version }),
    reply: done,
  }),
  removeRule: call({
    method: 'DELETE',
    path: '/api/document/number_rule/{id}/',
    access: grant('Delete', page),
    summary: '删除发文字号规则',
    params: idParams,
    reply: done,
  }),
  book: call({
    method: 'GET',
    path: '/api/document/number_book/',
    access: grant('Retrieve', page),
    summary: '字号簿',
    query: listQuery({
      sort: ['seq'],
      filters: {
        rule_id: id.optional(),
        year: z.coerce.number().int().min(2000).max(2999).optional(),
        state: z.coerce.number().int().min(1).max(3).optional(),
      },
    }),
    reply: listOf(Booked).extend({
      /** Numbers below the last one that were never given; of one rule and year, the first hundred. */
      gaps: z.array(z.string()),
    }),
  }),
  voidNumber: call({
    method: 'POST',
    path: '/api/document/number_book/void/',
    access: grant('Update', page),
    summary: '作废发文字号',
    body: z.object({
      rule_id: id.meta({ title: '机关代字' }),
      year: z.int().min(2000).max(2999).meta({ title: '年份' }),
      seq: z.int().min(1).max(999_999).meta({ title: '序号' }),
      reason: name(200).meta({ title: '理由' }),
    }),
    reply: done,
    message: '已作废',
  }),
};
