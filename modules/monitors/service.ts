import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';

/** Makes an order of something that happened; brought by whoever has orders, absent until then. */
export type RaiseOrder = (
  tx: Db,
  raised: { by: Viewer; title: string; description: string; place: string; from: { module: 'monitors'; id: number } },
) => Promise<{ module: string; id: number; page: string; says: string }>;

export { startMonitoring, type Monitoring } from './probing/start.ts';
export { noteOrderEnded } from './server/incidents.ts';
