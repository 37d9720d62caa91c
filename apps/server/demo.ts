import { parseArgs } from 'node:util';
import { chanceOf } from '#kernel/server/process/chance.ts';
import { readConfig, StartupError } from '#kernel/server/process/config.ts';
import { followHistory, openDatabases, type Databases } from '#kernel/server/db/db.ts';
import { migrate } from '#kernel/server/db/migrate.ts';
import { addDemoStaff, countWithPassword } from '#modules/platform/people/demo.ts';
import { ticketProblems, unlikeTheirLog } from '#modules/workflow/tickets/demo/check.ts';
import { addDemoTickets } from '#modules/workflow/tickets/demo/demo.ts';
import { reachDatabase } from './database.ts';
import { demoPasswordHash } from './demo-accounts.ts';
import { demoWorkflows } from './demo-organisation.ts';

const most = 5_000_000;
const weeksOfThreeYears = 156;
const mostPeople = 2000;
const ticketsPerPerson = 200;

/** Adds tickets of three years, with their people, to a database with the demonstration organisation. */
export async function growDemo(
  databases: Databases,
  tickets: number,
  now: Date,
  say: (line: string) => void,
): Promise<void> {
  const started = performance.now();
  await databases.write(async (tx) => {
    await tx.$client.query(
      `set local statement_timeout = 0; set local lock_timeout = '60s'; set local synchronous_commit = off`,
    );
    const passwordHash = await demoPasswordHash(tx);
    if (passwordHash === null)
      throw new StartupError(
        '数据库里没有演示组织，不能添加演示工单：请先在空的数据库上以 DEMO=1 启动一次（npm start）。',
      );
    const people = await countWithPassword(tx, passwordHash);
    const chance = chanceOf(people + tickets);
    const wanted = Math.min(mostPeople, Math.ceil(tickets / ticketsPerPerson)) - people;
    if (wanted > 0) await addDemoStaff(tx, wanted, people + 1, passwordHash, chance);
    if (wanted > 0) say(`已添加 ${wanted} 名演示人员`);
    await addDemoTickets(tx, { tickets, weeks: weeksOfThreeYears, now, chance, ...(await demoWorkflows(tx)) });
  });
  const seconds = (performance.now() - started) / 1000;
  say(`已添加 ${tickets} 张演示工单，用时 ${seconds.toFixed(1)} 秒（每秒 ${Math.round(tickets / seconds)} 张）`);
  await settle(databases);
}

/** Does the work that the server would do by itself some minutes later. */
async function settle({ pool }: Databases): Promise<void> {
  const client = await pool.connect();
  try {
    await client.query('set statement_timeout = 0');
    await client.query('vacuum (analyze) ticket, ticket_task, ticket_token, ticket_log, app_user');
  } finally {
    client.release(true);
  }
}

async function run(): Promise<void> {
  const { values } = parseArgs({ options: { tickets: { type: 'string', default: '100000' } } });
  const tickets = Number(values.tickets);
  if (!Number.isInteger(tickets) || tickets < 1 || tickets > most)
    throw new StartupError(`--tickets 的值“${values.tickets}”不正确，应为 1 到 ${most} 的整数。`);
  const config = readConfig(process.env);
  const database = await reachDatabase(config, console.log);
  followHistory(database.url, config.dataDir);
  const databases = openDatabases({ url: database.url, onError: console.error });
  try {
    await migrate(database.url);
    await growDemo(databases, tickets, new Date(), console.log);
    const problems = [
      ...(await ticketProblems(databases.fresh)),
      ...(await unlikeTheirLog(databases.fresh, 100)).map((sn) => `工单 ${sn} 与其流转记录不符`),
    ];
    console.log(problems.length === 0 ? '已核对：工单、任务与流转记录一致' : problems.join('\n'));
    if (problems.length > 0) process.exitCode = 1;
  } finally {
    await databases.close();
    await database.stop();
  }
}

if (import.meta.main) {
  run().catch((error: unknown) => {
    console.error(error instanceof StartupError ? error.message : error);
    process.exit(1);
  });
}
