import { sql } from 'drizzle-orm';
import { namedRows } from '#kernel/server/db/db.ts';
import type { SetupStep } from '#kernel/server/setup.ts';

/** The first workflow that the organisation published itself; those that come with the product have no publisher. */
export const workflowSteps: readonly SetupStep[] = [
  {
    key: 'workflow',
    order: 80,
    title: '第一个流程',
    help: '从模板里选一个流程（如请假、报销），按本单位的办法修改后发布',
    at: { page: 'workflow/list', code: 'Create', path: '/ticket/workflow' },
    async find(tx) {
      const [row] = await namedRows<{ n: number }>(
        tx,
        sql`select count(distinct workflow_id)::int n from workflow_version where published_by is not null`,
      );
      return { done: row!.n > 0, text: row!.n > 0 ? `已发布 ${row!.n} 个` : '' };
    },
  },
];
