import { invalid, type Refusal } from '#kernel/contract/refusal.ts';
import { bodyKinds } from '../contract/files/body.ts';
import { longestBody } from '../contract/shapes.ts';
import { mostPages } from './pdf-text.ts';

const because =
  (say: (name: string) => string) =>
  (name: string, field = 'body_file'): Refusal =>
    invalid([{ field, label: '正文文件', msg: say(name) }]);

export const otherKindOfBody = because(
  (name) => `正文只接受 ${bodyKinds.join('、')} 文件，“${name}”不是；其他文件请作为附件上传`,
);
export const noOffice = because(
  (name) => `“${name}”须由服务器上的办公软件转换，而服务器没有安装；请另存为 docx 或 pdf 后上传`,
);
export const notRead = because((name) => `“${name}”读不出来，可能已损坏；请用办公软件打开，另存为 docx 或 pdf 后上传`);
export const lockedBody = because((name) => `“${name}”设有密码或使用限制，不能套红头；请去掉后再上传`);
export const tooBigBody = because(
  (name) =>
    `“${name}”过大，不能作为正文：最多 ${mostPages} 页，解开后最多 64 MB；请拆分，或作为附件上传。文件并不大的，是服务器正忙没有读完，请稍后再上传`,
);
export const tooLongBody = because((name) => `“${name}”的文字超过 ${longestBody} 个字，请把长表格放进附件`);
export const emptyBody = because((name) => `“${name}”里没有文字和图片，请检查后重新上传`);
