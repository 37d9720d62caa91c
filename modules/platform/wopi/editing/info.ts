import type { Viewer } from '#kernel/server/access/viewer.ts';
import { lastModified, type Held } from './held.ts';
import { longestName } from './names.ts';
import type { Shown } from './showing.ts';

/** CheckFileInfo: the file, the person and their rights, with the protocol's names. */
export function infoOf(held: Held, user: Viewer, { shown, house }: { shown: Shown; house: string | null }) {
  const { name, size, ext, sha256, mayWrite } = shown;
  return {
    BaseFileName: name,
    OwnerId: String(held.ownerId),
    Size: size,
    UserId: String(user.id),
    Version: String(held.versionNo),
    FileExtension: `.${ext}`,
    SHA256: Buffer.from(sha256, 'hex').toString('base64'),
    LastModifiedTime: lastModified(held),
    UserFriendlyName: user.alias || user.username,
    IsAnonymousUser: false,
    UserCanWrite: mayWrite,
    ReadOnly: !mayWrite,
    UserCanNotWriteRelative: !mayWrite,
    UserCanRename: mayWrite,
    SupportsLocks: true,
    SupportsGetLock: true,
    SupportsExtendedLockLength: true,
    SupportsUpdate: true,
    SupportsRename: true,
    FileNameMaxLength: longestName,
    SupportsDeleteFile: false,
    BreadcrumbDocName: name,
    ClosePostMessage: true,
    ...(house === null ? {} : { PostMessageOrigin: house }),
  };
}
