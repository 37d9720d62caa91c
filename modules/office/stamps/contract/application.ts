import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { money } from '#kernel/contract/money/money.ts';
import { day, id, line, localMoment, name, timestamp } from '#kernel/contract/shapes.ts';
import { coded, field, titledAs } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { PersonCard } from '#modules/platform/people/contract/cards.ts';
import { approvalRow } from '#modules/workflow/records/contract.ts';
import { fileKind, lineState } from './codes.ts';

const int = z.number().int();
export const applicationPage = 'stamp/application';
/** The address of an application form prefilled from a record. */
export const applyPath = (module: string, id: number): string => `/stamp/application?module=${module}&source=${id}`;
export const part = z.literal([1, 2]);
/** True if both day and half-day are chosen, or neither. */
export const isWhole = ({ day: chosen, part: half }: { day: string | null; part: number | null }): boolean =>
  (chosen === null) === (half === null);
export const halfChosen = { path: ['part'], message: '预约须同时选择日期和上午或下午' };

/** The input of an application; `lines` are its seals, `files` the files to be sealed. Absent fields stay as they are. */
export const ApplicationInput = z.object({
  title: name(100).meta(field('文件名称', { short: '文件' })),
  files: z.array(id).min(1, '请上传要用印的文件').max(20, '最多 20 个文件').meta({ title: '用印文件' }),
  lines: z
    .array(
      z
        .object({
          stamp_id: id,
          times: int.min(1).max(999).default(1),
          day: day.nullable().default(null),
          part: part.nullable().default(null),
        })
        .refine(isWhole, halfChosen),
    )
    .min(1, '请选择印章')
    .max(10, '一次最多申请 10 枚印章')
    .meta({ title: '印章' }),
  reason: name(300).meta(field('用印事由', { short: '事由' })),
  use_type: z.literal([1, 2]).optional().meta({ title: '用印方式' }),
  file_kind: int.min(1).max(9).meta({ title: '文件类型' }),
  pages: int.min(1).max(99_999).nullable().optional().meta({ title: '每份页数' }),
  copies: int.min(1, '至少 1 份').max(9999, '最多 9999 份').meta({ title: '份数' }),
  serial_from: line(30).optional().meta({ title: '起始编号' }),
  serial_to: line(30).optional().meta({ title: '结束编号' }),
  cross_page: z.boolean().optional().meta({ title: '骑缝章' }),
  receiver: line(100).optional().meta({ title: '送达单位' }),
  amount: money.nullable().optional().meta({ title: '金额' }),
  operator: name(50).nullable().optional().meta({ title: '经办人' }),
  no_blanks: z.boolean().optional().meta({ title: '无空白' }),
  borrow_start: localMoment.nullable().optional().meta({ title: '外带开始' }),
  borrow_end: localMoment.nullable().optional().meta({ title: '外带结束' }),
  borrow_place: line(100).optional().meta({ title: '外带地点' }),
  escort: name(50).nullable().optional().meta({ title: '陪同人' }),
  /** The record of another module whose files are to be sealed. */
  source: z
    .object({ module: z.string().max(30), id })
    .nullable()
    .optional()
    .meta({ title: '关联' }),
  again_of: id.nullable().optional(),
});
export type ApplicationInput = z.output<typeof ApplicationInput>;

/** One seal of an application. `keeper` is its present keeper. */
export const Line = z.object({
  id: int,
  stamp_id: int,
  stamp_name: z.string(),
  keeper: PersonCard.nullable(),
  times: int,
  state: int,
  day: z.string().nullable(),
  part: int.nullable(),
  /** Registered by its keeper and waiting for a second person since then. */
  pending_at: timestamp.nullable(),
  /** True if nobody confirmed it in time. */
  lapsed: z.boolean(),
  reason: z.string(),
  done_at: timestamp.nullable(),
  /** The viewer's acts now. */
  actions: z.array(z.string()),
});
export type Line = z.output<typeof Line>;

const row = titledAs(ApplicationInput.shape, {
  ...approvalRow,
  sn: z.string().meta(field('单号')),
  title: z.string(),
  reason: z.string(),
  use_type: int,
  file_kind: int.meta(coded('文件类型', fileKind.names)),
  copies: int,
  seal_status: int.meta(coded('用印状态', lineState.names)),
  progress: z.object({ done: int, total: int }),
  operator_info: PersonCard.meta(field('经办人')),
  due_day: z.string().nullable(),
  copy_due: z.string().nullable(),
  copy_at: timestamp.nullable(),
  /** The due time of the seal that is out, and whether it is past. */
  back_at: timestamp.nullable(),
  late: z.boolean(),
  lines: z.array(Line),
  /** The viewer's acts now, besides the actions of the ticket. */
  can: z.array(z.string()),
  gmt_created: timestamp.meta(field('申请时间')),
});
export const ApplicationRow = z.object(row);
export type ApplicationRow = z.output<typeof ApplicationRow>;

const SealedFile = FileCard.extend({
  sha256: z.string(),
  kind: int,
  pages: int.nullable(),
  blanks: z.array(z.object({ page: int, places: int })).nullable(),
});
export const ApplicationDetail = z.object({
  ...row,
  ...titledAs(ApplicationInput.shape, {
    pages: int.nullable(),
    serial_from: z.string(),
    serial_to: z.string(),
    cross_page: z.boolean(),
    receiver: z.string(),
    amount: z.number().nullable(),
    no_blanks: z.boolean(),
    borrow_start: timestamp.nullable(),
    borrow_end: timestamp.nullable(),
    borrow_place: z.string(),
    escort_info: PersonCard.nullable(),
    source_module: z.string(),
    source_id: int.nullable(),
    /** The linked record, if the viewer may see it. */
    source_title: z.string().meta(field('关联')),
    source_path: z.string(),
    again_of: int.nullable().meta(field('重新申请')),
    ready_at: timestamp.nullable(),
    sealed_at: timestamp.nullable(),
    /** The code of the slip, for those who bring it to the desk, and as a picture. */
    code: z.string(),
    code_image: z.string(),
    files: z.array(SealedFile),
    /** Sealed copies that came back to a keeper, and how many did not. */
    recalls: z.array(z.object({ copies: int, at: timestamp, by: z.string(), remark: z.string() })).meta(field('收回')),
    outside: int,
    loans: z.array(
      z.object({
        line_id: int,
        stamp_name: z.string(),
        out_at: timestamp,
        due_at: timestamp,
        returned_at: timestamp.nullable(),
        extend_until: timestamp.nullable(),
        extend_reason: z.string(),
      }),
    ),
  }),
});
export type ApplicationDetail = z.output<typeof ApplicationDetail>;

/** The approved files of a record that can be sealed, and the progress of their sealing. */
export const sourceCalls = {
  source: call({
    method: 'GET',
    path: '/api/stamp/application/source/',
    access: signedIn,
    summary: '查看一项业务的用印情况',
    query: z.object({ module: z.string().max(30), id }),
    reply: z.object({
      /** Null if nothing can be applied for now, or not by the user. */
      offer: z
        .object({
          title: z.string(),
          file_kind: int,
          copies: int,
          amount: z.number().nullable(),
          receiver: z.string(),
          files: z.array(FileCard),
        })
        .nullable(),
      /** `same` is true if the application still equals the record. */
      applications: z.array(
        z.object({
          id: int,
          title: z.string(),
          act_state: int,
          seal_status: int,
          gmt_created: timestamp,
          same: z.boolean(),
        }),
      ),
    }),
    fresh: true,
  }),
};
