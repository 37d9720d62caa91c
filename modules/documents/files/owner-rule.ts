import type { OwnerRule } from '#modules/files/service.ts';
import { docs, recordModule } from '../record/record.ts';
import { isSecret, seesFile } from '../visibility/visibility.ts';

/** Files of documents, which editors of other houses hold as well. */
export const documentFilesRule: OwnerRule = {
  ...docs.owners[recordModule]!,
  alwaysMarked: (recordId, tx) => isSecret(tx, 'document', Number(recordId)),
  may: seesFile,
};
