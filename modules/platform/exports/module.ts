import { and, eq } from 'drizzle-orm';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { ModuleDefinition } from '#kernel/server/product.ts';
import { exportNews, exportTask } from './making.ts';
import { exportsModule } from './server.ts';
import { exportTable as e } from './tables.ts';

/** Exports with many rows, made in the background. */
export const exports: ModuleDefinition = {
  logNames: { exports: '后台导出' },
  news: [exportNews],
  servers: () => [exportsModule],
  tasks: (services) => [exportTask(services) as Task],
  owners: {
    exports: {
      kinds: [],
      imageSize: 0,
      may: async (viewer, { recordId }, tx) => {
        const own = and(eq(e.id, Number(recordId)), eq(e.user_id, viewer.id));
        return (await tx.select({ id: e.id }).from(e).where(own)).length > 0;
      },
    },
  },
};
