import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { done, id, line, listOf, listQuery, name, timestamp } from '#kernel/contract/shapes.ts';
import { choice, field, onOff } from '#kernel/contract/titles.ts';

const int = z.number().int();
const page = 'document/setting';

/** What whoever writes or numbers a letter chooses from. */
export const Agency = z.object({ id: int, agency_code: z.string(), scope: z.string() });

/** What letters are numbered by: each code every year from its first number. */
export const numberRules = nounCalls({
  prefix: '/api/document/number_rule/',
  page,
  noun: '机关代字',
  input: {
    agency_code: z
      .string()
      .trim()
      .min(1, unfilled)
      .max(20, '最多 20 个字')
      .regex(/^[^\p{Cc}\p{Cs}第号〔〕[\]【】()（）]*$/u, '请只填机关代字，如“校发”，不要带年份、“第”字和括号')
      .meta(field('机关代字', { help: '字号写作：校发〔2026〕1号' })),
    scope: line(100).default('').meta({ title: '使用范围' }),
    start_no: z.int().min(1).max(99_999).default(1).meta({ title: '起始号' }),
    status: choice('状态', onOff).default(1),
  },
  row: {
    agency_code: z.string(),
    scope: z.string(),
    start_no: int,
    status: int,
    /** Of this year. */
    last_number: z.string(),
    gmt_modified: timestamp,
  },
  sort: ['agency_code', 'gmt_modified'],
});

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
  agencies: call({
    method: 'GET',
    path: '/api/document/agency/',
    access: signedIn,
    summary: '可选的机关代字',
    reply: z.object({ value: z.array(Agency) }),
  }),
  book: call({
    method: 'GET',
    path: '/api/document/number_book/',
    access: grant('Retrieve', page),
    summary: '字号簿',
    query: listQuery({
      sort: ['seq', 'gmt_created'],
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
