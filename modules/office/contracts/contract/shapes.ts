import { z } from 'zod';
import { money } from '#kernel/contract/money/money.ts';
import { actions, codesOf, day, flag, id, line, name } from '#kernel/contract/shapes.ts';
import { choice, coded, field, titledAs } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { approvalRow } from '#modules/workflow/records/contract.ts';
import { direction, payingSides, performanceState, planKind, purchaseMode, stage } from './codes.ts';
import { Side, SideShown } from './parties.ts';
import { textInput, textShape } from './texts.ts';

const int = z.number().int();
const words = z.string().nullable();
const maybeDay = day.nullable().optional();
const remindDays = z.array(z.number().int().min(0).max(365)).max(6, '最多 6 个');

/** A planned row of performance in a draft. */
export const Plan = z.object({
  kind: choice('类型', planKind.names),
  direction: choice('收付', payingSides).nullable().optional(),
  /** Only for a deposit: it is given back. */
  gives_back: flag.optional().meta({ title: '退还保证金' }),
  period: z
    .number()
    .int()
    .min(1)
    .max(999)
    .default(1)
    .meta(field('期次', { hidden: true })),
  name: name(60).meta({ title: '名称' }),
  condition: line(300).default('').meta({ title: '条件' }),
  plan_date: day.meta({ title: '计划日期' }),
  plan_amount: money.nullable().optional().meta({ title: '计划金额' }),
});
export type Plan = z.output<typeof Plan>;
/** Fields of a deposit are cleared when the kind changes. */
const KeptPlan = Plan.overwrite((plan) =>
  plan.gives_back && plan.kind !== planKind.deposit ? { ...plan, gives_back: false } : plan,
);

/** All fields of a contract that its drafter sets; required ones are checked on sending. */
export const ContractInput = z.object({
  name: name(120).meta({ title: '合同名称' }),
  category_id: id.optional().meta(field('合同类别', { short: '类别' })),
  nature: z.literal([1, 2, 3]).optional().meta({ title: '合同性质' }),
  parent_id: id.nullable().optional().meta({ title: '主合同' }),
  pay_direction: z.literal([1, 2, 3]).optional().meta({ title: '收付' }),
  our_party: line(100).optional().meta({ title: '我方' }),
  parties: z.array(Side).max(5, '最多 5 个相对方').optional().meta({ title: '相对方' }),
  amount: money.optional().meta(field('合同金额', { unit: '元' })),
  tax_rate: z.number().min(0).max(100).multipleOf(0.01).nullable().optional().meta({ title: '税率' }),
  amount_cap: money.nullable().optional().meta({ title: '框架上限' }),
  fund_source: line(100).optional().meta({ title: '经费来源' }),
  purchase_mode: codesOf(purchaseMode.names).nullable().optional().meta({ title: '采购方式' }),
  bid_no: line(50).optional().meta({ title: '采购编号' }),
  undertaker: id.optional().meta({ title: '承办人' }),
  dept_id: id.optional().meta({ title: '承办部门' }),
  start_date: maybeDay.meta({ title: '开始日期' }),
  end_date: maybeDay.meta({ title: '结束日期' }),
  renewal: z.literal([0, 1, 2]).optional().meta({ title: '到期处理' }),
  renewal_months: z.number().int().min(1).max(120).nullable().optional().meta({ title: '每次顺延月数' }),
  notice_days: z.number().int().min(0).max(365).nullable().optional().meta({ title: '提前通知天数' }),
  remind_days: remindDays.optional().meta({ title: '到期提醒' }),
  deposit: money.nullable().optional().meta({ title: '履约保证金' }),
  warranty_end: maybeDay.meta({ title: '质保到期' }),
  dispute: z.literal([1, 2]).nullable().optional().meta({ title: '争议解决' }),
  party_signed: flag.optional().meta({ title: '对方已先签' }),
  ...textInput,
  plans: z.array(KeptPlan).max(120, '最多 120 条').optional().meta({ title: '履约计划' }),
  attachments: z.array(id).max(20, '最多 20 个附件').optional().meta({ title: '附件' }),
});
export type ContractInput = z.output<typeof ContractInput>;

/** A contract as a list row. An imported one has no ticket. */
export const ContractRow = z.object(
  titledAs(ContractInput.shape, {
    ...approvalRow,
    ticket_id: int.nullable(),
    name: z.string(),
    title: z.string(),
    contract_no: z.string().meta(field('合同编号')),
    stage: int.meta(coded('阶段', stage.names)),
    category_id: int,
    category_name: z.string().meta(field('类别')),
    nature: int,
    pay_direction: int.meta(coded('收付', direction.names)),
    party_names: z.array(z.string()).meta(field('相对方')),
    amount: z.number(),
    dept_id: int,
    undertaker: int,
    undertaker_alias: z.string().meta(field('承办人')),
    sign_date: words.meta(field('签订日期')),
    start_date: words,
    /** The end of the present term. */
    term_end: words.meta(field('结束日期')),
    term_no: int.nullable(),
    notice_date: words.meta(field('通知期限')),
    /** Days until that; negative once it is over. */
    days_left: int.nullable().meta(field('到期天数')),
    nodes: int.meta(field('节点数')),
    nodes_done: int.meta(field('已履行节点')),
    nodes_late: int,
    next_node: words,
    next_date: words.meta(field('下一节点')),
    /** Without refunds. */
    paid: z.number().meta(field('已收付', { kind: 'money' })),
    refunded: z.number().meta(field('退款', { kind: 'money' })),
    unpaid: z.number().meta(field('未收付', { kind: 'money' })),
    archive_no: z.string().meta(field('档号')),
    backdated: z.boolean().meta(field('倒签')),
    late_signed: z.boolean().meta(field('先履行后签')),
    /** The number of open disputes. */
    open_disputes: int.meta(field('未了结争议')),
    imported: z.boolean(),
    dept_name: z.string().meta(field('承办部门')),
  }),
);
export type ContractRow = z.output<typeof ContractRow>;

