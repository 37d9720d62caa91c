// Run by embedded-postgres.test.ts as a separate process, to be killed: starts the database and stays.
import { startEmbedded } from '../postgres/embedded-postgres.ts';

const dataDir = process.argv[2] ?? '';
const { url } = await startEmbedded({ dataDir, log: () => {} });
console.log(url);
setInterval(() => {}, 60_000);
