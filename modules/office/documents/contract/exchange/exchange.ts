import { z } from 'zod';
import { call, grant, type ReplyOf } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { nounCalls } from '#kernel/contract/noun.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { dayOr, done, id, idParams, line, name, personName } from '#kernel/contract/shapes.ts';
import { choice, field, sheetColumns } from '#kernel/contract/titles.ts';

const int = z.number().int();
const page = 'document/exchange';
const prefix = '/api/document/exchange/';

export const exchangeDirection = codeSet({ out: [1, '发出'], coming: [2, '收到'] });
/** The outcome: signed for by the recipient, or returned. */
export const exchangeState = codeSet({ waiting: [1, '待签收'], signed: [2, '已签收'], returned: [3, '已退回'] });
const exchangeWay = codeSet({
  confidential: [1, '机要交换'],
  station: [2, '文件交换站'],
  post: [3, '邮寄'],
  messenger: [4, '专人送取'],
  electronic: [5, '电子传输'],
});

export const exchangedInFuture = refusal(
  codes.refused,
  (what: string, day: string) => `${what} ${day} 还没有到，请按实际日期填写`,
);
export const beforeExchanged = refusal(
  codes.refused,
  (what: string, day: string, exchanged: string) => `${what} ${day} 早于交换日期 ${exchanged}，请核对`,
);
export const exchangeStands = refusal(
  codes.notNow,
  (state: string) => `这一笔${state}，不能再修改或删除；登记有误的，请另登一笔并在备注中说明`,
);
export const exchangeOver = refusal(codes.notNow, (state: string) => `这一笔${state}，请刷新查看`);
export const notExchangeable = refusal(
  codes.refused,
  (title: string) => `《${title}》还没有到可以分发的环节、没有办结，或者已经作废，不能登记发出`,
);
export const exchangedOtherwise = refusal(
  codes.refused,
  (title: string, direction: string) =>
    `《${title}》不是${direction === exchangeDirection.names[1] ? '发文' : '来文'}，不能登记为${direction}`,
);
export const secretExchanged = refusal(codes.refused, () => '涉密公文按机要渠道登记和交换，不在这本登记簿登记');
export const exchangeTitleWanted = refusal(codes.refused, () => '请选择公文，或写明文件标题');

const once = {
  direction: choice('收发', exchangeDirection.names),
  document_id: id
    .nullable()
    .default(null)
    .meta(field('公文', { help: '系统里的公文：标题和字号随公文；不在系统里的文件不选，写明标题' })),
};
const input = {
  title: line(200).default('').meta({ title: '文件标题' }),
  number: line(60).default('').meta({ title: '文件字号' }),
  org: name(100).meta(field('对方单位', { help: '发往哪里，或从哪里来' })),
  exchanged_on: dayOr('请选择日期').meta({ title: '交换日期' }),
  copies: int.min(1, '请填写 1 至 9999').max(9999, '请填写 1 至 9999').default(1).meta({ title: '份数' }),
  way: choice('交换方式', exchangeWay.names).default(2),
  remark: line(200).default('').meta({ title: '备注' }),
};
const row = {
  ...once,
  ...input,
  state: choice('状态', exchangeState.names),
  signed_by: z.string().meta({ title: '签收人' }),
  signed_on: z.string().nullable().meta({ title: '签收日期' }),
  returned_on: z.string().nullable().meta({ title: '退回日期' }),
  return_reason: z.string().meta({ title: '退回原因' }),
  creator_alias: z.string().meta({ title: '登记人' }),
};
const noun = nounCalls({
  prefix,
  page,
  noun: '交换登记',
  once,
  input,
  row,
  sort: ['exchanged_on', 'gmt_created'],
  filters: {
    direction: z.coerce.number().int().min(1).max(2).meta({ title: '收发' }).optional(),
    state: z.coerce.number().int().min(1).max(3).optional(),
    document_id: id.optional(),
  },
  exports: {
    page,
    title: '公文交换登记簿',
    columns: sheetColumns(row, [
      'direction',
      'exchanged_on',
      'org',
      'title',
      'number',
      'copies',
      'way',
      'state',
      'signed_by',
      'signed_on',
      'returned_on',
      'return_reason',
      'creator_alias',
      'remark',
    ]),
  },
});

/** The register of papers sent to other organisations, received from them, and returned; a row for each exchange. */
export const documentExchange = {
  ...noun,
  sign: call({
    method: 'POST',
    path: `${prefix}{id}/sign/`,
    access: grant('Update', page),
    summary: '登记签收',
    params: idParams,
    body: z.object({
      signed_by: personName(30).meta(field('签收人', { help: '发出的写对方签收人，收到的写本单位签收人' })),
      signed_on: dayOr('请选择日期').meta({ title: '签收日期' }),
    }),
    reply: done,
    message: '签收已登记',
  }),
  giveBack: call({
    method: 'POST',
    path: `${prefix}{id}/return/`,
    access: grant('Update', page),
    summary: '登记退回',
    params: idParams,
    body: z.object({
      returned_on: dayOr('请选择日期').meta({ title: '退回日期' }),
      return_reason: name(200).meta(field('退回原因', { help: '发出的被对方退回，或收到的退回对方' })),
    }),
    reply: done,
    message: '退回已登记',
  }),
};
export type ExchangeRow = ReplyOf<typeof documentExchange.list>['value'][number];
