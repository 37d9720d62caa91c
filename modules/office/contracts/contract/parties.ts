import { z } from 'zod';
import { call, grant, grantOverAll, signedIn, type ReplyOf } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
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
  personLine,
  telephone,
} from '#kernel/contract/shapes.ts';
import { name, timestamp, version } from '#kernel/contract/shapes.ts';
import { coded, field, sheetColumns, titledAs } from '#kernel/contract/titles.ts';

const page = 'contract/party';
const one = '/api/contract/party/{id}/';

export const partyStanding = codeSet({
  normal: [0, '正常', 'success'],
  suspended: [1, '暂停', 'warning'],
  banned: [2, '禁止', 'error'],
});

// The unified social credit code by GB 32100—2015: 17 characters and a check character, modulo 31.
const letters = '0123456789ABCDEFGHJKLMNPQRTUWXY';

/** True if the check character of an 18-character code is correct. */
export function hasCheckDigit(code: string): boolean {
  if (!/^[0-9A-HJ-NPQRTUWXY]{2}\d{6}[0-9A-HJ-NPQRTUWXY]{10}$/.test(code)) return false;
  let [sum, weight] = [0, 1];
  for (const letter of code.slice(0, 17)) {
    sum += letters.indexOf(letter) * weight;
    weight = (weight * 3) % 31;
  }
  return letters[(31 - (sum % 31)) % 31] === code[17];
}
export const creditCode = z
  .string()
  .trim()
  .toUpperCase()
  .refine((code) => code === '' || hasCheckDigit(code), '统一社会信用代码为 18 位且末位为校验码，请核对');

const facts = {
  name: name(100).meta(field('相对方名称', { short: '名称' })),
  credit_code: creditCode.meta({ title: '统一社会信用代码' }),
  legal_person: personLine(50).meta({ title: '法定代表人' }),
  contact_name: personLine(50).meta({ title: '联系人' }),
  contact_phone: telephone(30).meta({ title: '联系电话' }),
  address: line(200).meta({ title: '地址' }),
  bank_name: line(100).meta({ title: '开户银行' }),
  bank_account: line(50).meta({ title: '银行账号' }),
};
const withDefaults = Object.fromEntries(
  Object.entries(facts).map(([key, field]) => [key, key === 'name' ? field : field.default('')]),
) as { [K in keyof typeof facts]: K extends 'name' ? (typeof facts)['name'] : z.ZodDefault<(typeof facts)[K]> };

/** A party with the names and facts of the contract. */
export const Side = z.object({
  party_id: id.nullable().optional(),
  role: line(20).default('').meta({ title: '角色' }),
  ...withDefaults,
});
export type Side = z.output<typeof Side>;
/** The parties as all viewers of a contract see them, without bank accounts. */
export const SideShown = Side.omit({ bank_name: true, bank_account: true });

const standing = {
  standing: z.number().int().meta(coded('状态', partyStanding.names)),
  standing_reason: z.string().meta(field('原因')),
  standing_until: z.string().nullable(),
};
export const partyRow = z.object(
  titledAs(facts, {
    id: z.number().int(),
    name: z.string(),
    credit_code: z.string(),
    ...standing,
    /** Counts only contracts that I see. */
    contracts: z.number().int().meta(field('合同数')),
    amount_out: z.number().meta(field('付款合同金额', { kind: 'money' })),
    amount_in: z.number().meta(field('收款合同金额', { kind: 'money' })),
    open: z.number().meta(field('未结清', { kind: 'money' })),
    /** Overdue nodes: of payments to us, and of payments by us. */
    late_theirs: z.number().int().meta(field('对方逾期')),
    late_ours: z.number().int().meta(field('我方逾期')),
    /** Disputes of its contracts, and the open ones. */
    disputes: z.number().int().meta(field('争议')),
    open_disputes: z.number().int().meta(field('未了结争议')),
    /** Contracts terminated early. */
    terminated: z.number().int().meta(field('解除')),
    version: z.number().int(),
    actions,
  }),
);
export type PartyRow = z.output<typeof partyRow>;

/** 相对方: the parties with whom this house has contracts. */
export const contractParties = {
  parties: call({
    method: 'GET',
    path: '/api/contract/party/',
    access: grant('Retrieve', page),
    summary: '查看合同相对方',
    query: listQuery({
      sort: ['gmt_modified', 'name', 'standing'],
      filters: { standing: z.coerce.number().int().min(0).max(2).optional() },
    }),
    reply: listOf(partyRow),
    exports: {
      page,
      title: '合同相对方',
      columns: sheetColumns(partyRow.shape, [
        'name',
        'credit_code',
        'standing',
        'standing_reason',
        'contracts',
        'amount_out',
        'amount_in',
        'open',
        'late_theirs',
        'late_ours',
        'disputes',
        'open_disputes',
        'terminated',
      ]),
    },
  }),
  /** For drafting; without bank accounts. */
  partyOptions: call({
    method: 'GET',
    path: '/api/contract/party/simple/',
    access: signedIn,
    summary: '选择合同相对方',
    query: z.object({ search_value: line(100).default('') }),
    reply: z.array(z.object({ id: z.number().int(), name: z.string(), credit_code: z.string(), ...standing })),
  }),
  party: call({
    method: 'GET',
    path: one,
    access: grant('Retrieve', page),
    summary: '查看合同相对方详情',
    notesReading: 'always',
    params: idParams,
    /** `bank` adds the bank account, which is logged. */
    query: z.object({ bank: flag.optional() }),
    reply: z.object({
      value: partyRow.extend({
        legal_person: z.string(),
        contact_name: z.string(),
        contact_phone: z.string(),
        address: z.string(),
        remark: z.string(),
        has_bank: z.boolean(),
        bank_name: z.string().optional(),
        bank_account: z.string().optional(),
        /** Its contracts that I see, newest first. */
        of: z.array(
          z.object({
            id: z.number().int(),
            name: z.string(),
            contract_no: z.string(),
            year: z.number().int(),
            stage: z.number().int(),
            pay_direction: z.number().int(),
            amount: z.number(),
            gmt_created: timestamp,
          }),
        ),
      }),
    }),
    fresh: true,
  }),
  saveParty: call({
    method: 'PUT',
    path: one,
    access: grantOverAll('Update', page),
    summary: '编辑合同相对方',
    params: idParams,
    body: z
      .object(facts)
      .partial()
      .extend({
        standing: z.literal([0, 1, 2]).optional().meta({ title: '状态' }),
        standing_reason: line(200).optional().meta({ title: '原因' }),
        standing_until: day.nullable().optional().meta({ title: '截止日期' }),
        remark: line(300).optional().meta({ title: '备注' }),
        /** Merges this party into another, after which it is no longer offered. */
        merge_into: id.optional().meta({ title: '并入' }),
        version,
      }),
    reply: done,
    message: '相对方已保存',
  }),
};
export type Party = ReplyOf<typeof contractParties.party>['value'];
