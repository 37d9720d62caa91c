import { z } from 'zod';
import { call, fileReply, signedIn, type ReplyOf } from '#kernel/contract/call.ts';
import { codeSet } from '#kernel/contract/codes.ts';
import { codesOf, id, idParams, timestamp } from '#kernel/contract/shapes.ts';
import { TextPart } from '#modules/office/documents/contract/revision.ts';
import { FileCard } from '#modules/platform/files/contract.ts';
import { TemplateVariable, TextValues } from './templates.ts';

export const textMode = codeSet({ template: [1, '示范文本'], own: [2, '自拟'], file: [3, '上传文件'] });

/** The text fields of a contract; absent ones stay as they are. */
export const textInput = {
  text_mode: codesOf(textMode.names).optional().meta({ title: '文本来源' }),
  /** A template version, from `tp/` or `template/{id}/html/`. */
  template_version_id: id.nullable().optional().meta({ title: '合同模板' }),
  content: z.string().max(100_000, '正文过长，请改为上传文件').optional().meta({ title: '合同正文' }),
  text_values: TextValues.optional().meta({ title: '变量' }),
  file: id.nullable().optional().meta({ title: '合同文件' }),
};
/** The text fields on a contract's page. */
export const textShape = {
  text_mode: z.number().int(),
  template_version_id: z.number().int().nullable(),
  template_name: z.string(),
  content: z.string(),
  text_values: TextValues,
  variables: z.array(TemplateVariable),
  text_version: z.number().int(),
  is_standard_text: z.boolean(),
};

const versionShape = z.object({
  no: z.number().int(),
  at: timestamp,
  who: z.string(),
  sha256: z.string(),
  standard: z.boolean(),
  locked_kept: z.boolean(),
  html: z.string(),
  file: FileCard.nullable(),
  /** The difference from the version before; empty for the first, and if one of the two is an unreadable file. */
  diff: z.array(TextPart),
});
export type TextVersion = z.output<typeof versionShape>;

/** The text of a contract, on screen and as PDF, for viewers of the contract. */
export const contractTexts = {
  html: call({
    method: 'GET',
    path: '/api/contract/{id}/html/',
    access: signedIn,
    summary: '查看合同正文',
    params: idParams,
    reply: z.object({
      html: z.string(),
      /** The uploaded file, with the text read from it and the parts that were not read; the file is authoritative. */
      file: z.object({ card: FileCard, words: z.string(), losses: z.array(z.string()) }).nullable(),
      /** `未生效` until it is signed, `作废` once it is void. */
      watermark: z.string(),
      text_version: z.number().int(),
      sha256: z.string(),
      unfilled: z.array(z.string()),
      standard: z.boolean(),
      /** The difference from its template; empty without one, or without differences. */
      template_diff: z.array(TextPart),
      /** The difference from the last sent text, while it is back with its author; empty without differences. */
      sent_diff: z.array(TextPart),
    }),
    fresh: true,
  }),
  pdf: call({
    method: 'GET',
    path: '/api/contract/{id}/pdf/',
    access: signedIn,
    summary: '合同 PDF',
    params: idParams,
    reply: fileReply,
    fresh: true,
  }),
  sheet: call({
    method: 'GET',
    path: '/api/contract/{id}/sheet/',
    access: signedIn,
    summary: '合同审批单',
    params: idParams,
    reply: fileReply,
    fresh: true,
  }),
  versions: call({
    method: 'GET',
    path: '/api/contract/{id}/versions/',
    access: signedIn,
    summary: '合同文本版本',
    params: idParams,
    reply: z.array(versionShape),
    fresh: true,
  }),
  qrcode: call({
    method: 'GET',
    path: '/api/contract/qrcode/',
    access: signedIn,
    summary: '合同二维码',
    query: z.object({ contract_id: id }),
    /** `image` is a PNG as a `data:` address. */
    reply: z.object({ url: z.string(), verify_code: z.string(), image: z.string() }),
  }),
};
export type ContractHtml = ReplyOf<typeof contractTexts.html>;
