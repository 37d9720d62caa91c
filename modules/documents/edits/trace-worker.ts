import { parentPort, workerData } from 'node:worker_threads';
import { traceOf, type Version } from '../engine/trace.ts';

parentPort!.postMessage(traceOf(workerData as [Version, ...Version[]]));
