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
import { FileCard } from '#modules/platform/files/contract.ts';
import { fileKind, usageType } from './codes.ts';
import { stampType } from './seal-codes.ts';

const int = z.number().int();
const words = z.string();
const yesNo = (said: boolean) => (said ? '是' : '');

/** A sealing that counts. Where it was corrected `correction` stands beside it. */
export const Use = z.object({
  id: int,
  stamp_id: int,
  stamp_name: words,
  stamp_type: int,
  application_id: int,
  sn: words,
  use_type: int,
  file_kind: int,
  file_name: words,
  receiver: words,
  dept_name: words,
  operator: words,
  copies: int,
  real_copies: int,
  real_pages: int.nullable(),
  serial: words,
  keeper: words,
  confirmed_by: words,
  after_hours: z.boolean(),
  remark: words,
  sealed_at: timestamp,
  pictures: z.array(FileCard),
  /** Whether the scan of what was sealed is kept. */
  kept: z.boolean(),
  correction: z
    .object({ real_copies: int, real_pages: int.nullable(), remark: words, by: words, at: timestamp })
    .nullable(),
  /** Whether somebody has to look at it: an alert names it. */
  alert: z.boolean(),
  actions,
});
export type Use = z.output<typeof Use>;

/** A time a seal was away from its place. */
export const Loan = z.object({
  id: int,
  stamp_id: int,
  stamp_name: words,
  application_id: int,
  title: words,
  place: words,
  escort: words,
  dept_name: words,
  out_at: timestamp,
  due_at: timestamp,
  returned_at: timestamp.nullable(),
  late: z.boolean(),
});
export type Loan = z.output<typeof Loan>;

/** What a code leads to. */
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
    /** What to know of it though it stands. */
    caution: words,
    facts: z.array(z.tuple([words, words])),
    files: z.array(z.object({ what: words, sha256: words })),
  }),
]);
export type Scanned = z.output<typeof Scanned>;

const code = (title: string, labels: Readonly<Record<number, string>>) => ({
  title,
  show: (value: number) => labels[value] ?? '',
});
const period = { start: day.optional(), end: day.optional() };

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
        stamp: id.optional(),
        dept: id.optional(),
        file_kind: z.coerce.number().int().min(1).max(9).optional(),
        use_type: z.coerce.number().int().min(1).max(2).optional(),
        keeper: z.string().max(50).optional(),
        after_hours: flag.optional(),
        corrected: flag.optional(),
        alert: flag.optional(),
        application: id.optional(),
        /** `loans`: times seals were out instead. */
        of: z.enum(['uses', 'loans']).default('uses'),
      },
    }),
    reply: listOf(z.union([Use, Loan])),
    exports: {
      page: 'stamp/ledger',
      title: '用印台账',
      columns: ({ of }) =>
        of === 'loans'
          ? [
              { key: 'stamp_name', title: '印章' },
              { key: 'title', title: '文件' },
              { key: 'place', title: '地点' },
              { key: 'escort', title: '陪同人' },
              { key: 'dept_name', title: '申请部门' },
              { key: 'out_at', title: '外借时间' },
              { key: 'due_at', title: '应还时间' },
              { key: 'returned_at', title: '归还时间' },
              { key: 'late', title: '逾期', show: yesNo },
            ]
          : [
              { key: 'sealed_at', title: '时间' },
              { key: 'stamp_name', title: '印章' },
              { key: 'stamp_type', ...code('印章类型', stampType.names) },
              { key: 'sn', title: '单号' },
              { key: 'file_name', title: '文件' },
              { key: 'file_kind', ...code('文件类型', fileKind.names) },
              { key: 'use_type', ...code('用印方式', usageType.names) },
              { key: 'copies', title: '批准份数' },
              { key: 'real_copies', title: '用印份数' },
              { key: 'real_pages', title: '页数' },
              { key: 'serial', title: '编号' },
              { key: 'receiver', title: '送达单位' },
              { key: 'dept_name', title: '申请部门' },
              { key: 'operator', title: '经办人' },
              { key: 'keeper', title: '保管人' },
              { key: 'confirmed_by', title: '监印人' },
              { key: 'after_hours', title: '班外', show: yesNo },
              {
                key: 'correction',
                title: '更正',
                show: (one: Use['correction']) =>
                  one &&
                  `${one.real_copies} 份${one.real_pages === null ? '' : ` ${one.real_pages} 页`}：${one.remark}`,
              },
              { key: 'remark', title: '备注' },
            ],
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
    /** Every sealing of a month in its order, for the printed book; `total` of them, of which so many as a book has are shown. */
    reply: z.object({ month: words, site: words, total: int, value: z.array(Use) }),
    fresh: true,
  }),
};
