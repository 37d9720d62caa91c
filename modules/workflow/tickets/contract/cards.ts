import { z } from 'zod';
import { call, everyone, fileReply } from '#kernel/contract/call.ts';
import { id, text } from '#kernel/contract/shapes.ts';

const path = '/api/tickets/cards/{id}/{sign}/';
const params = z.object({ id, sign: z.string() });

/** Pages that cards link to, without scripts. Opening one decides nothing, because robots follow links. */
export const cardCalls = {
  cardPage: call({
    method: 'GET',
    path,
    access: everyone,
    summary: '卡片办理页',
    params,
    /** The button that was tapped. */
    query: z.object({ choose: z.string().optional() }),
    reply: fileReply,
    fresh: true,
  }),
  decideByCard: call({
    method: 'POST',
    path,
    access: everyone,
    summary: '从卡片办理',
    params,
    body: z.object({
      transition_id: id,
      suggestion: text(2000).default(''),
      /** Hash of the form as the page showed it. */
      seen_hash: z.string().regex(/^[0-9a-f]{64}$/),
    }),
    reply: fileReply,
    /** Only the page itself sends it. */
    writes: true,
    /** It writes its own log row, in the name of the person who decides. */
    quiet: true,
  }),
};
