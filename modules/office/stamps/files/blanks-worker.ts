import { parentPort, workerData } from 'node:worker_threads';
import { blanksIn } from './blanks.ts';

parentPort!.postMessage(await blanksIn(workerData as Uint8Array).catch(() => null));
