import { z } from 'zod';
import { call, grant, permissionCodes } from '#kernel/contract/call.ts';
import { id, idParams, line } from '#kernel/contract/shapes.ts';

const Page = z.object({
  id: z.number().int(),
  name: z.string(),
  component: z.string(),
  buttons: z.array(z.object({ name: z.string(), code: z.enum(permissionCodes) })),
});
const about = { access: grant('Retrieve', 'system/role') };

/** Explains why somebody can or cannot do something: evaluated by the deciding functions themselves, once for each of their roles. */
export const explainCalls = {
  things: call({
    ...about,
    method: 'GET',
    path: '/api/accounts/explain/',
    summary: '可说明权限的内容',
    /** `kinds`: modules whose records may be asked about. */
    reply: z.object({ pages: z.array(Page), kinds: z.array(z.object({ key: z.string(), name: z.string() })) }),
  }),
  records: call({
    ...about,
    method: 'GET',
    path: '/api/accounts/explain/records/',
    summary: '查找要说明权限的记录',
    query: z.object({ kind: line(30).meta({ title: '类别' }), words: line(50).default('').meta({ title: '关键字' }) }),
    reply: z.array(z.object({ id: z.number().int(), title: z.string(), sn: z.string() })),
  }),
  explain: call({
    ...about,
    method: 'GET',
    path: '/api/accounts/users/{id}/explain/',
    summary: '说明用户的权限',
    params: idParams,
    query: z.object({
      /** A page, one of its buttons, or a record. */
      menu: id.optional().meta({ title: '页面' }),
      code: z.enum(permissionCodes).optional().meta({ title: '按钮' }),
      kind: line(30).optional().meta({ title: '类别' }),
      record: id.optional().meta({ title: '记录' }),
    }),
    /** `reasons`: each alone is sufficient. `now`: for a record, what its state allows them and what not. */
    reply: z.object({
      allowed: z.boolean(),
      says: z.string(),
      reasons: z.array(z.string()),
      now: z.array(z.string()),
    }),
    fresh: true,
  }),
};
