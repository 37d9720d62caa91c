import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { documentArchiveModule } from './archive/server.ts';
import { bodyTask } from './bodies/known.ts';
import { documentBodiesModule } from './bodies/server.ts';
import { documentCategoryModule } from './categories/categories.ts';
import { documentRulesModule, documentSettingsModule, numberRulesModule } from './numbers/server.ts';
import { numberSteps } from './numbers/setup.ts';
import { documentEditsModule } from './edits/server.ts';
import { documentExchangeModule } from './exchange/server.ts';
import { documentAdoptionModule } from './files/adopt.ts';
import { documentFilesModule } from './files/server.ts';
import { documentMarksModule } from './marks/server.ts';
import { draftDocument } from './record/draft.ts';
import { documentRecordsModule } from './records/server.ts';
import { menus, seedDocuments } from './seed.ts';
import { documentsModule } from './server.ts';
import {
  docs,
  documentFilesRule,
  isSecret,
  packageModule,
  packingTask,
  seesPackage,
  verifiedDocuments,
} from './service.ts';
import { documentStatisticsModule } from './statistics/server.ts';
import { finalTask } from './typeset/final.ts';
import { documentLayoutModule } from './typeset/server.ts';
import { documentNews } from './urging/urging.ts';
import { sealedDocuments } from './verify/sealing.ts';
import { documentCodeModule } from './verify/qrcode.ts';

export const documents: ModuleDefinition = {
  logNames: { documents: '公文' },
  news: [documentNews],
  menus,
  grants: {
    office_admin: 'document/*:*',
    xld: 'document/list:Retrieve,chuli document/statistics:Retrieve',
    dept_ld: 'document/list:Retrieve,chuli',
    dept_fzr: 'document/list:Create,Retrieve,Update,Delete,chuli',
    secretary:
      'document/list:Create,Retrieve,Update,Delete,chuli document/register:Create,Retrieve document/exchange:Create,Retrieve,Update',
    staff: 'document/list:Create,Retrieve,Update,Delete,chuli document/collect:Retrieve',
  },
  seed: seedDocuments,
  servers: () => [
    documentsModule,
    documentCategoryModule,
    documentSettingsModule,
    numberRulesModule,
    documentRulesModule,
    documentRecordsModule,
    documentArchiveModule,
    documentBodiesModule,
    documentEditsModule,
    documentCodeModule,
    documentLayoutModule,
    documentMarksModule,
    documentExchangeModule,
    documentAdoptionModule,
    documentStatisticsModule,
    documentFilesModule,
  ],
  tasks: (services) => [packingTask(services), finalTask(services), bodyTask(services)],
  setup: numberSteps,
  draftDocument,
  ...docs.brings,
  owners: { documents: documentFilesRule, [packageModule]: { kinds: [], imageSize: 0, may: seesPackage } },
  inDepts: {
    份主办的在办公文: (id) =>
      sql`select count(*) from document where lead_dept = ${id} and not is_deleted and act_state not in (${inSql(actState.finished, actState.closed)})`,
  },
  secretTickets: [(tx, ticket) => isSecret(tx, 'ticket', ticket)],
  stampable: { documents: sealedDocuments },
  verified: { documents: verifiedDocuments },
};
