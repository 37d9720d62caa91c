import { z } from 'zod';
import { retentions } from '../categories.ts';
import { call, grant, signedIn } from '#kernel/contract/call.ts';
import { money } from '#kernel/contract/money/money.ts';
import { day, flag, id, idParams, line, name, text, timestamp } from '#kernel/contract/shapes.ts';
import { choice } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { payingSides } from '../codes.ts';
import { FieldChange, Plan } from '../shapes.ts';

const reason = name(500).meta({ title: '原因' });
const file = id.meta({ title: '文件' });
const copies = z.number().int().min(1, '至少 1 份').max(999);
/** Performance that was not planned. */
const NewRow = Plan.pick({
  kind: true,
  direction: true,
  gives_back: true,
  name: true,
  plan_date: true,
  plan_amount: true,
});

/** Payments still to be made in either direction after a termination. */
export const settlement = z
  .array(
    z.object({
      direction: choice('收付', payingSides),
      amount: money.refine((amount) => amount > 0, '结算金额须大于 0').meta({ title: '金额' }),
      until: day.meta({ title: '结清日期' }),
    }),
  )
  .max(20, '最多 20 条')
  .default([])
  .meta({ title: '结算' });

/** The registrations of a contract, each with its own fields. */
export const RegistrationInput = z.discriminatedUnion('type', [
  z.object({ type: z.literal('party'), file: file.optional().meta({ title: '对方签署扫描件' }) }),
  z.object({
    type: z.literal('sign'),
    sign_date: day.meta({ title: '签订日期' }),
    signed_file: id.meta({ title: '签署扫描件' }),
    signed_by: id.optional().meta({ title: '我方签署人' }),
    authority: z.literal([1, 2]).meta({ title: '签署身份' }),
    authority_file: id.nullable().optional().meta({ title: '授权委托书' }),
    copies_total: copies.meta({ title: '总份数' }),
    copies_kept: copies.meta({ title: '我方留存份数' }),
    keeper: id.meta({ title: '原件保管人' }),
    effective_date: day.nullable().optional().meta({ title: '生效日期' }),
    first_paid_before_signing: flag.optional().meta({ title: '签订前已经开始履行' }),
  }),
  z.object({
    type: z.literal('performance'),
    performance_id: id.optional().meta({ title: '履约节点' }),
    row: NewRow.optional().meta({ title: '新增节点' }),
    date: day.meta({ title: '发生日期' }),
    amount: money.optional().meta({ title: '金额' }),
    voucher_no: line(50).default('').meta({ title: '凭证号' }),
    invoice_no: line(50).default('').meta({ title: '发票号' }),
    accept_result: z.literal([1, 2]).nullable().optional().meta({ title: '验收结果' }),
    files: z.array(id).max(10, '最多 10 个文件').default([]).meta({ title: '凭证文件' }),
    remark: text(500).default('').meta({ title: '说明' }),
    same_voucher: flag.optional().meta({ title: '确是同一凭证的另一笔，仍然登记' }),
  }),
  z.object({ type: z.literal('reverse'), entry_id: id.meta({ title: '登记' }), reason }),
  z.object({ type: z.literal('change'), supplement_id: id.meta({ title: '补充协议' }), reason }),
  z.object({ type: z.literal('suspend'), reason, file: file.meta({ title: '中止文件' }) }),
  z.object({
    type: z.literal('resume'),
    reason,
    file: file.meta({ title: '恢复文件' }),
    shift_plans: flag.optional().meta({ title: '未履行节点按中止天数顺延' }),
  }),
  z.object({
    type: z.literal('terminate'),
    reason,
    date: day.meta({ title: '解除日期' }),
    settlement,
    file: file.meta({ title: '解除协议或通知' }),
  }),
  z.object({
    type: z.literal('dispute'),
    claimant: z.literal([1, 2]).meta({ title: '提出方' }),
    reason: name(500).meta({ title: '争议事项' }),
    amount: money.nullable().optional().meta({ title: '涉及金额' }),
    file: file.nullable().optional().meta({ title: '争议材料' }),
  }),
  z.object({
    type: z.literal('dispute_end'),
    dispute_id: id.meta({ title: '争议' }),
    way: z.literal([1, 2, 3, 4]).meta({ title: '了结方式' }),
    reason: name(500).meta({ title: '了结结果' }),
    file: file.nullable().optional().meta({ title: '和解、调解或裁判文书' }),
  }),
  z.object({ type: z.literal('finish'), reason: line(500).default('').meta({ title: '说明' }) }),
  z.object({
    type: z.literal('archive'),
    archive_no: name(40).meta({ title: '档号' }),
    location: name(100).meta({ title: '存放位置' }),
    retention: z.enum(retentions).meta({ title: '保管期限' }),
    reason: line(500).default('').meta({ title: '说明' }),
  }),
  z.object({ type: z.literal('void'), reason }),
]);
export type RegistrationInput = z.output<typeof RegistrationInput>;
export type InputOf<T extends RegistrationInput['type']> = Extract<RegistrationInput, { type: T }>;

const path = '/api/contract/manage/{id}/dengji/';
export const registerCalls = {
  register: call({
    method: 'POST',
    path,
    access: grant('chuli', 'contract/manage', 'contract/list'),
    summary: '合同登记',
    params: idParams,
    body: RegistrationInput,
    reply: z.object({
      stage: z.number().int(),
      contract_no: z.string(),
      entry_id: z.number().int().optional(),
      /** Notes on differences between the plan and the contract's amount after a change. */
      notes: z.array(z.string()),
    }),
    message: '登记成功',
  }),
  registrations: call({
    method: 'GET',
    path,
    access: signedIn,
    summary: '查看合同登记记录',
    params: idParams,
    reply: z.array(
      z.object({
        id: z.number().int(),
        type: z.string(),
        type_name: z.string(),
        from_stage: z.number().int(),
        to_stage: z.number().int(),
        at: timestamp,
        who: z.string(),
        reason: z.string(),
        changes: z.array(FieldChange),
        files: z.array(FileCard),
      }),
    ),
    fresh: true,
  }),
};