/** A field changed by a registration. */
export const FieldChange = z.object({ field: z.string(), label: z.string(), before: z.unknown(), after: z.unknown() });
export type FieldChange = z.output<typeof FieldChange>;

export const Entry = z.object({
  id: int,
  performance_id: int,
  date: z.string(),
  amount: z.number().nullable(),
  voucher_no: z.string(),
  invoice_no: z.string(),
  accept_result: int.nullable(),
  remark: z.string(),
  reverses_id: int.nullable(),
  /** True if another entry reverses it. */
  reversed: z.boolean(),
  who: z.string(),
  at: z.string(),
  files: z.array(FileCard),
  actions,
});
export type Entry = z.output<typeof Entry>;

export const Performance = z.object({
  id: int,
  contract_id: int,
  kind: int.meta(coded('类型', planKind.names)),
  direction: int.nullable(),
  gives_back: z.boolean().meta(field('退还')),
  period: int.meta(field('期次')),
  name: z.string().meta(field('名称')),
  condition: z.string(),
  plan_date: z.string().meta(field('计划日期')),
  plan_amount: z
    .number()
    .nullable()
    .meta(field('计划金额', { kind: 'money' })),
  done_amount: z.number().meta(field('已执行', { kind: 'money' })),
  state: int.meta(coded('状态', performanceState.names)),
  /** Days until its due day; negative once it is past. */
  days_left: int.meta(field('天数')),
  handler: int,
  handler_alias: z.string().meta(field('办理人')),
  settlement: z.boolean(),
  cancel_reason: z.string(),
  version: int,
  actions,
});
export type Performance = z.output<typeof Performance>;

const Named = z.object({ id: int, name: z.string(), contract_no: z.string(), stage: int, nature: int });
/** A similar contract, for approvers; without a title for those who may not see it. */
const Alike = z.object({ id: int.nullable(), name: z.string(), contract_no: z.string(), amount: z.number() });

export const ContractDetail = ContractRow.extend(
  titledAs(ContractInput.shape, {
    parent_id: int.nullable(),
    parent: Named.nullable().meta(field('主合同')),
    children: z.array(Named),
    our_party: z.string(),
    parties: z.array(SideShown),
    has_bank: z.boolean(),
    currency: z.string(),
    amount_upper: z.string(),
    tax_rate: z.number().nullable(),
    amount_cap: z.number().nullable(),
    /** Only for a framework: the part of its cap taken by call-offs. */
    cap_used: z.number(),
    /** The total reduction by audits. */
    reduced: z.number().meta(field('审减')),
    fund_source: z.string(),
    purchase_mode: int.nullable(),
    bid_no: z.string(),
    manage_dept: int.nullable(),
    manage_dept_name: z.string().meta(field('归口部门')),
    end_date: words,
    renewal: int,
    renewal_months: int.nullable(),
    notice_days: int.nullable(),
    remind_days: z.array(int),
    deposit: z.number().nullable(),
    warranty_end: words,
    dispute: int.nullable(),
    ...textShape,
    file: int.nullable(),
    file_info: FileCard.nullable(),
    attachments: z.array(int),
    attachments_info: z.array(FileCard),
    need_legal: z.boolean().meta(field('法务')),
    legal_reason: z.string(),
    step: int,
    risk_level: int.nullable().meta(field('风险等级')),
    legal_opinion: z.string().meta(field('法律意见')),
    plans: z.array(Plan),
    party_signed: z.boolean(),
    approved_at: words,
    signed_file_info: FileCard.nullable(),
    /** The package of an archived contract; null while it is being made. */
    packed_file_info: FileCard.nullable(),
    /** The application by which it was sealed. */
    stamp_application_id: int.nullable(),
    sealed_at: words,
    authority: int.nullable(),
    copies_total: int.nullable(),
    copies_kept: int.nullable(),
    keeper_alias: z.string().meta(field('原件保管人')),
    effective_date: words.meta(field('生效日期')),
    suspended_on: words,
    ended_on: words,
    archive_location: z.string(),
    retention: z.string(),
    archived_at: words,
    terms: z.array(z.object({ no: int, start_date: z.string(), end_date: words, notice_date: words })),
    performance: z.array(Performance),
    entries: z.array(Entry),
    /** Contracts with the same parties, kind and department that together exceed a step; shown during approval. */
    alike: z.object({ months: int, total: z.number(), step: int, rows: z.array(Alike) }).nullable(),
    registrable: z.array(z.string()),
    disputes: z.array(z.object({ id: int, reason: z.string() })),
  }),
);
export type ContractDetail = z.output<typeof ContractDetail>;
