import { sql } from 'drizzle-orm';
import { namedRows } from '#kernel/server/db/db.ts';
import type { SetupStep } from '#kernel/server/setup.ts';

/** Departments and people, as they come in from a sheet. */
export const peopleSteps: readonly SetupStep[] = [
  {
    key: 'depts',
    order: 20,
    title: '部门',
    help: '按本单位的机构新增部门，并指定负责人',
    at: { page: 'system/dept', code: 'Create', path: '/system/dept' },
    async find(tx) {
      const [row] = await namedRows<{ n: number }>(tx, sql`select count(*)::int n from dept where not is_deleted`);
      return { done: row!.n > 0, text: row!.n > 0 ? `${row!.n} 个部门` : '' };
    },
  },
  {
    key: 'people',
    order: 30,
    title: '人员',
    help: '在用户管理中从表格导入人员，再授予角色',
    at: { page: 'system/user', code: 'Create', path: '/system/user' },
    async find(tx) {
      const [row] = await namedRows<{ n: number }>(
        tx,
        sql`select count(*)::int n from app_user where is_active and not is_deleted`,
      );
      // The administrator of the first start is there from the beginning.
      return { done: row!.n > 1, text: row!.n > 1 ? `${row!.n} 人` : '' };
    },
  },
];
