import { z } from 'zod';
import { byProtocol, call, protocolReply } from '#kernel/contract/call.ts';
import { idParams } from '#kernel/contract/shapes.ts';
import { maxUpload } from '#modules/platform/files/contract.ts';

export const accessToken = z.string().max(2000);
const asked = { access: byProtocol('wopi'), params: idParams, query: z.object({ access_token: accessToken }) };
export const filePath = '/api/wopi/files/{id}/';

/** An editor's calls on a file, with the protocol's own names. */
export const wopi = {
  checkFileInfo: call({
    ...asked,
    method: 'GET',
    path: filePath,
    summary: '在线编辑：文件信息',
    reply: protocolReply,
    fresh: true,
  }),
  operate: call({
    ...asked,
    method: 'POST',
    path: filePath,
    summary: '在线编辑：锁定、改名与另存',
    reply: protocolReply,
    upload: maxUpload,
    stream: 'body',
  }),
  getFile: call({
    ...asked,
    method: 'GET',
    path: `${filePath}contents/`,
    summary: '在线编辑：取文件',
    reply: protocolReply,
    fresh: true,
  }),
  putFile: call({
    ...asked,
    method: 'POST',
    path: `${filePath}contents/`,
    summary: '在线编辑：保存文件',
    reply: protocolReply,
    upload: maxUpload,
    stream: 'body',
  }),
};
