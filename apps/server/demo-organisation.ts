import { hash } from '@node-rs/argon2';
import { eq, inArray, sql } from 'drizzle-orm';
import { chanceOf } from '#kernel/server/process/chance.ts';
import { isPublic, StartupError, type Config } from '#kernel/server/process/config.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { addDemoActivities } from '#modules/activities/demo.ts';
import { addDemoContracts } from '#modules/contracts/demo/demo.ts';
import { addSealedContract } from '#modules/contracts/demo/sealed.ts';
import { addDemoDuty } from '#modules/duty/demo.ts';
import { addDemoCustomers } from '#modules/customers/demo.ts';
import { addDemoPapers } from '#modules/folders/demo.ts';
import { addDemoMeetings } from '#modules/meetings/demo.ts';
import { addDemoRooms } from '#modules/rooms/demo.ts';
import { addDemoSchedules } from '#modules/leaders/demo.ts';
import { addDemoSchool, countWithPassword } from '#modules/people/demo.ts';
import { settingTable } from '#kernel/server/db/tables.ts';
import { addDemoOrders } from '#modules/orders/demo.ts';
import { addDemoPhotos } from '#modules/photos/demo.ts';
import { addDemoApplications } from '#modules/stamps/demo/applications.ts';
import { addDemoSeals } from '#modules/stamps/demo/seals.ts';
import { addDemoSupervision } from '#modules/supervision/demo/demo.ts';
import { addDemoTickets } from '#modules/tickets/demo/demo.ts';
import { workflowTable } from '#modules/workflows/tables.ts';
import { addDemoDocuments } from './demo-documents.ts';

export const demoPassword = 'Gongdan@2026';
/** A clerk, a head of department, a leader in charge, somebody who repairs. */
export const demoAccounts = [
  'qin.haoyu（职员）',
  'song.mingjie（部门负责人）',
  'liu.hanlin（分管领导）',
  'jia.shunli（维修）',
];
const marker = 'demo';
const weeksOfWork = 6;
const ticketsOfWork = 150;

/** A school with people and some weeks of work orders, on an empty database. */
export async function addDemoOrganisation(tx: Db, now: Date): Promise<void> {
  const passwordHash = await hash(demoPassword);
  await tx.insert(settingTable).values({ key: marker, value: { password: passwordHash } });
  await addDemoSchool(tx, passwordHash);
  await addDemoPapers(tx);
  await addDemoRooms(tx);
  await addDemoSeals(tx);
  await addDemoTickets(tx, {
    tickets: ticketsOfWork,
    weeks: weeksOfWork,
    now,
    chance: chanceOf(2026),
    ...(await demoWorkflows(tx)),
  });
  await addDemoDocuments(tx, now);
  await addDemoContracts(tx, now);
  await addSealedContract(tx, now);
  await addDemoCustomers(tx, now);
  await addDemoApplications(tx, now);
  await addDemoSchedules(tx, now);
  await addDemoDuty(tx, now);
  await addDemoSupervision(tx, now);
  await addDemoActivities(tx, now);
  await addDemoMeetings(tx, now);
  await addDemoOrders(tx, now);
  await addDemoPhotos(tx, now);
  // Nobody begins the day with messages about what was long ago.
  await tx.execute(sql`update msg_user set read_time = now() where read_time is null`);
}

/** Ids of the two workflows the demonstration runs on. */
export async function demoWorkflows(tx: Db): Promise<{ repair: number; leave: number }> {
  const rows = await tx
    .select()
    .from(workflowTable)
    .where(inArray(workflowTable.key, ['it_service', 'leave']));
  const idOf = (key: string) => {
    const found = rows.find((row) => row.key === key && !row.is_deleted);
    if (!found) throw new StartupError(`没有编码为 ${key} 的流程，不能生成演示数据。`);
    return found.id;
  };
  return { repair: idOf('it_service'), leave: idOf('leave') };
}

/** The hash all demo accounts share; null in a database without the demonstration. */
export async function demoPasswordHash(tx: Db): Promise<string | null> {
  const [row] = await tx.select().from(settingTable).where(eq(settingTable.key, marker));
  return typeof row?.value['password'] === 'string' ? row.value['password'] : null;
}

/** Throws where people from outside could sign in with the published password. */
export async function refusePublicDemo(tx: Db, config: Pick<Config, 'host' | 'publicUrl'>): Promise<void> {
  if (!isPublic(config)) return;
  const passwordHash = await demoPasswordHash(tx);
  const count = passwordHash === null ? 0 : await countWithPassword(tx, passwordHash);
  if (count > 0)
    throw new StartupError(
      `数据库里有 ${count} 个演示账号，密码是公开的，不能在对外地址（HOST=${config.host}）上启动：请停用这些账号或重设它们的密码，或换一个没有演示数据的数据库。`,
    );
}
