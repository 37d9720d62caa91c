import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { day, done, id, listOf, listQuery, name } from '#kernel/contract/shapes.ts';
import { sheetColumns } from '#kernel/contract/titles.ts';
import { recordCalls } from '#modules/workflow/records/contract.ts';
import { approvalCategories } from '#modules/workflow/tickets/contract/approval.ts';
import { ContractDetail, ContractInput, ContractRow } from './shapes.ts';

const code = z.coerce.number().int().min(0).max(99).optional();
const amount = z.coerce.number().min(0).optional();
const filters = {
  category_id: id.optional(),
  stage: code,
  act_state: code.meta({ title: '审批状态' }),
  pay_direction: code,
  dept_id: id.optional(),
  party_id: id.optional(),
  nature: code,
  /** The parent: the contract of a supplement, or the framework of a call-off. */
  parent_id: id.optional(),
  amount_min: amount.meta({ title: '金额不少于' }),
  amount_max: amount.meta({ title: '金额不超过' }),
  create_start: day.optional().meta({ title: '创建自' }),
  create_end: day.optional().meta({ title: '创建至' }),
};
const sort = ['gmt_created', 'amount', 'contract_no', 'name'] as const;

/** Quick filters of the ledger: each is one condition for the list and its count. */
export const quick = {
  to_sign: '待签订',
  expiring: '30 天内到期',
  late: '节点逾期',
  to_archive: '待归档',
  suspended: '中止中',
  unpaid: '未付清',
  disputed: '争议中',
} as const;
export type Quick = keyof typeof quick;
/** Counts stop here: this value means that there may be more. */
export const countedTo = 100;

export const contracts = {
  ...recordCalls('/api/contract/', {
    noun: '合同',
    page: 'contract/list',
    input: ContractInput,
    row: ContractRow,
    detail: ContractDetail,
    sort,
    filters,
    /** `mine`: contracts I have to sign, or with something to perform within a week. */
    categories: [...approvalCategories, 'mine'],
  }),
  manage: call({
    method: 'GET',
    path: '/api/contract/manage/',
    access: grant('Retrieve', 'contract/manage'),
    summary: '查看合同台账',
    query: listQuery({
      sort: [...sort, 'term_end', 'sign_date'],
      filters: {
        ...filters,
        quick: z
          .enum(Object.keys(quick) as [Quick])
          .optional()
          .meta({ title: '快速筛选' }),
        undertaker: id.optional(),
      },
    }),
    reply: listOf(ContractRow).extend({ counts: z.record(z.enum(Object.keys(quick) as [Quick]), z.number().int()) }),
    exports: {
      page: 'contract/manage',
      title: '合同台账',
      columns: sheetColumns(ContractRow.shape, [
        'contract_no',
        'name',
        'category_name',
        'party_names',
        'pay_direction',
        'amount',
        'paid',
        'refunded',
        'unpaid',
        'dept_name',
        'undertaker_alias',
        'sign_date',
        'start_date',
        'term_end',
        'stage',
        'nodes_done',
        'nodes',
        'days_left',
        'archive_no',
        'backdated',
        'late_signed',
        'open_disputes',
      ]),
    },
  }),
  handOver: call({
    method: 'POST',
    path: '/api/contract/manage/handover/',
    access: grant('Update', 'contract/manage'),
    summary: '移交合同承办人',
    body: z
      .object({
        ids: z.array(id).min(1).max(500, '一次最多 500 份').optional().meta({ title: '合同' }),
        from: id.optional().meta({ title: '原承办人' }),
        to: id.meta({ title: '新承办人' }),
        reason: name(300).meta({ title: '原因' }),
      })
      .refine((body) => (body.ids === undefined) !== (body.from === undefined), {
        message: '请选择合同，或选择原承办人，二者选一',
        path: ['ids'],
      }),
    reply: done.extend({
      count: z.number().int(),
      /** Contracts that do not exist, are over, belong to the new undertaker already, or are not mine to hand over. */
      missed: z.array(z.number().int()),
    }),
    message: '已移交',
  }),
};
