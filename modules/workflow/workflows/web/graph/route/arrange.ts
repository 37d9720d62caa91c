import ElkApi from 'elkjs/lib/elk-api.js';
import { layoutInput, positionsIn } from './layout.ts';
import type { GraphState, Link } from './links.ts';
import type { Point } from './route.ts';

const make = () =>
  new ElkApi.default({
    workerFactory: () => new Worker(new URL('./elk-worker.ts', import.meta.url), { type: 'module' }),
  });
let elk: ReturnType<typeof make> | undefined;

/** Places every node so that the flow reads from top to bottom; computed in a worker that starts on first use. */
export async function arrange(states: readonly GraphState[], links: readonly Link[]): Promise<Map<number, Point>> {
  elk ??= make();
  return positionsIn(await elk.layout(layoutInput(states, links)));
}
