import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { actions, day, done, id, idParams, line, name, text, timestamp } from '#kernel/contract/shapes.ts';
import { field } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';

const path = '/api/meet/{id}/minutes/' as const;
const int = z.number().int();
export const minutesState = codeSet({ writing: [1, '草拟'], confirming: [2, '待确认'], published: [3, '已发布'] });

const Decision = z.object({
  content: name(500).meta({ title: '决定内容' }),
  dept_id: id.nullable().default(null).meta({ title: '责任部门' }),
  owner_id: id.nullable().default(null).meta({ title: '责任人' }),
  due: day.nullable().default(null).meta({ title: '时限' }),
});
export const Decisions = z.array(Decision).max(50, '最多 50 项').meta({ title: '决定事项' });
export type Decision = z.output<typeof Decision>;

const Version = z.object({
  no: int,
  state: int,
  content: z.string(),
  file_info: FileCard.nullable(),
  writer_name: z.string(),
  /** The host's reason for returning it. */
  reason: z.string(),
  confirmed_name: z.string(),
  published_at: timestamp.nullable(),
});
export type MinutesVersion = z.output<typeof Version>;

/** 纪要: written, handed to the host, confirmed and published; a published version is final, and a revision is a new version. */
export const minutes = {
  get: call({
    method: 'GET',
    path,
    access: signedIn,
    summary: '查看会议纪要',
    params: idParams,
    reply: z.object({
      /** The latest first; an unpublished one only for those who run the meeting. */
      value: z.array(Version),
      decisions: z.array(
        Decision.extend({
          no: int.meta(field('序号')),
          dept_name: z.string().meta(field('责任部门')),
          owner_name: z.string().meta(field('责任人')),
          /** The supervised item made of it, and the item's state. */
          supervised: z.object({ id: int, sn: z.string(), state: z.string() }).nullable().meta(field('督办')),
        }),
      ),
      actions,
    }),
    fresh: true,
  }),
  keep: call({
    method: 'PUT',
    path,
    access: signedIn,
    summary: '办理会议纪要',
    params: idParams,
    body: z.object({
      /** `save` the draft, or `hand_in` to the host; the host gives it `back` with a reason, or publishes it. */
      act: z.enum(['save', 'hand_in', 'back', 'publish']).meta({ title: '操作' }),
      content: text(50_000).optional().meta({ title: '纪要' }),
      file_id: id.nullable().optional().meta({ title: '附件' }),
      decisions: Decisions.optional(),
      reason: line(200).default('').meta({ title: '退回原因' }),
    }),
    reply: done,
    message: '已保存',
  }),
  raise: call({
    method: 'POST',
    path: '/api/meet/{id}/decisions/',
    access: signedIn,
    summary: '决定事项转督办',
    params: idParams,
    body: z.object({
      /** Numbers of decisions; all by default. */
      nos: z.array(int.min(1)).min(1).max(50, '最多 50 项').optional().meta({ title: '决定事项' }),
    }),
    /** The item of each, including existing ones. */
    reply: z.object({ value: z.array(z.object({ no: int, supervise_id: int, sn: z.string() })) }),
    message: '已转督办',
  }),
};
