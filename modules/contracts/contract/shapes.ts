import { z } from 'zod';
import { money } from '#kernel/contract/money/money.ts';
import { actions, day, id, line, name, text, timestamp } from '#kernel/contract/shapes.ts';
import { FileCard } from '#modules/files/contract.ts';
import { PersonCard } from '#modules/people/contract/cards.ts';
import { approvalRow } from '#modules/records/contract.ts';
import { kind } from './codes.ts';

const int = z.number().int();
const maybeInt = int.nullable();
const words = z.string().nullable();
const maybeDay = day.nullable().optional();
const code = (...values: [number, ...number[]]) => z.union(values.map((value) => z.literal(value)) as never);

/** One of the other sides, as it stands in the contract; `party_id` names the 相对方 it is, none yet of a new one. */
export const SideInput = z.object({
  party_id: id.nullable().optional(),
  name: name(100).meta({ title: '相对方名称' }),
  role: line(20).default('乙方').meta({ title: '身份' }),
  credit_code: line(18).default('').meta({ title: '统一社会信用代码' }),
  legal_person: line(50).default('').meta({ title: '法定代表人' }),
  contact_name: line(50).default('').meta({ title: '联系人' }),
  contact_phone: line(30).default('').meta({ title: '联系电话' }),
  address: line(200).default('').meta({ title: '地址' }),
  bank_name: line(100).default('').meta({ title: '开户行' }),
  bank_account: line(50).default('').meta({ title: '账号' }),
});
export type SideInput = z.output<typeof SideInput>;

const kinds = Object.values(kind) as [number, ...number[]];
/** A planned performance of a draft. */
export const Plan = z.object({
  kind: z
    .union(kinds.map((one) => z.literal(one)) as [z.ZodLiteral<number>, ...z.ZodLiteral<number>[]])
    .meta({ title: '类型' }),
  direction: z
    .union([z.literal(1), z.literal(2)])
    .nullable()
    .optional()
    .meta({ title: '收付' }),
  period: int.min(1).max(999).default(1).meta({ title: '期次' }),
  name: name(60).meta({ title: '名称' }),
  condition: line(300).default('').meta({ title: '条件' }),
  plan_date: day.meta({ title: '计划日期' }),
  plan_amount: money.nullable().optional().meta({ title: '计划金额' }),
});
export type Plan = z.output<typeof Plan>;

/** A field that a registration changed. */
export interface FieldChange {
  field: string;
  label: string;
  before: unknown;
  after: unknown;
}
void [actions, text, timestamp, FileCard, PersonCard, approvalRow, maybeInt, words, maybeDay, code];
