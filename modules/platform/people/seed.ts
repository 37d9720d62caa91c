import type { Db } from '#kernel/server/db/db.ts';
import type { MenuSeed } from '#modules/platform/access/seed.ts';
import { roleByCode, superRole } from '#modules/platform/access/service.ts';
import { userType } from './contract/codes.ts';
import { personWords } from './service/words.ts';
import { userRoleTable, userTable } from './tables.ts';

export const menus: MenuSeed[] = [
  {
    key: 'address',
    title: '通讯录',
    path: '/address',
    icon: 'BookOutlined',
    order: 800,
    codes: ['Retrieve', 'daochu'],
  },
  {
    key: 'system/dept',
    parent: 'system',
    title: '部门管理',
    path: 'dept',
    icon: 'ClusterOutlined',
    order: 910,
    codes: ['Create', 'Retrieve', 'Update', 'Delete'],
  },
  {
    key: 'system/user',
    parent: 'system',
    title: '用户管理',
    path: 'user',
    icon: 'UserOutlined',
    order: 920,
    codes: ['Create', 'Retrieve', 'Update', 'Delete', 'daochu'],
  },
  {
    // Belongs to `accounts`, which has no seeds.
    key: 'system/online',
    parent: 'system',
    title: '在线用户',
    path: 'online',
    icon: 'IdcardOutlined',
    order: 925,
    codes: ['Retrieve', 'Delete', 'daochu'],
  },
];

export async function hasPeople(tx: Db): Promise<boolean> {
  return (await tx.select({ id: userTable.id }).from(userTable).limit(1)).length > 0;
}

export const firstAdminName = 'admin';
/** The first super administrator. */
export const addFirstAdmin = (tx: Db, passwordHash: string, mustChangePassword: boolean): Promise<void> =>
  addAdmin(tx, {
    username: firstAdminName,
    alias: '系统管理员',
    password: passwordHash,
    must_change_pwd: mustChangePassword,
  });

/** A super administrator. */
export async function addAdmin(
  tx: Db,
  person: Pick<typeof userTable.$inferInsert, 'username' | 'alias' | 'password' | 'must_change_pwd'>,
): Promise<void> {
  const [admin] = await tx
    .insert(userTable)
    .values({ ...person, type_id: userType.superAdmin, ...personWords(person) })
    .returning({ id: userTable.id });
  const role = await roleByCode(tx, superRole);
  if (admin && role) await tx.insert(userRoleTable).values({ user_id: admin.id, role_id: role.id });
}
