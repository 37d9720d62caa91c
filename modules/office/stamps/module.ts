import { sql } from 'drizzle-orm';
import { inSql } from '#kernel/server/db/columns.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { confirmWaits, extensionWaits, sealingWaits, stampFeeds } from './application/brings.ts';
import { applications, owners } from './application/record.ts';
import { applicationModule } from './application/server.ts';
import { stampStatus } from './contract/seal-codes.ts';
import { custodySchedules, custodyTask } from './custody/jobs.ts';
import { leftTask } from './custody/left.ts';
import { sealLeaves } from './custody/leaves.ts';
import { custodyWaits } from './custody/list.ts';
import { applicationSchedules, applicationTasks } from './desk/tasks.ts';
import { pictureModule } from './ledger/record.ts';
import { applicationsName, verifiedSealing } from './ledger/verified.ts';
import { sealNews, stampNews } from './notify.ts';
import { alertWaits } from './oversight/alerts.ts';
import { menus, seedStamps } from './seed.ts';
import { pictureOwner } from './seals/owner.ts';
import { sealSteps } from './seals/setup.ts';
import { sealModules } from './server.ts';

export const stamps: ModuleDefinition = {
  logNames: { stamps: '用印' },
  news: [stampNews, sealNews],
  menus,
  grants: {
    office_admin: 'stamp/ledger:* stamp/scan:* stamp/list:*',
    xld: 'stamp/application:Retrieve,chuli',
    dept_ld: 'stamp/application:Retrieve,chuli',
    dept_fzr: 'stamp/application:Create,Retrieve,Update,Delete,chuli',
    staff: 'stamp/application:Create,Retrieve,Update,Delete,chuli stamp/scan:Retrieve',
    seal_keeper: 'stamp/desk:* stamp/list:Retrieve stamp/ledger:Retrieve,daochu stamp/scan:Retrieve',
    seal_auditor: 'stamp/ledger:Retrieve,daochu stamp/list:Retrieve stamp/statistics:*',
  },
  seed: seedStamps,
  servers: (services) => [...sealModules(services), applicationModule(services)],
  tasks: (services) => [custodyTask(services), leftTask(services.databases), ...applicationTasks(services.databases)],
  schedules: [...custodySchedules, ...applicationSchedules],
  records: applications.brings.records,
  linked: applications.brings.linked,
  started: applications.brings.started,
  owners: { ...owners, [pictureModule]: pictureOwner },
  inDepts: {
    枚印章: (id) => sql`select count(*) from stamp where dept_id = ${id} and status <> ${inSql(stampStatus.destroyed)}`,
    枚限其使用的印章: (id) =>
      sql`select count(*) from stamp_dept d join stamp s on s.id = d.stamp_id where d.dept_id = ${id} and s.status <> ${inSql(stampStatus.destroyed)}`,
  },
  waits: [sealingWaits, confirmWaits, extensionWaits, custodyWaits, alertWaits],
  leaves: [sealLeaves],
  setup: sealSteps,
  feeds: stampFeeds,
  verified: { [applicationsName]: verifiedSealing },
  demos: [
    { order: 40, load: async () => (await import('./demo/seals.ts')).addDemoSeals },
    { order: 110, load: async () => (await import('./demo/applications.ts')).addDemoApplications },
  ],
};
