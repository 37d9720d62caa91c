import { z } from 'zod';
import { call, fileReply, grant, signedIn } from '#kernel/contract/call.ts';
import { day, done, flag, id, idParams, localMoment, name, line, timestamp, version } from '#kernel/contract/shapes.ts';
import { inOrder } from '#kernel/contract/words/periods.ts';
import { recordCalls } from '#modules/workflow/records/contract.ts';
import { approvalCategories } from '#modules/workflow/tickets/contract/approval.ts';
import {
  ApplicationDetail,
  ApplicationInput,
  applicationPage,
  ApplicationRow,
  halfChosen,
  isWhole,
  part,
  sourceCalls,
} from './application.ts';

const int = z.number().int();
const path = '/api/stamp/application/' as const;
const one = `${path}{id}/` as const;
const query = (max: number) => z.coerce.number().int().min(0).max(max).optional();
export const deskPage = 'stamp/desk';
const files = (max: number) => z.array(id).max(max, `最多 ${max} 个文件`);
/** The seals concerned; by default all that the user may handle. */
const of = z.array(id).max(10).optional().meta({ title: '印章' });
const moved = z.object({ id: int, seal_status: int });

const record = recordCalls(path, {
  noun: '用印申请',
  page: applicationPage,
  input: ApplicationInput,
  row: ApplicationRow,
  detail: ApplicationDetail,
  sort: ['gmt_created', 'copies', 'need_at', 'copy_due'],
  edit: 'PATCH',
  /** `desk`: with a seal I keep now; `second`: with a sealing I may confirm; `longer`: with a loan whose extension I decide. */
  categories: [...approvalCategories, 'desk', 'second', 'longer'],
  filters: {
    act_state: query(6).meta({ title: '审批状态' }),
    seal_status: query(6),
    stamp: id.optional(),
    use_type: query(2),
    file_kind: query(9),
    dept: id.optional(),
    appoint: day.optional(),
    /** Filters: a seal is out, is overdue, waits for the second person, or the scan is missing. */
    out: flag.optional(),
    late: flag.optional().meta({ title: '逾期' }),
    pending: flag.optional(),
    no_copy: flag.optional(),
  },
});

/** The free slots of a half-day; `why` there are none. */
export const Slot = z.object({ day: z.string(), part: int, left: int, why: z.string() });
export type Slot = z.output<typeof Slot>;

