import type { Viewer } from '#kernel/server/viewer.ts';
import type { Held } from './held.ts';

/** CheckFileInfo: the file, the person and what they may do with it, in the protocol's words. */
export function infoOf(held: Held, user: Viewer, { write, house }: { write: boolean; house: string | null }) {
  const { file } = held;
  const mayWrite = write && held.mayWrite;
  return {
    BaseFileName: file.name,
    OwnerId: String(held.ownerId),
    Size: file.size,
    UserId: String(user.id),
    Version: String(held.versionNo),
    FileExtension: `.${file.ext}`,
    SHA256: Buffer.from(file.sha256, 'hex').toString('base64'),
    LastModifiedTime: held.saved.toISOString(),
    UserFriendlyName: user.alias || user.username,
    IsAnonymousUser: false,
    UserCanWrite: mayWrite,
    ReadOnly: !mayWrite,
    UserCanNotWriteRelative: true,
    UserCanRename: false,
    SupportsLocks: true,
    SupportsGetLock: true,
    SupportsExtendedLockLength: true,
    SupportsUpdate: true,
    SupportsRename: false,
    SupportsDeleteFile: false,
    BreadcrumbDocName: file.name,
    ClosePostMessage: true,
    ...(house === null ? {} : { PostMessageOrigin: house }),
  };
}
