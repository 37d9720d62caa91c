import { fileKinds } from '#kernel/contract/upload.ts';
import type { OwnerRule } from '#modules/files/service.ts';
import { isSecret, seesFile } from '../visibility/visibility.ts';

/** Files of documents, which editors of other houses hold as well. */
export const documentFilesRule: OwnerRule = {
  kinds: fileKinds,
  imageSize: 2560,
  marked: true,
  alwaysMarked: (recordId, tx) => isSecret(tx, 'document', Number(recordId)),
  may: seesFile,
};