export const applicationCalls = {
  ...record,
  again: { ...record.again, method: 'PUT' as const },
  ...sourceCalls,
  look: call({
    method: 'GET',
    path: `${path}look/`,
    access: signedIn,
    summary: '检查用印文件的空白处',
    query: z.object({ file: id }),
    reply: z.object({
      pages: int.nullable(),
      blanks: z.array(z.object({ page: int, places: int })).nullable(),
    }),
    fresh: true,
  }),
  counts: call({
    method: 'GET',
    path: `${path}list_count/`,
    access: signedIn,
    summary: '查看用印申请数量',
    /** `brief` leaves out the counts that only grow, which the lists give. */
    query: z.object({ brief: flag.default(false) }),
    reply: z.object({
      all: int.optional(),
      owner: int.optional(),
      worked: int.optional(),
      sealed: int.optional(),
      duty: int,
      to_seal: int,
      borrowed: int,
      overdue: int,
      to_confirm: int,
      to_decide: int,
      no_copy: int,
    }),
    fresh: true,
  }),
  deptApplications: call({
    method: 'GET',
    path: `${path}dept_stamp/`,
    access: signedIn,
    summary: '查看本部门印章的用印申请',
    query: record.list.query,
    reply: record.list.reply,
  }),
  slots: call({
    method: 'GET',
    path: '/api/stamp/{id}/slots/',
    access: signedIn,
    summary: '查看印章的空余时段',
    params: idParams,
    query: z
      .object({ from: day.optional(), to: day.optional() })
      .refine(({ from, to }) => !from || !to || from <= to, { path: ['to'], message: '早于开始日期' }),
    reply: z.object({ value: z.array(Slot) }),
    fresh: true,
  }),
  calendar: call({
    method: 'GET',
    path: '/api/stamp/appointment/',
    access: grant('Retrieve', deskPage),
    summary: '查看用印日历',
    query: inOrder(z.object({ start: day, end: day, stamp_id: id.optional() }), ['start', 'end']),
    reply: z.object({
      slots: z.array(
        z.object({
          id: int,
          stamp_name: z.string(),
          title: z.string(),
          who: z.string(),
          day: z.string(),
          part: int,
          state: int,
        }),
      ),
      loans: z.array(
        z.object({
          id: int,
          stamp_name: z.string(),
          title: z.string(),
          who: z.string(),
          from: timestamp,
          until: timestamp,
          out: z.boolean(),
        }),
      ),
    }),
    fresh: true,
  }),
  appoint: call({
    method: 'PUT',
    path: `${one}appoint/`,
    access: signedIn,
    summary: '预约用印时段',
    params: idParams,
    body: z.object({
      lines: z
        .array(z.object({ stamp_id: id, day: day.nullable(), part: part.nullable() }).refine(isWhole, halfChosen))
        .min(1)
        .max(10)
        .meta({ title: '时段' }),
      version,
    }),
    reply: done,
    message: '预约已保存',
  }),
  handle: call({
    method: 'PATCH',
    path: `${one}upload_pic/`,
    access: grant('chuli', deskPage),
    summary: '登记用印、交出或归还',
    params: idParams,
    body: z.object({
      stamp_ids: z.array(id).min(1, '请选择印章').max(10).meta({ title: '印章' }),
      kind: z.enum(['seal', 'hand_over', 'return']).meta({ title: '登记' }),
      pictures: files(20).min(1, '请拍照或选择照片').meta({ title: '照片' }),
      real_copies: int.min(0).max(9999).optional().meta({ title: '用印份数' }),
      real_pages: int.min(1).max(99_999).nullable().default(null).meta({ title: '页数' }),
      remark: line(300).default('').meta({ title: '说明' }),
      /** The signature of the escort who receives the seal. */
      signature: id.nullable().default(null).meta({ title: '陪同人签名' }),
    }),
    reply: moved,
    message: '已登记',
  }),
  confirm: call({
    method: 'POST',
    path: `${one}confirm/`,
    access: signedIn,
    summary: '监印确认',
    params: idParams,
    body: z.object({
      stamp_ids: of,
      password: z.string().max(200).optional().meta({ title: '登录密码' }),
      code: line(40).optional().meta({ title: '用印凭条的核验码' }),
    }),
    reply: moved,
    message: '已确认',
  }),
  askSecond: call({
    method: 'POST',
    path: `${one}confirm/ask/`,
    access: grant('chuli', deskPage),
    summary: '再请监印确认',
    params: idParams,
    body: z.object({ stamp_ids: of }),
    reply: moved,
    message: '已再次通知监印人',
  }),
  refuse: call({
    method: 'POST',
    path: `${one}refuse/`,
    access: grant('chuli', deskPage),
    summary: '拒绝用印',
    params: idParams,
    body: z.object({
      stamp_ids: of,
      reason: name(300).meta({ title: '原因' }),
      files: files(10).default([]).meta({ title: '照片' }),
    }),
    reply: moved,
    message: '已拒绝用印',
  }),
  cancel: call({
    method: 'POST',
    path: `${one}cancel/`,
    access: signedIn,
    summary: '不再用印',
    params: idParams,
    body: z.object({ reason: name(300).meta({ title: '原因' }) }),
    reply: moved,
    message: '已取消用印',
  }),
  copy: call({
    method: 'POST',
    path: `${one}copy/`,
    access: signedIn,
    summary: '交存用印扫描件',
    params: idParams,
    body: z.object({ files: files(20).min(1, '请上传扫描件').meta({ title: '扫描件' }) }),
    reply: done,
    message: '扫描件已交存',
  }),
  takeBack: call({
    method: 'POST',
    path: `${one}take_back/`,
    access: grant('chuli', deskPage),
    summary: '登记收回已用印的文本',
    params: idParams,
    body: z.object({
      copies: int.min(1, '至少 1 份').max(9999).meta({ title: '收回份数' }),
      remark: line(300).default('').meta({ title: '说明' }),
    }),
    reply: done,
    message: '收回已登记',
  }),
  extend: call({
    method: 'POST',
    path: `${one}extend/`,
    access: signedIn,
    summary: '申请延长外带',
    params: idParams,
    body: z.object({
      stamp_id: id.optional().meta({ title: '印章' }),
      until: localMoment.meta({ title: '延长至' }),
      reason: name(300).meta({ title: '原因' }),
    }),
    reply: done,
    message: '已提出延期',
  }),
  decideExtension: call({
    method: 'PUT',
    path: `${one}extend/`,
    access: signedIn,
    summary: '决定是否延长外带',
    params: idParams,
    body: z.object({
      stamp_id: id.optional(),
      result: z.literal([1, 2]).meta({ title: '决定' }),
      until: localMoment.optional().meta({ title: '延长至' }),
      opinion: line(300).default('').meta({ title: '意见' }),
    }),
    reply: done,
    message: '已决定',
  }),
  sheet: call({
    method: 'GET',
    path: `${one}sheet/`,
    access: signedIn,
    summary: '打印用印审批单',
    params: idParams,
    reply: fileReply,
  }),
};
