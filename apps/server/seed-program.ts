import '#kernel/server/process/resolve-once.ts';
import { readConfig, StartupError } from '#kernel/server/process/config.ts';
import { openLog } from '#kernel/server/log/log.ts';
import { openServices } from './office.ts';
import { optionsOf } from './options.ts';
import type { SeedAnswer } from './seed-apart.ts';
import { seed } from './seed.ts';

/** The program that `seedApart` runs: fills the database of the environment and ends. */
async function run(): Promise<SeedAnswer> {
  const config = readConfig(process.env);
  const { services, close } = await openServices(
    optionsOf(config, config.databaseUrl!, openLog(config.logLevel)),
    () => null,
  );
  const seeded = await seed(services, config);
  await close();
  return { seeded };
}

const tell = (answer: SeedAnswer) => process.send!(answer, () => process.disconnect());

// The parent has ended: what is not written by now must not be written.
process.on('disconnect', () => process.exit());
run().then(tell, (error: unknown) => {
  if (error instanceof StartupError) return tell({ refused: error.message });
  console.error(error);
  return process.exit(1);
});
