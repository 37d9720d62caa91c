import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db.ts';
import { searchVector } from '#kernel/server/search.ts';
import { superRole } from '#modules/access/service.ts';
import { roleTable } from '#modules/access/tables.ts';
import { userRoleTable, userTable } from './tables.ts';

export async function hasPeople(tx: Db): Promise<boolean> {
  return (await tx.select({ id: userTable.id }).from(userTable).limit(1)).length > 0;
}

/** The first super administrator, `admin`. */
export async function addFirstAdmin(tx: Db, passwordHash: string, mustChangePassword: boolean): Promise<void> {
  const [admin] = await tx
    .insert(userTable)
    .values({
      username: 'admin',
      alias: '系统管理员',
      password: passwordHash,
      mustChangePassword,
      type: 2,
      search: searchVector({ texts: [], names: ['系统管理员'], codes: ['admin'] }),
    })
    .returning({ id: userTable.id });
  const [role] = await tx.select().from(roleTable).where(eq(roleTable.code, superRole));
  if (admin && role) await tx.insert(userRoleTable).values({ userId: admin.id, roleId: role.id });
}
