import type { Call } from '#kernel/contract/call.ts';
import type { Db } from './db/db.ts';
import type { ServerModule } from './http/implement.ts';
import type { Task } from './jobs/jobs.ts';
import type { Schedule } from './jobs/schedules.ts';
import type { Services } from './services.ts';

/**
 * What all modules bring together, for those that ask the others (`services.product`). Whichever module asks the others for something
 * declares it here and in `ModuleDefinition`, where the type of it stands (decision 0175).
 */
export interface Product {
  /** Every module that answers calls; read once all of them stand. */
  servers(): readonly ServerModule[];
  calls(): readonly Call[];
  tasks(): readonly Task[];
  schedules(): readonly Schedule[];
}

/** What one module brings to the product, in one value: a new module is a folder with a `module.ts` and a line in `apps/server/modules.ts`. */
export interface ModuleDefinition {
  /** What answers its calls; made of `services` only where something is kept for the product, or asked of a module above. */
  servers?(services: Services): readonly ServerModule[];
  /** What is done beside requests. */
  tasks?(services: Services): Task[];
  schedules?: readonly Schedule[];
  /** What an empty database begins with besides; run at every start. */
  seed?(tx: Db): Promise<void>;
}
