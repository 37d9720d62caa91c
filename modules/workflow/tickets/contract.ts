import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { day, done, flag, id, idParams, listOf, listQuery, name, text, version } from '#kernel/contract/shapes.ts';
import { sheetColumns } from '#kernel/contract/titles.ts';
import { Offered, SheetRead } from '#modules/workflow/workflows/contract/shapes.ts';
import { actState, stateKinds } from '#modules/workflow/workflows/engine/codes.ts';
import { opinionFiles, opinionMentions } from './contract/actions.ts';
import { DetailReply, FlowLog, FlowStep, Handled, Moved, Row } from './contract/shapes.ts';

const ids = z
  .string()
  .regex(/^\d{1,9}(,\d{1,9}){0,199}$/, '请用逗号分隔的编号，最多 200 个')
  .transform((list) => list.split(',').map(Number));
export const categories = ['all', 'owner', 'duty', 'relation', 'worked', 'cc', 'view', 'intervene'] as const;

const scalar = z.union([z.string().trim().min(1).max(200), z.number(), z.boolean()]);
/** `{"amount": {"gte": 5000}, "category": "network"}` as text: a value, or a range with one end or both. */
const fields = z
  .string()
  .max(2000)
  .transform((text, context): unknown => {
    try {
      const asked: unknown = JSON.parse(text);
      // No field has this name, and a record would ignore it: the query would match everything.
      if (asked && Object.hasOwn(asked, '__proto__')) {
        context.addIssue({ code: 'custom', message: '“__proto__”不能用来筛选或排序' });
        return z.NEVER;
      }
      return asked;
    } catch {
      context.addIssue({ code: 'custom', message: '请用 JSON 写明字段与值' });
      return z.NEVER;
    }
  })
  .pipe(
    z
      .record(z.string().max(50), z.union([scalar, z.strictObject({ gte: scalar.optional(), lte: scalar.optional() })]))
      .refine((asked) => Object.keys(asked).length <= 5, '最多 5 个字段'),
  );

const filters = {
  category: z.enum(categories).optional(),
  sn: z.string().trim().max(40).optional(),
  title: z.string().trim().max(100).optional(),
  /** Days, both included. */
  create_start: day.optional().meta({ title: '创建时间从' }),
  create_end: day.optional().meta({ title: '创建时间到' }),
  workflow_ids: ids.optional().meta({ title: '类型' }),
  state_ids: ids.optional().meta({ title: '当前环节' }),
  ticket_ids: ids.optional(),
  act_state_id: z.coerce.number().int().min(0).max(6).optional(),
  creator: z.string().trim().max(50).optional(),
  parent_ticket_id: id.optional(),
  parent_ticket_state_id: id.optional(),
  /** Tickets of the workflows that the user administers. */
  from_admin: flag.optional(),
  /** Newest first, or oldest first if false; `desc` and `order_by` take precedence. */
  reverse: flag.optional(),
  /** Filters by form fields of the one workflow in `workflow_ids`. */
  fields: fields.optional().meta({ title: '表单字段' }),
  /** For an export: the table of the form whose rows become its lines. */
  rows_of: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,49}$/)
    .optional()
    .meta({ title: '导出明细' }),
  /** A field of the form, with `-` before it for descending order. */
  field_sort: z
    .string()
    .regex(/^-?[a-z][a-z0-9_]{0,49}$/)
    .optional()
    .meta({ title: '按字段排序' }),
};
const choose = z
  .record(z.string().regex(/^\d{1,7}$/), z.array(name(50)).max(50))
  .describe('环节编号 → 选定的办理人用户名')
  .optional();
const suggestion = text(10_000).default('');
/** Submits it although another ticket holds the same, if the workflow asks about that. */
const force = z.boolean().default(false).meta({ title: '重复也提交' });

