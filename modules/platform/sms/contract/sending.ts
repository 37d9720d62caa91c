import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import {
  actions,
  id,
  idParams,
  listOf,
  listQuery,
  line,
  localMoment,
  text,
  timestamp,
} from '#kernel/contract/shapes.ts';
import { alumnusFilter, commaList } from '#modules/platform/alumni/contract/filter.ts';
import { Audience } from '#modules/platform/people/contract/audience.ts';

const page = 'sms/send';
const several = z.array(id).max(2000, '最多选择 2000 项');
/** Pasted numbers, separated by blanks, commas, semicolons or line ends. */
const mobiles = z.union([text(100_000), z.array(line(30)).max(5000, '最多填写 5000 个号码')]);
const params = z.record(line(20), line(100)).refine((value) => Object.keys(value).length <= 20, '最多 20 项');

const selection = {
  recipients: Audience.meta({ title: '人员' }).optional(),
  mobiles: mobiles.meta({ title: '其他号码' }).optional(),
  alumnus_ids: several.meta({ title: '校友' }).optional(),
  alumnus_filter: z.object(alumnusFilter).meta({ title: '校友范围' }).optional(),
};
const wording = {
  template_id: id.nullable().meta({ title: '模板' }).optional(),
  content: text(500).meta({ title: '内容' }).optional(),
  params: params.meta({ title: '模板内容' }).optional(),
};
const Selection = z.object({ ...selection, ...wording });
export type Selection = z.output<typeof Selection>;

const Counted = z.object({
  /** Recipients chosen or found; valid + invalid + duplicate + blacklist + no_consent + busy. */
  total: z.number().int(),
  valid: z.number().int(),
  /** Without a valid number, or beyond the sender's reach. */
  invalid: z.number().int(),
  duplicate: z.number().int(),
  blacklist: z.number().int(),
  no_consent: z.number().int(),
  /** Recipients who have reached the daily limit. */
  busy: z.number().int(),
  /** For the longest text, and for all together. */
  segments_each: z.number().int(),
  segments_total: z.number().int(),
  quota_left: z.number().int(),
  /** Numbers to which the sender sent the same text within a day without approval. */
  said_today: z.number().int(),
  needs_confirm: z.boolean(),
  /** The text for the first recipient. */
  preview: z.string(),
});
export type Counted = z.output<typeof Counted>;

const Skipped = z.object({ name: z.string(), mobile: z.string(), reason: z.string() });
export type Skipped = z.output<typeof Skipped>;

const Waiting = z.object({
  id: z.number().int(),
  content: z.string(),
  sender_name: z.string(),
  total: z.number().int(),
  segments: z.number().int(),
  send_at: timestamp.nullable(),
  gmt_created: timestamp,
  /** 0 waits for a second person, 1 released. */
  state: z.number().int(),
  /** Those of the total that have not been sent. */
  unsent: z.number().int(),
  /** Only for those who may approve it, which excludes the sender. */
  confirm_token: z.string().nullable(),
  actions,
});
export type Waiting = z.output<typeof Waiting>;

const Withdrawn = z.object({
  id: z.number().int(),
  /** Numbers that receive nothing any more. */
  withdrawn: z.number().int(),
  /** Numbers whose message was already with the provider: it may arrive, and is not refunded. */
  leaving: z.number().int(),
});
export type Withdrawn = z.output<typeof Withdrawn>;

export const sending = {
  send: call({
    method: 'POST',
    path: '/api/sms/send/',
    access: grant('Create', page),
    summary: '发送短信',
    body: z
      .object({
        ...selection,
        ...wording,
        send_at: localMoment.nullable().meta({ title: '发送时间' }).optional(),
        /** Releases somebody else's batch; all other fields are ignored then. */
        confirm_token: line(200).meta({ title: '确认码' }).optional(),
      })
      .refine((body) => body.confirm_token || body.template_id || body.content, {
        path: ['content'],
        message: '请选择模板或填写内容',
      }),
    reply: z.object({
      batch_id: z.number().int(),
      total: z.number().int(),
      segments: z.number().int(),
      /** The first 500 of `skipped_total`. */
      skipped: z.array(Skipped),
      skipped_total: z.number().int(),
      /** The sending time; null: at once, or not before it is approved. */
      send_at: timestamp.nullable(),
      /** For a second person, who sends it back. Null: it is being sent. */
      confirm_token: z.string().nullable(),
    }),
    says: ({ confirm_token }: { confirm_token: string | null }) =>
      confirm_token === null ? '短信已提交' : '短信已提交复核，由另一位有发送权限的人员复核后发出',
  }),
  count: call({
    method: 'GET',
    path: '/api/sms/mobile/count/',
    access: grant('Create', page),
    summary: '统计短信接收人',
    query: z.object({
      users: commaList.optional(),
      depts: commaList.optional(),
      roles: commaList.optional(),
      mobiles: text(2000).optional(),
      alumnus_ids: commaList.optional(),
      ...alumnusFilter,
      template_id: id.optional(),
      content: text(500).optional(),
    }),
    reply: Counted,
    fresh: true,
  }),
  countLong: call({
    method: 'POST',
    path: '/api/sms/mobile/count/',
    access: grant('Create', page),
    summary: '统计短信接收人',
    body: Selection,
    reply: Counted,
    quiet: true,
  }),
  waiting: call({
    method: 'GET',
    path: '/api/sms/batch/',
    access: grant('Create', page),
    summary: '待复核和待发出的短信',
    query: listQuery({ sort: ['gmt_created'] }),
    reply: listOf(Waiting),
    fresh: true,
  }),
  withdraw: call({
    method: 'DELETE',
    path: '/api/sms/batch/{id}/',
    access: grant('Create', page),
    summary: '撤销尚未发出的短信',
    params: idParams,
    reply: Withdrawn,
    message: '该批尚未发出的短信已撤销',
  }),
};
