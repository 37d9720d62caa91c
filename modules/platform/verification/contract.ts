import { z } from 'zod';
import { call, everyone, fileReply } from '#kernel/contract/call.ts';

export const mostChecked = 100 * 2 ** 20;
const path = '/api/verify/{code}/';
const params = z.object({ code: z.string() });

/** Pages for holders of a printed record: whether it is known here, and whether a file is identical. No sign-in; bytes instead of an envelope. */
export const verification = {
  page: call({
    method: 'GET',
    path,
    access: everyone,
    summary: '验证页',
    params,
    reply: fileReply,
    fresh: true,
  }),
  check: call({
    method: 'POST',
    path,
    access: everyone,
    summary: '核对文件',
    params,
    upload: mostChecked,
    stream: 'file',
    reply: fileReply,
    quiet: true,
  }),
};