/** Field values are further keys of the body; the ticket's state says which are allowed. */
export const StartBody = z.looseObject({
  workflow_id: id,
  transition_id: id,
  suggestion,
  parent_ticket_id: id.optional(),
  parent_ticket_state_id: id.optional(),
  /** User name of the person in whose name it is started: by an application with that right, or by somebody whom the workflow lets start for them. */
  begin_for: name(50).optional().meta({ title: '申请人' }),
  force,
  choose,
});
export const HandleBody = z.looseObject({
  transition_id: id,
  task_no: id.optional(),
  suggestion,
  force,
  choose,
  /** As `files` and `mentions` of other opinions; fields of a form may have those names. */
  suggestion_files: opinionFiles,
  suggestion_mentions: opinionMentions,
  /** File of the handwritten signature, if the button requires it. */
  signature: id.optional(),
  version,
  /** Hash of the form as it was read. */
  seen_hash: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .optional(),
});

/** A step that a ticket would take: `visit` counts how often it came there, `people` names those it would ask or be copied to. */
const ForeseenStep = z.object({
  state_id: z.number().int(),
  state_name: z.string(),
  kind: z.enum(stateKinds),
  visit: z.number().int(),
  outcome: z.enum(['decided', 'skipped', 'automatic', 'ended', 'undecided']),
  people: z.array(z.string()),
});

const exportColumns = sheetColumns(Row.shape, [
  'sn',
  'title',
  { key: 'workflow_info', show: (flow: { workflow_name: string }) => flow.workflow_name },
  { key: 'state', show: (state: { state_name: string }) => state.state_name },
  { key: 'participant_info', show: (info: { participant_alias: string }) => info.participant_alias },
  'act_state_name',
  'creator_info',
  'begun_by',
  'gmt_created',
  'due_at',
]);

const ticket = '/api/tickets/{id}/';

