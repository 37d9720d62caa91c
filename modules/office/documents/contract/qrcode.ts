import { z } from 'zod';
import { call, signedIn } from '#kernel/contract/call.ts';
import { codes, refusal } from '#kernel/contract/refusal.ts';
import { id } from '#kernel/contract/shapes.ts';

export const noCodeYet = refusal(codes.notNow, () => '公文提交之后才有核验码');
export const secretHasNoCode = refusal(codes.refused, () => '涉密公文不提供核验码');
export const noPublicAddress = refusal(codes.refused, () => '系统还没有设置对外网址，请管理员设置 PUBLIC_URL');

export const documentCode = {
  qrcode: call({
    method: 'GET',
    path: '/api/document/qrcode/',
    access: signedIn,
    summary: '公文二维码',
    query: z.object({ document_id: id }),
    /** `image` is a PNG as a `data:` address. */
    reply: z.object({ url: z.string(), verify_code: z.string(), image: z.string() }),
  }),
};
