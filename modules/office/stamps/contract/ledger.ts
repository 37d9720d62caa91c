import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import {
  actions,
  day,
  done,
  flag,
  id,
  idParams,
  line,
  listOf,
  listQuery,
  name,
  timestamp,
} from '#kernel/contract/shapes.ts';
import { coded, field, sheetColumns } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { fileKind, usageType } from './codes.ts';
import { stampType } from './seal-codes.ts';

const int = z.number().int();
const words = z.string();
const yesNo = (said: boolean) => (said ? '是' : '');

/** A sealing that counts, with its `correction` if there is one. */
export const Use = z.object({
  id: int,
  stamp_id: int,
  stamp_name: words.meta(field('印章')),
  stamp_type: int.meta(coded('印章类型', stampType.names)),
  application_id: int,
  sn: words.meta(field('单号')),
  use_type: int.meta(coded('用印方式', usageType.names)),
  file_kind: int.meta(coded('文件类型', fileKind.names)),
  file_name: words.meta(field('文件')),
  receiver: words.meta(field('送达单位')),
  dept_name: words.meta(field('申请部门')),
  operator: words.meta(field('经办人')),
  copies: int.meta(field('批准份数')),
  real_copies: int.meta(field('用印份数')),
  real_pages: int.nullable().meta(field('页数')),
  serial: words.meta(field('编号')),
  keeper: words.meta(field('保管人')),
  confirmed_by: words.meta(field('监印人')),
  after_hours: z.boolean().meta(field('班外')),
  remark: words.meta(field('备注')),
  sealed_at: timestamp.meta(field('时间')),
  pictures: z.array(FileCard).meta(field('图片')),
  /** True if the scan of the sealed file was handed in. */
  kept: z.boolean(),
  correction: z
    .object({ real_copies: int, real_pages: int.nullable(), remark: words, by: words, at: timestamp })
    .nullable()
    .meta(field('更正')),
  /** True if an open alert is about it. */
  alert: z.boolean(),
  actions,
});
export type Use = z.output<typeof Use>;

/** A loan of a seal. */
export const Loan = z.object({
  id: int,
  stamp_id: int,
  stamp_name: words.meta(field('印章')),
  application_id: int,
  title: words.meta(field('文件')),
  place: words.meta(field('地点')),
  escort: words.meta(field('陪同人')),
  dept_name: words.meta(field('申请部门')),
  out_at: timestamp.meta(field('外借时间')),
  due_at: timestamp.meta(field('应还时间')),
  returned_at: timestamp.nullable().meta(field('归还时间')),
  late: z.boolean().meta(field('逾期')),
});
export type Loan = z.output<typeof Loan>;

/** The target of a scanned code. */
export const Scanned = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('unknown') }),
  z.object({ kind: z.literal('application'), id: int, path: words, title: words, sn: words, actions }),
  z.object({
    kind: z.literal('stamp'),
    id: int,
    name: words,
    stamp_no: words,
    type: int,
    status: int,
    dept_name: words,
    keeper_now: words,
    place: words,
    actions,
  }),
  z.object({
    kind: z.literal('other'),
    title: words.nullable(),
    valid: z.boolean(),
    /** A caution about a valid record. */
    caution: words,
    facts: z.array(z.tuple([words, words])),
    files: z.array(z.object({ what: words, sha256: words })),
  }),
]);
export type Scanned = z.output<typeof Scanned>;

const loanSheet = sheetColumns(Loan.shape, [
  'stamp_name',
  'title',
  'place',
  'escort',
  'dept_name',
  'out_at',
  'due_at',
  'returned_at',
  { key: 'late', show: yesNo },
]);
const useSheet = sheetColumns(Use.shape, [
  'sealed_at',
  'stamp_name',
  'stamp_type',
  'sn',
  'file_name',
  'file_kind',
  'use_type',
  'copies',
  'real_copies',
  'real_pages',
  'serial',
  'receiver',
  'dept_name',
  'operator',
  'keeper',
  'confirmed_by',
  { key: 'after_hours', show: yesNo },
  {
    key: 'correction',
    show: (one: Use['correction']) =>
      one && `${one.real_copies} 份${one.real_pages === null ? '' : ` ${one.real_pages} 页`}：${one.remark}`,
  },
  'remark',
]);
const period = {
  start: day.optional().meta(field('用印日期从', { short: '从' })),
  end: day.optional().meta(field('用印日期到', { short: '到' })),
};

export const ledgerCalls = {
  ledger: call({
    method: 'GET',
    path: '/api/stamp/had_stamp/',
    access: grant('Retrieve', 'stamp/ledger'),
    summary: '查看用印台账',
    query: listQuery({
      sort: ['sealed_at', 'id', 'real_copies'],
      filters: {
        ...period,
        stamp: id.optional().meta({ title: '印章' }),
        dept: id.optional(),
        file_kind: z.coerce.number().int().min(1).max(9).optional().meta({ title: '文件类型' }),
        use_type: z.coerce.number().int().min(1).max(2).optional().meta({ title: '用印方式' }),
        keeper: z.string().max(50).optional(),
        after_hours: flag.optional(),
        corrected: flag.optional(),
        alert: flag.optional(),
        application: id.optional(),
        /** `loans` lists the loans instead. */
        of: z.enum(['uses', 'loans']).default('uses'),
      },
    }),
    reply: listOf(z.union([Use, Loan])),
    exports: {
      page: 'stamp/ledger',
      title: '用印台账',
      columns: ({ of }) => (of === 'loans' ? loanSheet : useSheet),
    },
  }),
  correct: call({
    method: 'POST',
    path: '/api/stamp/had_stamp/{id}/correct/',
    access: grant('chuli', 'stamp/desk'),
    summary: '更正用印台账',
    params: idParams,
    body: z.object({
      real_copies: int.min(1).max(9999).optional().meta({ title: '用印份数' }),
      real_pages: int.min(1).max(99_999).optional().meta({ title: '页数' }),
      remark: name(300).meta({ title: '更正说明' }),
    }),
    reply: done,
    message: '更正已登记',
  }),
  scan: call({
    method: 'GET',
    path: '/api/stamp/scan/',
    access: signedIn,
    summary: '扫码核验',
    query: z.object({ code: line(200).meta({ title: '扫到的内容' }) }),
    reply: Scanned,
    fresh: true,
  }),
  register: call({
    method: 'GET',
    path: '/api/stamp/had_stamp/register/',
    access: grant('daochu', 'stamp/ledger'),
    summary: '打印用印登记簿',
    query: z.object({
      month: z.string().regex(/^20\d\d-(0[1-9]|1[0-2])$/, '请选择月份，如 2026-11'),
      stamp: id.optional(),
    }),
    /** All sealings of a month in order, for the printed book; at most as many as a book holds, `total` counts all. */
    reply: z.object({ month: words, site: words, total: int, value: z.array(Use) }),
    fresh: true,
  }),
};