export const tickets = {
  list: call({
    method: 'GET',
    path: '/api/tickets/',
    access: signedIn,
    summary: '工单列表',
    query: listQuery({ sort: ['gmt_created', 'gmt_modified', 'due_at', 'sn'], filters }),
    reply: listOf(Row).extend({
      /** Form columns, in an export of one workflow's tickets. */
      more_columns: z.array(z.object({ key: z.string(), title: z.string() })).optional(),
    }),
    exports: { page: 'ticket/all', title: '工单', columns: exportColumns },
  }),
  start: call({
    method: 'POST',
    path: '/api/tickets/',
    access: signedIn,
    summary: '发起工单',
    body: StartBody,
    reply: Moved,
    says: ({ act_state, sn }: { act_state: number; sn: string }) =>
      act_state === actState.draft ? `已保存草稿，流水号 ${sn}` : `已提交，流水号 ${sn}`,
  }),
  foresee: call({
    method: 'POST',
    path: '/api/tickets/foresee/',
    access: signedIn,
    summary: '预览办理步骤',
    body: z.object({
      workflow_id: id,
      /** The values typed so far; those that are not valid yet are ignored. */
      values: z.record(z.string().max(50), z.unknown()).default({}),
      choose,
      /** The person in whose name it is to be started; I myself if missing. */
      begin_for: name(50).optional().meta({ title: '申请人' }),
    }),
    reply: z.object({
      steps: z.array(ForeseenStep),
      /** Why it would stop before an end; empty if it would not. */
      stop: z.string(),
      /** Days between two date fields of the form, both included: all days, and working days. */
      periods: z.array(
        z.object({ from: z.string(), to: z.string(), days: z.number().int(), working_days: z.number().int() }),
      ),
    }),
    quiet: true,
  }),
  places: call({
    method: 'GET',
    path: '/api/tickets/places/',
    access: signedIn,
    summary: '填过的地点',
    query: z.object({
      workflow_id: id,
      field_key: z
        .string()
        .regex(/^[a-z][a-z0-9_]{0,49}$/)
        .meta({ title: '字段' }),
      search_value: z.string().trim().max(200).default(''),
    }),
    reply: z.array(z.string()),
  }),
  sheet: call({
    method: 'POST',
    path: '/api/tickets/sheet/',
    access: signedIn,
    summary: '读取明细表格',
    query: z.object({ workflow_id: id }),
    upload: 5 * 2 ** 20,
    reply: SheetRead,
    quiet: true,
  }),
  get: call({
    method: 'GET',
    path: ticket,
    access: signedIn,
    summary: '工单详情',
    params: idParams,
    reply: DetailReply,
    notesReading: true,
  }),
  copy: call({
    method: 'GET',
    path: `${ticket}copy/`,
    access: signedIn,
    summary: '再次发起时填好的内容',
    params: idParams,
    reply: z.object({
      workflow_id: z.number().int(),
      values: z.record(z.string(), z.unknown()),
      /** Names of the people in them, by user name. */
      people: z.record(z.string(), z.string()),
      /** The number of fields whose files must be uploaded anew. */
      left: z.number().int(),
    }),
    fresh: true,
  }),
  looking: call({
    method: 'POST',
    path: `${ticket}looking/`,
    access: signedIn,
    summary: '正在查看工单',
    params: idParams,
    /** Names of the other people who have it open. */
    reply: z.object({ value: z.array(z.string()) }),
    quiet: true,
  }),
  handle: call({
    method: 'PATCH',
    path: ticket,
    access: signedIn,
    summary: '处理工单',
    params: idParams,
    body: HandleBody,
    reply: Handled,
    message: '处理成功',
  }),
  remove: call({
    method: 'DELETE',
    path: ticket,
    access: signedIn,
    summary: '删除工单',
    params: idParams,
    reply: done,
    message: '已删除',
  }),
  accept: call({
    method: 'POST',
    path: `${ticket}accept/`,
    access: signedIn,
    summary: '接单',
    params: idParams,
    body: z.object({ task_no: id.optional(), version }),
    reply: done,
    message: '接单成功',
  }),
  transitions: call({
    method: 'GET',
    path: `${ticket}transitions/`,
    access: signedIn,
    summary: '工单可做的操作',
    params: idParams,
    reply: z.object({ value: z.array(Offered) }),
    fresh: true,
  }),
  flowsteps: call({
    method: 'GET',
    path: `${ticket}flowsteps/`,
    access: signedIn,
    summary: '工单步骤',
    params: idParams,
    reply: z.object({ value: z.array(FlowStep), current_state_id: z.number().int() }),
    fresh: true,
  }),
  ahead: call({
    method: 'POST',
    path: `${ticket}ahead/`,
    access: signedIn,
    summary: '预览后续步骤',
    params: idParams,
    body: z.object({
      /** Values typed and not yet sent; invalid ones are ignored. */
      values: z.record(z.string().max(50), z.unknown()).default({}),
      choose,
    }),
    reply: z.object({
      steps: z.array(z.object({ state_id: z.number().int(), state_name: z.string() })),
      /** Why it would stop before an end; empty if it would not. */
      stop: z.string(),
    }),
    quiet: true,
  }),
  flowlogs: call({
    method: 'GET',
    path: `${ticket}flowlogs/`,
    access: signedIn,
    summary: '工单流转记录',
    params: idParams,
    query: listQuery({ sort: ['seq'], filters: { ticket_data: flag.default(false) } }),
    reply: listOf(FlowLog),
    fresh: true,
  }),
  jiaobiao: call({
    method: 'GET',
    path: '/api/tickets/jiaobiao/',
    access: signedIn,
    summary: '工单角标',
    reply: z.object({
      by_category: z.record(z.string(), z.number().int()),
      by_menu: z.record(z.string(), z.number().int()),
      total: z.number().int(),
    }),
  }),
  userMsg: call({
    method: 'GET',
    path: '/api/tickets/user_msg/',
    access: signedIn,
    summary: '我的工作台',
    reply: z.object({
      duty: z.number().int(),
      owner: z.number().int(),
      cc: z.number().int(),
      overdue: z.number().int(),
      unread: z.number().int(),
      recent: z.array(Row).max(5),
    }),
  }),
};
