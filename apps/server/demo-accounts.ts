import { hash } from '@node-rs/argon2';
import { eq } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { settingTable } from '#kernel/server/db/tables.ts';
import { isPublic, StartupError, type Config } from '#kernel/server/process/config.ts';
import { countWithPassword } from '#modules/platform/people/demo.ts';

export const demoPassword = 'Gongdan@2026';
/** A clerk, a head of department, a leader in charge, a repair worker. */
export const demoAccounts = [
  'qin.haoyu（职员）',
  'song.mingjie（部门负责人）',
  'liu.hanlin（分管领导）',
  'jia.shunli（维修）',
];
const marker = 'demo';

/** Marks the database as holding the demonstration; returns the password hash that its accounts share. */
export async function markDemo(tx: Db): Promise<string> {
  const password = await hash(demoPassword);
  await tx.insert(settingTable).values({ key: marker, value: { password } });
  return password;
}

/** The password hash that all demo accounts share; null in a database without the demonstration. */
export async function demoPasswordHash(tx: Db): Promise<string | null> {
  const [row] = await tx.select().from(settingTable).where(eq(settingTable.key, marker));
  return typeof row?.value['password'] === 'string' ? row.value['password'] : null;
}

/** Throws if people from outside could sign in with the published password. */
export async function refusePublicDemo(tx: Db, config: Pick<Config, 'host' | 'publicUrl'>): Promise<void> {
  if (!isPublic(config)) return;
  const passwordHash = await demoPasswordHash(tx);
  const count = passwordHash === null ? 0 : await countWithPassword(tx, passwordHash);
  if (count > 0)
    throw new StartupError(
      `数据库里有 ${count} 个演示账号，密码是公开的，不能在对外地址（HOST=${config.host}）上启动：请停用这些账号或重设它们的密码，或换一个没有演示数据的数据库。`,
    );
}
