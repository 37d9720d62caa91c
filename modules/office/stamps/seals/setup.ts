import { sql } from 'drizzle-orm';
import { namedRows } from '#kernel/server/db/db.ts';
import type { SetupStep } from '#kernel/server/setup.ts';

/** The seals that the organisation lends out and uses. */
export const sealSteps: readonly SetupStep[] = [
  {
    key: 'seals',
    order: 65,
    title: '印章',
    help: '登记印章、保管人和监印人，用印才能申请',
    at: { page: 'stamp/list', code: 'Create', path: '/stamp/list' },
    async find(tx) {
      const [row] = await namedRows<{ n: number }>(tx, sql`select count(*)::int n from stamp`);
      return { done: row!.n > 0, text: row!.n > 0 ? `${row!.n} 枚` : '' };
    },
  },
];
