// A node that only delivers, to be killed: the database's address is its one argument.
import { openDatabases } from '#kernel/server/db.ts';
import { startJobs } from '#kernel/server/jobs.ts';
import { createOutgoing } from '#kernel/server/outgoing.ts';
import { createSecretBox } from '#kernel/server/secret-box.ts';
import { hookCarrier } from '../carriers/hook.ts';
import { channelNames } from '../contract.ts';
import { deliverTask } from '../deliver.ts';
import type { Carriers } from '../service.ts';

const url = process.argv[2]!;
const onError = (error: Error) => console.error(error);
const databases = openDatabases({ url, size: 5, onError });
const hook = hookCarrier({
  outgoing: createOutgoing({ allow: ['127.0.0.1'] }),
  secretBox: createSecretBox('s'.repeat(48)),
});
const carriers = Object.fromEntries(channelNames.map((channel) => [channel, hook])) as Carriers;
const tasks = [deliverTask({ databases, carriers })];
await startJobs({ url, tasks, concurrency: 2, searchSeconds: 0.5, onError });
console.log('working');
