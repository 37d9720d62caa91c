import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { noticeNews } from './publishing.ts';
import { menus } from './seed.ts';
import { noticesModule } from './server.ts';
import { documentNoticeTask } from './tasks.ts';
import { noticeWaits } from './waiting.ts';

export const notices: ModuleDefinition = {
  logNames: { notices: '公文通知' },
  news: [noticeNews],
  menus,
  grants: {
    staff: 'document/notice:Retrieve',
  },
  servers: () => [noticesModule],
  tasks: ({ databases }) => [documentNoticeTask(databases) as Task],
  waits: [noticeWaits],
};
