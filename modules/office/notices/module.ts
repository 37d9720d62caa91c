import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { noticeNews } from './publishing.ts';
import { menus } from './seed.ts';
import { noticesModule } from './server.ts';
import { documentNoticeTask } from './tasks.ts';
import { noticeWaits } from './waiting.ts';

export const notices: ModuleDefinition = {
  news: [noticeNews],
  menus,
  servers: () => [noticesModule],
  tasks: ({ databases }) => [documentNoticeTask(databases) as Task],
  waits: [noticeWaits],
};
