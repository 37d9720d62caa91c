import { z } from 'zod';
import { call, grant } from '#kernel/contract/call.ts';

const Part = z.record(z.string(), z.unknown());
/** One call; `x-access` is its contract's access rule. */
export const Operation = z.looseObject({
  operationId: z.string().optional(),
  tags: z.array(z.string()),
  summary: z.string(),
  description: z.string(),
  parameters: z.array(Part),
  requestBody: Part.optional(),
  responses: Part,
});
export type Operation = z.output<typeof Operation>;

export const docs = {
  openapi: call({
    method: 'GET',
    path: '/api/docs/',
    access: grant('Retrieve', 'system/docs'),
    summary: '查看接口文档',
    reply: z.looseObject({
      openapi: z.string(),
      info: z.object({ title: z.string(), version: z.string() }),
      paths: z.record(z.string(), z.record(z.string(), Operation)),
    }),
  }),
};
