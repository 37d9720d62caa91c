import { parentPort, workerData } from 'node:worker_threads';
import { traceOf, type Version } from '../engine/trace.ts';
import { textIn, type Source } from './source.ts';

const [first, ...later] = (workerData as Source[]).map((one): Version => ({ text: textIn(one), no: one.no }));
parentPort!.postMessage(first ? traceOf([first, ...later]) : []);
