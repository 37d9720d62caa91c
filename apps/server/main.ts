import '#kernel/server/process/resolve-once.ts';
import cluster from 'node:cluster';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { readConfig, StartupError, type Config } from '#kernel/server/process/config.ts';
import { boundGrowth, giveBackMemory } from '#kernel/server/process/give-back.ts';
import { openLog } from '#kernel/server/log/log.ts';
import { holesOf, holesSaid } from '#kernel/server/process/runtime-releases.ts';
import { printWith } from '#modules/platform/typesetting/worker/press.ts';
import { openDatabase } from './database.ts';
import { optionsOf } from './options.ts';
import { seedApart } from './seed-apart.ts';
import type { Seeded } from './seed.ts';
import { leadProcesses, stopWord } from './several.ts';

async function start(): Promise<void> {
  const config = readConfig(process.env);
  boundGrowth(config.memoryGrowth);
  const log = openLog(config.logLevel);
  const holes = cluster.isPrimary ? holesOf(process.versions.node) : [];
  if (holes.length > 0) log.warn({ holes, reason: holesSaid(holes) }, 'this Node release has a known hole');
  return cluster.isPrimary && config.processes > 1 ? leadProcesses(config, log) : serve(config, log);
}

async function serve(config: Config, log: Logger): Promise<void> {
  const opening = openDatabase(config, (line) => log.info(line));
  // Most of the program is loaded while the database starts.
  const program = Promise.all([
    import('./office.ts'),
    import('./seed.ts'),
    import('#kernel/server/db/migrate.ts'),
    import('#modules/platform/people/seed.ts'),
    import('#kernel/server/db/db.ts'),
  ]);
  const database = await opening;
  const [{ openApp }, { seed }, { migrate, migratedSaid }, { hasPeople }, { keepHistory }] = await program;
  keepHistory(database.url, config.dataDir);
  const migrated = await migrate(database.url);
  if (migrated.applied.length > 0) log.info(migrated, migratedSaid(migrated));
  // The font reader is large, and most installations do without.
  if (config.fontDir)
    printWith((await import('#modules/platform/typesetting/ink/font-files.ts')).findFonts(config.fontDir));
  const folder = join(import.meta.dirname, '../../dist/web');
  const built = existsSync(join(folder, 'index.html'));
  if (!built) log.warn('the pages are not built, only calls are answered: npm run build');
  const app = await openApp({
    ...optionsOf(config, database.url, log),
    trustedProxies: config.trustedProxies,
    https: config.publicUrl?.startsWith('https:') ?? false,
    metricsToken: config.metricsToken,
    monitorPlaces: config.monitorPlaces,
    webFolder: built ? folder : undefined,
  });
  const bare = config.demo && !(await hasPeople(app.services.databases.fresh));
  const seeded = bare ? await seedApart(config, database.url) : await seed(app.services, config);
  const address = await app.server.listen({ host: config.host, port: config.port });
  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, 'stopping');
    app.drain();
    setTimeout(() => process.exit(1), 30_000).unref();
    app
      .close()
      .then(() => database.stop())
      .then(
        () => process.exit(0),
        (error: unknown) => {
          log.error({ err: error }, 'did not stop cleanly');
          process.exit(1);
        },
      );
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  process.on('message', (word) => word === stopWord && stop(stopWord));
  // A reader of this line may already ask the process to stop. Of several processes the first one prints it.
  if (cluster.isPrimary || cluster.worker?.id === 1) tellStarted(address, seeded);
  await app.working;
  giveBackMemory();
}

function tellStarted(address: string, seeded: Seeded): void {
  console.log(`\n  工单系统已启动：${address}`);
  if (seeded.adminPassword)
    console.log(`  管理员 admin，初始密码 ${seeded.adminPassword}（只显示这一次，登录后请修改）`);
  if (seeded.demoPassword)
    console.log(`  演示账号共用密码 ${seeded.demoPassword}，例如 ${seeded.demoAccounts.join('、')}`);
  console.log('');
}

start().catch((error: unknown) => {
  if (error instanceof StartupError) console.error(error.message);
  else console.error(error);
  process.exit(1);
});
