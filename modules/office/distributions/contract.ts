import { z } from 'zod';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { flag, id, idParams, line, listOf, listQuery, localMoment, text } from '#kernel/contract/shapes.ts';
import { sheetColumns } from '#kernel/contract/titles.ts';
import { Audience } from '#modules/platform/people/contract/audience.ts';
import { distributionList } from './contract/list.ts';
import { DistDetail, DistLog, Matrix, Reader } from './contract/shapes.ts';

const dist = '/api/document/dist/{id}/';
interface Named {
  document_id?: number | undefined;
  dist_id?: number | undefined;
}
const oneNamed: [(asked: Named) => boolean, { path: string[]; message: string }] = [
  (asked) => asked.document_id !== undefined || asked.dist_id !== undefined,
  { path: ['document_id'], message: '请指定公文或分发' },
];

export const distributions = {
  list: distributionList,
  create: call({
    method: 'POST',
    path: '/api/document/dist/',
    access: grant('Create', 'document/dist'),
    summary: '分发公文',
    body: z.object({
      document_id: id.meta({ title: '公文' }),
      recipients: Audience.meta({ title: '接收人' }),
      note: line(200).default('').meta({ title: '分发说明' }),
      deadline: localMoment.nullable().optional().meta({ title: '阅读期限' }),
      need_receipt: flag.default(false).meta({ title: '需要签收' }),
      sms: flag.default(false).meta({ title: '短信提醒' }),
    }),
    reply: z.object({ id, total: z.number().int() }),
    message: '已分发',
  }),
  /** Opening counts as reading, unless a receipt is required. */
  get: call({
    method: 'GET',
    path: dist,
    access: signedIn,
    summary: '查看公文分发',
    params: idParams,
    reply: z.object({ value: DistDetail }),
    fresh: true,
    notesReading: true,
  }),
  info: call({
    method: 'GET',
    path: '/api/document/dist/info/',
    access: signedIn,
    summary: '公文阅读情况',
    /** `unread` adds the names of those who have not read it. */
    query: z
      .object({ document_id: id.optional(), dist_id: id.optional(), unread: flag.default(false) })
      .refine(...oneNamed),
    reply: z.object({ value: Matrix }),
    fresh: true,
  }),
  flowLogs: call({
    method: 'GET',
    path: '/api/document/dist/flowlogs/',
    access: signedIn,
    summary: '公文流转与分发记录',
    query: listQuery({
      sort: ['gmt_created'],
      filters: { dist_id: id.optional(), document_id: id.optional() },
    }).refine(...oneNamed),
    reply: listOf(DistLog),
    fresh: true,
  }),
  readers: call({
    method: 'GET',
    path: `${dist}readers/`,
    access: signedIn,
    summary: '公文接收人',
    params: idParams,
    query: listQuery({
      sort: ['state', 'read_time'],
      filters: { state: z.coerce.number().int().min(0).max(3).optional(), dept: id.optional() },
    }),
    reply: listOf(Reader),
    exports: {
      page: 'document/dist',
      title: '公文阅读情况',
      columns: sheetColumns(Reader.shape, [
        'dept_name',
        'alias',
        'state_name',
        'read_time',
        'client',
        'reply',
        'urged_count',
      ]),
    },
  }),
  read: call({
    method: 'PUT',
    path: `${dist}read/`,
    access: signedIn,
    summary: '签收、回复分发的公文',
    params: idParams,
    body: z.object({ reply: text(500).default('').meta({ title: '回复' }) }),
    reply: z.object({ state: z.number().int() }),
    message: '已签收',
  }),
  urge: call({
    method: 'POST',
    path: `${dist}urge/`,
    access: signedIn,
    summary: '催读分发的公文',
    params: idParams,
    body: z.object({
      content: line(200).default('').meta({ title: '催读内容' }),
      sms: flag.default(false).meta({ title: '短信提醒' }),
    }),
    reply: z.object({ sent: z.number().int() }),
    message: '已提醒未读人员',
  }),
  recall: call({
    method: 'POST',
    path: `${dist}recall/`,
    access: signedIn,
    summary: '收回公文分发',
    params: idParams,
    body: z.object({ reason: line(200).default('').meta({ title: '收回原因' }) }),
    reply: z.object({ id }),
    message: '已收回，接收人不再看到',
  }),
};
