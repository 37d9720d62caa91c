import type { Call } from '#kernel/contract/call.ts';
import type { Db } from './db/db.ts';
import type { ServerModule } from './http/implement.ts';
import type { Task } from './jobs/jobs.ts';
import type { Schedule } from './jobs/schedules.ts';
import type { Services } from './services.ts';

/**
 * The sum of what all modules provide, for modules that need something from the others (`services.product`). Such a module declares its field here
 * and in `ModuleDefinition`, beside the field's type (decision 0175).
 */
export interface Product {
  /** Every module that answers calls; to be read once all of them exist. */
  servers(): readonly ServerModule[];
  calls(): readonly Call[];
  tasks(): readonly Task[];
  schedules(): readonly Schedule[];
}

/** Everything that one module provides to the product: a new module is a folder with a `module.ts` and a line in `apps/server/modules.ts`. */
export interface ModuleDefinition {
  /** The handlers of its calls; made from `services` only if they keep something for the product, or need something from a module above. */
  servers?(services: Services): readonly ServerModule[];
  /** Its background work. */
  tasks?(services: Services): Task[];
  schedules?: readonly Schedule[];
  /** Further contents of an empty database; run at every start. */
  seed?(tx: Db): Promise<void>;
  /** Its parts of the demonstration. */
  demos?: readonly Demo[];
}

/** Adds something to the demonstration, in the name of its people. */
export interface Demo {
  /** Later ones may refer to what earlier ones added. */
  order: number;
  /** Its code is large and needed only once, so that it is loaded then. */
  load(): Promise<(tx: Db, now: Date) => Promise<void>>;
}
