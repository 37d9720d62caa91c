import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { leaversTask } from './definition/leavers.ts';
import { workflowLeaves } from './definition/leaves.ts';
import { workflowPowers } from './definition/powers.ts';
import { workflowNews } from './scheduled/news.ts';
import { scheduleRunModule } from './scheduled/runs.ts';
import { scheduleModule } from './scheduled/schedules.ts';
import { scheduleLeaves, scheduleWaits } from './scheduled/waiting.ts';
import { menus, seedWorkflows } from './seed.ts';
import { workflowsModule } from './server.ts';
import { designModule } from './server/design.ts';
import { groupModule, groupOptionModule } from './server/groups.ts';
import { noticeModule, noticeTestModule } from './server/notices.ts';
import { partModule } from './server/parts.ts';
import { workflowSteps } from './definition/setup.ts';
import { releaseModule } from './server/release.ts';

export const workflows: ModuleDefinition = {
  logNames: { workflows: '流程' },
  menus,
  grants: {
    workflow_admin: 'workflow/*:*',
  },
  news: [workflowNews],
  seed: seedWorkflows,
  waits: [scheduleWaits],
  leaves: [workflowLeaves, scheduleLeaves],
  powers: workflowPowers,
  setup: workflowSteps,
  tasks: ({ databases }) => [leaversTask(databases) as Task],
  servers: () => [
    workflowsModule,
    partModule,
    releaseModule,
    noticeModule,
    noticeTestModule,
    groupModule,
    groupOptionModule,
    designModule,
    scheduleModule,
    scheduleRunModule,
  ],
};
