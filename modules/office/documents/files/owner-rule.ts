import type { OwnerRule } from '#modules/platform/files/service.ts';
import { docs, recordModule } from '../record/record.ts';
import { voided } from '../visibility/recipient-view.ts';
import { isSecret, isVoidPaper, seesFile } from '../visibility/visibility.ts';

/** Files of documents, which external editors may hold as well. */
export const documentFilesRule: OwnerRule = {
  ...docs.owners[recordModule]!,
  async alwaysMarked(recordId, tx, fileId) {
    const id = Number(recordId);
    return (await isVoidPaper(tx, id, fileId)) ? voided : isSecret(tx, 'document', id);
  },
  may: seesFile,
};
