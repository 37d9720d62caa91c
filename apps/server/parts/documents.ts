import { fileKinds } from '#kernel/contract/upload.ts';
import { documentArchiveModule } from '#modules/documents/archive/server.ts';
import { bodyTask } from '#modules/documents/bodies/known.ts';
import { finalTask } from '#modules/documents/typeset/final.ts';
import { documentEditsModule } from '#modules/documents/edits/server.ts';
import { documentRecordsModule } from '#modules/documents/records/server.ts';
import { menus, seedDocuments } from '#modules/documents/seed.ts';
import { documentsModule } from '#modules/documents/server.ts';
import { documentAdoptionModule } from '#modules/documents/files/adopt.ts';
import { documentFilesModule } from '#modules/documents/files/server.ts';
import { documentLayoutModule } from '#modules/documents/typeset/server.ts';
import { documentCodeModule } from '#modules/documents/verify/qrcode.ts';
import { documentBodiesModule } from '#modules/documents/bodies/server.ts';
import { documentCategoryModule } from '#modules/documents/categories/categories.ts';
import { documentSettingsModule } from '#modules/documents/numbers/server.ts';
import {
  documentRecords,
  isSecret,
  linkedDocuments,
  packageModule,
  packingTask,
  seesFile,
  seesPackage,
  verifiedDocuments,
} from '#modules/documents/service.ts';
import { documentStatisticsModule } from '#modules/documents/statistics/server.ts';
import type { OwnerRule } from '#modules/files/service.ts';
import { letterheadsModule } from '#modules/letterheads/server.ts';
import { wopiModule } from '#modules/wopi/server.ts';
import type { Part } from '../part.ts';
import { productVersion } from '../product.ts';

/** Files of documents, which editors of other houses hold as well. */
export const documentFilesRule: OwnerRule = {
  kinds: fileKinds,
  imageSize: 2560,
  marked: true,
  alwaysMarked: (recordId, tx) => isSecret(tx, 'document', Number(recordId)),
  may: seesFile,
};

export const documentsPart: Part = {
  menus,
  seed: seedDocuments,
  servers: (services) => [
    documentsModule(services),
    documentCategoryModule,
    documentSettingsModule,
    documentRecordsModule(services),
    documentArchiveModule,
    documentBodiesModule(services),
    documentEditsModule,
    documentCodeModule(services),
    documentLayoutModule(services),
    letterheadsModule,
    documentAdoptionModule(services),
    documentStatisticsModule,
    documentFilesModule(services),
    wopiModule(services.hosting),
  ],
  tasks: (services) => [packingTask({ ...services, version: productVersion }), finalTask(services), bodyTask(services)],
  owners: { documents: documentFilesRule, [packageModule]: { kinds: [], imageSize: 0, may: seesPackage } },
  records: { documents: documentRecords },
  linked: { documents: linkedDocuments },
  verified: { documents: verifiedDocuments },
};
