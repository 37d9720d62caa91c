import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { actions, done, flag, id, idParams, line, localMoment, name, timestamp } from '#kernel/contract/shapes.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';

const int = z.number().int();
const username = z.string().trim().min(1).max(50);
const files = z.array(id).max(20, '最多 20 张照片').default([]).meta({ title: '印模照片' });

/** An event in the custody of a seal: from whom it went to whom. */
export const Custody = z.object({
  id: int,
  stamp_id: int,
  stamp_name: z.string(),
  kind: int,
  state: int,
  from_info: PersonCard.nullable(),
  to_info: PersonCard.nullable(),
  from_time: timestamp,
  until: timestamp.nullable(),
  /** The moment at which a period ended early. */
  ended_at: timestamp.nullable(),
  reason: z.string(),
  creator_info: PersonCard,
  /** The people who have to sign, and those who have. */
  witnesses: z.array(PersonCard),
  signed: z.array(z.object({ alias: z.string(), at: timestamp })),
  pictures: z.array(FileCard),
  decided_at: timestamp.nullable(),
  gmt_created: timestamp,
  actions,
});
export type Custody = z.output<typeof Custody>;

export const CustodyInput = z.object({
  kind: int.min(2).max(14).meta({ title: '事项' }),
  to: username.optional().meta({ title: '接收人' }),
  backup: username.nullable().optional().meta({ title: '备岗' }),
  supervisor: username.nullable().optional().meta({ title: '监印人' }),
  from_time: localMoment.optional().meta({ title: '开始时间' }),
  until: localMoment.optional().meta({ title: '结束时间' }),
  reason: name(300).meta({ title: '原因' }),
  files,
  witnesses: z.array(username).max(2).default([]).meta({ title: '见证人' }),
  /** The scanned text of the label, for an inventory. */
  code: line(200).optional().meta({ title: '印章标签' }),
  /** Of 停用: whether waiting applications are cancelled too. */
  cancel_lines: flag.default(false).meta({ title: '同时取消待用印的申请' }),
});
export type CustodyInput = z.output<typeof CustodyInput>;

/** An answer to a proposal; the receiver or witness signs by hand or by password. */
export const CustodyAnswer = z.object({
  result: z.literal([1, 2, 3]).meta({ title: '办理' }),
  signature: id.optional().meta({ title: '手写签名' }),
  password: z.string().max(128).optional().meta({ title: '登录密码' }),
  files,
});
export type CustodyAnswer = z.output<typeof CustodyAnswer>;

export const custodyCalls = {
  custody: call({
    method: 'GET',
    path: '/api/stamp/custody/',
    access: signedIn,
    summary: '查看印章保管记录',
    /** The events of one seal, or those that wait for me and those I proposed. */
    query: z.object({ stamp_id: id.optional(), mine: flag.optional() }),
    reply: z.object({ value: z.array(Custody) }),
    fresh: true,
  }),
  propose: call({
    method: 'POST',
    path: '/api/stamp/{id}/custody/',
    access: signedIn,
    summary: '登记印章保管事项',
    params: idParams,
    body: CustodyInput,
    reply: done,
    message: '已登记',
  }),
  answer: call({
    method: 'PUT',
    path: '/api/stamp/custody/{id}/',
    access: signedIn,
    summary: '签收或见证印章保管事项',
    params: idParams,
    body: CustodyAnswer,
    reply: done,
    message: '已办理',
  }),
};
