import { workflowLeaves } from '#modules/workflows/definition/leaves.ts';
import { menus, seedWorkflows } from '#modules/workflows/seed.ts';
import { workflowsModule } from '#modules/workflows/server.ts';
import { designModule } from '#modules/workflows/server/design.ts';
import { noticeModule } from '#modules/workflows/server/notices.ts';
import { partModule } from '#modules/workflows/server/parts.ts';
import { releaseModule } from '#modules/workflows/server/release.ts';
import type { Part } from '../part.ts';

export const workflowsPart: Part = {
  menus,
  leaves: [workflowLeaves],
  seed: seedWorkflows,
  servers: (services) => [workflowsModule, partModule, releaseModule, noticeModule(services), designModule],
};
