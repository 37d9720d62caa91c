import { sql } from 'drizzle-orm';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { dutyModule } from './server.ts';
import { dutyFeeds, dutyLeaves, dutyWaits } from './server/brings.ts';
import { dutyFiles, dutyLinks } from './server/linked.ts';
import { dutyNews, dutySchedules, dutyTasks } from './server/told.ts';
import { dutyBusy, onDuty } from './service.ts';

/** Duty rosters: plans, fair rosters, swaps by consent, the log and its hand-over. */
export const duty: ModuleDefinition = {
  logNames: { duty: '值班' },
  grants: {
    secretary: 'leader/duty:Create,Retrieve,Update',
  },
  news: [dutyNews],
  menus: [
    {
      key: 'leader/duty',
      parent: 'leader',
      title: '值班安排',
      path: 'duty',
      icon: 'SafetyOutlined',
      order: 573,
      codes: ['Create', 'Retrieve', 'Update', 'Delete', 'daochu'],
    },
    {
      key: 'leader/duty/detail',
      parent: 'leader/duty',
      title: '值班详情',
      path: 'detail/:id',
      icon: '',
      order: 574,
      visible: false,
    },
  ],
  servers: () => [dutyModule],
  tasks: (services) => dutyTasks(services.databases),
  schedules: dutySchedules,
  owners: { duty: dutyFiles },
  linked: { duty: dutyLinks },
  inDepts: {
    个值班方案: (id) => sql`select count(*) from duty_plan where dept_id = ${id} and not is_deleted`,
  },
  waits: dutyWaits,
  leaves: dutyLeaves,
  feeds: dutyFeeds,
  onDuty,
  busy: { duty: dutyBusy },
  demos: [{ order: 130, load: async () => (await import('./demo.ts')).addDemoDuty }],
};
