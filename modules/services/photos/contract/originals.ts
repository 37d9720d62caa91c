import { z } from 'zod';
import { call, fileReply, grant, signedIn } from '#kernel/contract/call.ts';
import { actions, done, flag, idParams, line, listOf, listQuery, name, timestamp } from '#kernel/contract/shapes.ts';
import { choice, coded, field } from '#kernel/contract/titles.ts';
import { originalState } from './codes.ts';
import { act, int, one, path } from './shapes.ts';

export const Original = z.object({
  id: int,
  photo_id: int,
  title: z.string().meta(field('照片')),
  url: z.string().meta(field('缩略图')),
  user_name: z.string().meta(field('申请人')),
  purpose: z.string().meta(field('用途')),
  medium: z.string().meta(field('媒介')),
  state: int.meta(coded('状态', originalState.names)),
  answer: z.string(),
  used: int.meta(field('已下载')),
  allowed: int,
  expires_at: timestamp.nullable(),
  gmt_created: timestamp,
  actions,
});
export type Original = z.output<typeof Original>;

/** Requests for the original. */
export const originals = {
  list: call({
    method: 'GET',
    path: `${path}original/`,
    access: signedIn,
    summary: '原图申请',
    query: listQuery({
      sort: ['id'],
      filters: {
        /** Those I may decide; mine by default. */
        decide: flag.optional().meta(field('待我决定')),
        state: choice('状态', originalState.names).optional(),
      },
    }),
    reply: listOf(Original),
  }),
  ask: act('POST', 'original/', signedIn, '申请原图', {
    purpose: name(200).meta(field('用途', { kind: 'textarea' })),
    medium: line(50)
      .default('')
      .meta(field('使用媒介', { help: '如 校报、展板、公众号' })),
  }),
  decide: call({
    method: 'PUT',
    path: `${path}original/{id}/`,
    access: grant('chuli', 'photo/manage'),
    summary: '决定原图申请',
    params: idParams,
    body: z.object({ agree: flag.meta(field('同意')), answer: line(200).default('').meta(field('答复')) }),
    reply: done,
    message: '已决定',
  }),
  fetch: call({
    method: 'GET',
    path: `${one}original/`,
    access: signedIn,
    summary: '下载原图',
    params: idParams,
    reply: fileReply,
    writes: true,
  }),
};
