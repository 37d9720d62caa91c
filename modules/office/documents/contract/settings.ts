import { z } from 'zod';
import { call, grant, grantOverAll, signedIn } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { unfilled } from '#kernel/contract/refusal.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { done, id, line, listOf, listQuery, name, timestamp } from '#kernel/contract/shapes.ts';
import { choice, field, onOff } from '#kernel/contract/titles.ts';

const int = z.number().int();
const page = 'document/setting';

/** An agency code, as a choice for those who write or number a letter. */
export const Agency = z.object({
  id: int,
  agency_code: z.string(),
  scope: z.string(),
  style: int,
  /** This year's reserved numbers, for those who keep the book; the first hundred. */
  reserved: z.array(z.object({ seq: int, number: z.string() })),
});

/** The number rules of letters: each code counts every year from its first number. */
export const numberRules = nounCalls({
  prefix: '/api/document/number_rule/',
  page,
  whole: true,
  noun: '机关代字',
  input: {
    agency_code: z
      .string()
      .trim()
      .min(1, unfilled)
      .max(20, '最多 20 个字')
      .regex(/^[^\p{Cc}\p{Cs}\p{Ps}\p{Pe}<>＜＞第号]*$/u, '请只填机关代字，如“校发”，不要带年份、“第”字和括号')
      .meta(field('机关代字', { help: '字号写作：校发〔2026〕1号' })),
    scope: line(100).default('').meta({ title: '使用范围' }),
    start_no: z.int().min(1).max(99_999).default(1).meta({ title: '起始号' }),
    style: choice('编号方式', { 1: '代字〔年份〕号', 2: '第 n 号（令）' }).default(1),
    status: choice('状态', onOff.names).default(1),
  },
  row: {
    agency_code: z.string(),
    scope: z.string(),
    start_no: int,
    style: int,
    status: int,
    /** The last number of this year. */
    last_number: z.string().meta(field('今年最近的字号')),
    gmt_modified: timestamp,
  },
  sort: ['agency_code', 'gmt_modified'],
});

/** The state of a number. */
export const bookState = codeSet({
  given: [1, '已使用'],
  reserved: [2, '已预留'],
  voided: [3, '已作废'],
  entered: [4, '已补登'],
});

export const Booked = z.object({
  id: int,
  rule_id: int,
  year: int,
  seq: int,
  number: z.string().meta(field('发文字号')),
  state: int,
  state_name: z.string().meta(field('状态')),
  document_id: int.nullable(),
  document_title: z.string().meta(field('公文')),
  reason: z.string().meta(field('理由')),
  voided_by: z.string(),
  /** The person who reserved or entered it. */
  made_by: z.string().meta(field('经办人')),
  voided_at: timestamp.nullable(),
  gmt_created: timestamp.meta(field('编号时间')),
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
        rule_id: id.optional().meta({ title: '机关代字' }),
        year: z.coerce.number().int().min(2000).max(2999).optional().meta({ title: '年份' }),
        state: z.coerce.number().int().min(1).max(4).optional().meta({ title: '状态' }),
      },
    }),
    reply: listOf(Booked).extend({
      /** Missing numbers below the last one, of one rule and year; the first hundred. */
      gaps: z.array(z.string()),
    }),
  }),
  reserve: call({
    method: 'POST',
    path: '/api/document/number_book/',
    access: grantOverAll('Create', page),
    summary: '预留或补登发文字号',
    body: z.object({
      rule_id: id.meta({ title: '机关代字' }),
      year: z.int().min(2000).max(2999).meta({ title: '年份' }),
      /** Defaults to the next number. */
      seq: z.int().min(1).max(999_999).optional().meta({ title: '序号' }),
      /** The title of a paper issued outside; without one the number is reserved for a later document. */
      title: line(200).default('').meta({ title: '文件标题' }),
      reason: name(200).meta({ title: '理由' }),
    }),
    reply: done.extend({ number: z.string() }),
    message: '已登记',
  }),
  voidNumber: call({
    method: 'POST',
    path: '/api/document/number_book/void/',
    access: grantOverAll('Update', page),
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
