import { parentPort, workerData } from 'node:worker_threads';
import { startNode, type NodeOptions } from './node.ts';

const node = startNode({
  ...(workerData as Omit<NodeOptions, 'onError'>),
  onError: (error) => parentPort!.postMessage({ error: error.message }),
  onBlind: (blind) => parentPort!.postMessage({ blind }),
});
parentPort!.once('message', () => void node.stop().then(() => process.exit()));
