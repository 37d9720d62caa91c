import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { day, flag, id, idParams, line, localMoment, name, text, timestamp } from '#kernel/contract/shapes.ts';
import { sheetColumns } from '#kernel/contract/titles.ts';
import { recordCalls } from '#modules/workflow/records/contract.ts';
import { approvalCategories } from '#modules/workflow/tickets/contract/approval.ts';
import { DocKind, DocumentDetail, DocumentFields, DocumentRow, Level } from './contract/shapes.ts';

const document = '/api/document/{id}/';
export const documentCategories = [...approvalCategories, 'collect'] as const;
/** Confirms a warning. */
const force = z.boolean().default(false);

const exportColumns = sheetColumns(DocumentRow.shape, [
  'title',
  'doc_type_name',
  'doc_number',
  'receipt_no',
  'from_org',
  'dept_name',
  'level_name',
  'state_name',
  { key: 'participant_info', show: (info: { participant_alias: string }) => info.participant_alias },
  'act_state_name',
  'written_date',
  'received_date',
  'gmt_created',
]);

export const documents = {
  ...recordCalls('/api/document/', {
    noun: '公文',
    writing: '拟稿、登记公文',
    page: 'document/list',
    input: DocumentFields.extend({ force }),
    once: { doc_kind: DocKind.meta({ title: '公文类型' }) },
    row: DocumentRow,
    detail: DocumentDetail,
    sort: ['gmt_created', 'due_at', 'written_date', 'received_date'],
    categories: documentCategories,
    filters: {
      doc_kind: z.coerce.number().int().min(1).max(3).optional().meta({ title: '公文类型' }),
      doc_type: z.coerce.number().int().min(1).max(99).optional(),
      level: z.coerce.number().int().min(0).max(2).optional(),
      act_state: z.coerce.number().int().min(0).max(6).optional(),
      dept: id.optional(),
      /** The number of the document, or of the letter it answers. */
      number: z.string().trim().max(60).optional().meta({ title: '字号' }),
      start: day.optional().meta({ title: '创建时间从' }),
      end: day.optional().meta({ title: '创建时间到' }),
      archived: flag.optional().meta({ title: '归档' }),
      /** Finished requests without an answer. */
      unanswered: flag.optional().meta({ title: '答复' }),
    },
    exports: { page: 'document/list', title: '公文台账', columns: exportColumns },
    edit: 'PATCH',
  }),
  counts: call({
    method: 'GET',
    path: '/api/document/counts/',
    access: signedIn,
    summary: '公文各分类的件数',
    reply: z.object({ value: z.partialRecord(z.enum(documentCategories), z.number().int()) }),
    fresh: true,
  }),
  collect: call({
    method: 'POST',
    path: `${document}collect/`,
    access: signedIn,
    summary: '收藏公文',
    params: idParams,
    reply: z.object({ collected: z.boolean() }),
    message: '已收藏',
    quiet: true,
  }),
  uncollect: call({
    method: 'POST',
    path: `${document}uncollect/`,
    access: signedIn,
    summary: '取消收藏公文',
    params: idParams,
    reply: z.object({ collected: z.boolean() }),
    message: '已取消收藏',
    quiet: true,
  }),
  urge: call({
    method: 'POST',
    path: `${document}urge/`,
    access: signedIn,
    summary: '催办公文',
    params: idParams,
    body: z.object({ content: text(200).default('').meta({ title: '催办内容' }) }),
    reply: z.object({ sent: z.number().int() }),
    message: '已催办',
  }),
  noteAnswer: call({
    method: 'PUT',
    path: `${document}answer/`,
    access: signedIn,
    summary: '登记请示的答复情况',
    params: idParams,
    body: z.object({ answer_note: name(500).meta({ title: '答复情况' }) }),
    reply: z.object({ answer_note: z.string() }),
    message: '已登记',
  }),
  level: call({
    method: 'PUT',
    path: `${document}level/`,
    access: signedIn,
    summary: '调整公文紧急程度',
    params: idParams,
    body: z.object({ level: Level.meta({ title: '紧急程度' }), reason: name(200).meta({ title: '理由' }) }),
    reply: z.object({ level: Level, due_at: timestamp.nullable() }),
    message: '已调整',
  }),
  due: call({
    method: 'PUT',
    path: `${document}due/`,
    access: signedIn,
    summary: '设定或调整收文的办理时限',
    params: idParams,
    body: z.object({
      due_at: localMoment.nullable().meta({ title: '办理时限' }),
      reason: line(200).default('').meta({ title: '理由' }),
    }),
    reply: z.object({ due_at: timestamp.nullable() }),
    message: '已调整',
  }),
};
