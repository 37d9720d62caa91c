// A node that only delivers, to be killed; it ends with its parent at the latest. It begins when it receives the database's address and the secret.
import { once } from 'node:events';
import { pino } from 'pino';
import { createAdapters } from '#apps/server/adapters.ts';
import { openBus } from '#kernel/server/live/bus.ts';
import { openDatabases } from '#kernel/server/db/db.ts';
import { startJobs } from '#kernel/server/jobs/jobs.ts';
import { createOutgoing } from '#kernel/server/outside/outgoing.ts';
import { createSecretBox } from '#kernel/server/process/secret-box.ts';
import { createSettings } from '#modules/platform/settings/service.ts';
import { deliverTask } from '../deliver.ts';

process.once('disconnect', () => process.exit());
process.send!('ready');
const [{ url, secret }] = (await once(process, 'message')) as [{ url: string; secret: string }];
const onError = (error: Error) => console.error(error);
const databases = openDatabases({ url, size: 5, onError });
const adapters = createAdapters({
  databases,
  log: pino({ level: 'error' }),
  outgoing: createOutgoing({ allow: ['127.0.0.1'] }),
  publicUrl: () => null,
  settings: createSettings({ fresh: databases.fresh, bus: await openBus(url, onError) }),
  secretBox: createSecretBox(secret),
});
const tasks = [deliverTask({ databases, adapters })];
// Both lanes of each channel at once.
await startJobs({ url, tasks, concurrency: 6, searchSeconds: 0.5, onError });
