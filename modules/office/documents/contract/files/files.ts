import { z } from 'zod';
import { call, signedIn, signedInOrToken } from '#kernel/contract/call.ts';
import { actions, flag, id, idParams, line, timestamp } from '#kernel/contract/shapes.ts';
import { FileCard, maxUpload } from '#modules/platform/files/contract.ts';
import { PersonInfo } from '#modules/workflow/tickets/contract/shapes.ts';

const int = z.number().int();
const reason = line(200).default('').meta({ title: '修改说明' });
/** The version the change is based on; if there is a newer one, the change is refused. */
const versionNo = z.coerce.number().int().min(1).max(1_000_000).optional().meta({ title: '所据版本' });

export const FileVersion = z.object({
  version_no: int,
  file: FileCard,
  editor: z.string(),
  editor_info: PersonInfo,
  reason: z.string(),
  sha256: z.string(),
  gmt_created: timestamp,
});
export type FileVersion = z.output<typeof FileVersion>;

/** The body file or an attachment of a document, with all its versions, the newest first. */
export const DocumentFile = z.object({
  id: int,
  kind: z.enum(['body', 'attachment']),
  name: z.string(),
  file: FileCard,
  version_no: int,
  /** Empty if the reader only received the document. */
  versions: z.array(FileVersion),
  removed_at: timestamp.nullable(),
  lock: z.object({ by: z.string(), by_info: PersonInfo, until: timestamp, mine: z.boolean() }).nullable(),
  /** `upload` a new version, `open` it in the editor, `edit` it there. */
  actions,
});
export type DocumentFile = z.output<typeof DocumentFile>;
const Saved = z.object({ value: FileVersion });
const fileWopi = '/api/document/file_wopi/{id}/';

export const documentFiles = {
  attachments: call({
    method: 'GET',
    path: '/api/document/attachment/',
    access: signedIn,
    summary: '公文的附件与版本',
    query: z.object({ document_id: id }),
    reply: z.object({
      value: z.array(DocumentFile),
      total: int,
      /** True if it was changed after the signature, so that the signer must see it again. */
      changed_since_signing: z.boolean(),
    }),
    fresh: true,
  }),
  addVersion: call({
    method: 'POST',
    path: '/api/document/attachment/',
    access: signedIn,
    summary: '上传公文文件的新版本',
    body: z.object({
      id: id.meta({ title: '公文文件' }),
      file: id.meta({ title: '文件' }),
      reason,
      version_no: versionNo,
    }),
    reply: Saved,
    message: '已保存为新版本',
  }),
  restoreVersion: call({
    method: 'POST',
    path: '/api/document/attachment/{id}/restore/',
    access: signedIn,
    summary: '恢复公文文件的较早版本',
    params: idParams,
    body: z.object({
      restored_no: z.number().int().min(1).max(1_000_000).meta({ title: '要恢复的版本' }),
      version_no: versionNo,
    }),
    reply: Saved,
    message: '已恢复为新版本',
  }),
  open: call({
    method: 'GET',
    path: fileWopi,
    access: signedInOrToken,
    summary: '在线打开公文文件',
    params: idParams,
    query: z.object({ access_token: z.string().max(2000).optional(), view: flag.optional() }),
    reply: z.object({
      /** Empty if no editor is set up, or it cannot open this file; `editor_note` may give the reason. */
      editor_url: z.string(),
      editor_note: z.string(),
      /** Empty if there is no editor for it. */
      access_token: z.string(),
      /** The end of the token, in milliseconds since 1970; 0 without one. */
      access_token_ttl: int,
      may_write: z.boolean(),
      file: FileCard,
    }),
    fresh: true,
  }),
  release: call({
    method: 'DELETE',
    path: fileWopi,
    access: signedIn,
    summary: '结束公文文件的在线编辑',
    params: idParams,
    reply: z.object({ id: int }),
    message: '已结束',
  }),
  save: call({
    method: 'POST',
    path: fileWopi,
    access: signedInOrToken,
    summary: '保存公文文件的新版本',
    params: idParams,
    query: z.object({ access_token: z.string().max(2000).optional(), reason, version_no: versionNo }),
    reply: Saved,
    message: '已保存为新版本',
    upload: maxUpload,
    stream: 'body',
  }),
};
