import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { done, flag, id, idParams, line, timestamp } from '#kernel/contract/shapes.ts';
import { Receipts } from '#modules/platform/people/contract/receipts.ts';
import { folderCategories } from './categories.ts';
import { Paper } from './list.ts';
import { Answers } from './papers.ts';

const int = z.number().int();
const Section = z.array(Paper);
const paper_id = id.meta({ title: '文件' });

export const readingCalls = {
  collect: call({
    method: 'POST',
    path: '/api/folder/collect/',
    access: signedIn,
    summary: '收藏制度文件',
    body: z.object({ paper_id }),
    reply: z.object({ id: int }),
    message: '已收藏',
    quiet: true,
  }),
  uncollect: call({
    method: 'DELETE',
    path: '/api/folder/collect/{id}/',
    access: signedIn,
    summary: '取消收藏',
    params: idParams,
    reply: done,
    message: '已取消收藏',
    quiet: true,
  }),
  index: call({
    method: 'GET',
    path: '/api/folder/index/',
    access: signedIn,
    summary: '制度首页',
    reply: z.object({
      categories: folderCategories.list.reply,
      latest: Section,
      hot: Section,
      must_read: Section,
      my_collect: Section,
    }),
  }),
  /** Records that I opened the paper; with `list` it returns the readers to those who manage it, and records nothing. */
  read: call({
    method: 'GET',
    path: '/api/folder/read/',
    access: signedIn,
    summary: '阅读制度文件',
    query: z.object({ paper_id: id, list: flag.optional() }),
    reply: z.object({
      times: int,
      first_time: timestamp.nullable(),
      confirmed_at: timestamp.nullable(),
      /** True if I must read it and have not confirmed it. */
      to_confirm: z.boolean(),
      /** `done` counts confirmations; `late` those who have not read it, or not confirmed it if it must be read. */
      readers: Receipts.nullable(),
    }),
    writes: true,
    quiet: true,
  }),
  answer: call({
    method: 'PUT',
    path: '/api/folder/read/',
    access: signedIn,
    summary: '确认已读或催读',
    /** `confirm`: I have read it; `urge`: those who manage it remind people who have not. */
    body: z.object({
      paper_id,
      confirm: z.literal(true).optional(),
      answers: Answers,
      urge: z.literal(true).optional(),
    }),
    reply: z.object({ count: int }),
    message: '已办理',
  }),
  simpleDepts: call({
    method: 'GET',
    path: '/api/folder/simple_depts/',
    access: signedIn,
    summary: '发布制度文件的部门',
    reply: z.array(z.object({ id: int, name: z.string(), count: int })),
  }),
  numbers: call({
    method: 'GET',
    path: '/api/folder/fwh/',
    access: signedIn,
    summary: '发文字号',
    query: z.object({
      search_value: line(60).default(''),
      /** `service_account`: articles of a bound service account; none is bound. */
      type: z.enum(['service_account']).optional(),
    }),
    reply: z.object({ value: z.array(z.object({ prefix: z.string(), years: z.array(int), count: int })) }),
  }),
};
