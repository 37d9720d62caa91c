import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';
import { done, idParams, line, listOf, listQuery, name, text, version } from '#kernel/contract/shapes.ts';

export const Stamp = z.object({ id: z.number(), name: z.string(), count: z.number() });

/** Calls of a small noun for the tests of the kit. */
export const stamps = {
  list: call({
    method: 'GET',
    path: '/api/stamp/',
    access: grant('Retrieve', 'stamp/list'),
    summary: '印章列表',
    query: listQuery({ sort: ['count'], filters: { state: line(10).optional(), category: line(10).optional() } }),
    reply: listOf(Stamp),
    exports: { page: 'stamp/list', title: '印章', columns: [{ key: 'name', title: '名称' }] },
  }),
  create: call({
    method: 'POST',
    path: '/api/stamp/',
    access: grant('Create', 'stamp/list'),
    summary: '登记印章',
    body: z.object({
      name: name(10),
      count: z.coerce.number().int().min(1).max(9),
      note: text(500).optional(),
      version,
    }),
    reply: done,
    message: '印章已登记',
  }),
  remove: call({
    method: 'DELETE',
    path: '/api/stamp/{id}/',
    access: grant('Delete', 'stamp/list'),
    summary: '删除印章',
    params: idParams,
    reply: done,
  }),
  upload: call({
    method: 'POST',
    path: '/api/stamp/picture/',
    access: grant('Create', 'stamp/list'),
    summary: '上传印模',
    reply: done,
    upload: 1000,
  }),
};
