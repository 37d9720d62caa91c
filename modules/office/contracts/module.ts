import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { packingTask } from './archive/packing.ts';
import { stage } from './contract/codes.ts';
import { contractLeaves, originalLeaves } from './ledger/handover.ts';
import { contractFeeds, contractSchedules, contractTasks, contractWaits } from './jobs/jobs.ts';
import { contractNews } from './record/news.ts';
import { sealedContracts } from './register/sealing.ts';
import { contracts as records } from './record/record.ts';
import { menus, seedContracts } from './seed.ts';
import { contractModules } from './server.ts';
import { finalTask } from './texts/final.ts';
import { verifiedContracts } from './texts/verified.ts';

export const contracts: ModuleDefinition = {
  logNames: { contracts: '合同' },
  news: [contractNews],
  menus,
  grants: {
    xld: 'contract/manage:Retrieve contract/statistics:Retrieve',
    dept_ld: 'contract/manage:Retrieve contract/list:Retrieve,chuli',
    dept_fzr: 'contract/list:Create,Retrieve,Update,Delete,chuli contract/performance:Retrieve',
    staff: 'contract/list:Create,Retrieve,Update,Delete,chuli',
    contract_manager: 'contract/*:*',
    legal: 'contract/list:Retrieve,chuli contract/template:Retrieve contract/manage:Retrieve contract/party:Retrieve',
    finance:
      'contract/performance:Retrieve,daochu contract/manage:Retrieve,chuli contract/statistics:Retrieve contract/party:Retrieve',
  },
  seed: seedContracts,
  servers: contractModules,
  tasks: (services) => [...contractTasks(services.databases), finalTask(services), packingTask(services)],
  schedules: contractSchedules,
  feeds: contractFeeds,
  inDepts: {
    份未归档的合同: (id) =>
      sql`select count(*) from contract where ${id} in (dept_id, manage_dept) and stage not in (${inSql(stage.archived, stage.void)})`,
    个归口管理的合同类别: (id) => sql`select count(*) from contract_category where manage_dept = ${id}`,
  },
  waits: [contractWaits],
  leaves: [contractLeaves, originalLeaves],
  stampable: { contracts: sealedContracts },
  verified: { contracts: verifiedContracts },
  ...records.brings,
  demos: [
    { order: 80, load: async () => (await import('./demo/demo.ts')).addDemoContracts },
    { order: 90, load: async () => (await import('./demo/sealed.ts')).addSealedContract },
  ],
};
