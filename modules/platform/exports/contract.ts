import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { actions, done, idParams, listOf, listQuery } from '#kernel/contract/shapes.ts';
import { field, coded } from '#kernel/contract/titles.ts';
import { FileCard } from '#modules/platform/files/contract.ts';

/** The most rows of an export that is sent at once; longer ones are made in the background. */
export const sentAtOnce = 10_000;
/** The most exports that one person may have waiting. */
export const mostWaiting = 5;
/** Days for which an export may be downloaded. */
export const keptDays = 7;

export const exportStates = { waiting: '排队中', running: '生成中', done: '已完成', failed: '未成功' } as const;
export type ExportState = keyof typeof exportStates;

export const tooManyWaiting = refusal(
  codes.tooMany,
  (most: number) => `您有 ${most} 个导出正在后台生成，请等其中一个完成，或在“我的导出”中取消不需要的`,
);
export const exportLater = (title: string, rows: number) =>
  `“${title}”共 ${rows} 行，正在后台生成，完成后会发消息给您，进度见“我的导出”`;

const ExportRow = z.object({
  id: z.number().int(),
  title: z.string().meta(field('导出内容')),
  state: z.enum(Object.keys(exportStates) as [ExportState]).meta(coded('状态', exportStates)),
  rows: z.number().int().meta(field('行数')),
  /** The number of rows written. */
  written: z.number().int(),
  /** The reason of a failure. */
  answer: z.string(),
  file: FileCard.nullable().meta(field('文件')),
  gmt_created: z.string().meta(field('申请时间')),
  /** The end of its download period. */
  kept_until: z.string().nullable().meta(field('保留至')),
  actions,
});
export type ExportRow = z.output<typeof ExportRow>;

export const exportCalls = {
  list: call({
    method: 'GET',
    path: '/api/export/',
    access: signedIn,
    summary: '我的导出',
    query: listQuery({ sort: ['gmt_created'] }),
    reply: listOf(ExportRow),
    fresh: true,
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/export/{id}/',
    access: signedIn,
    summary: '取消或删除导出',
    params: idParams,
    reply: done,
    message: '导出已取消',
  }),
};
