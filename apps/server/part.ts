import type { Db } from '#kernel/server/db/db.ts';
import type { ServerModule } from '#kernel/server/http/implement.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import type { Schedule } from '#kernel/server/jobs/schedules.ts';
import type { MenuSeed } from '#modules/access/seed.ts';
import type { Owners } from '#modules/files/service.ts';
import type { LinkModule } from '#modules/links/service.ts';
import type { Leaves } from '#modules/people/service/leaves.ts';
import type { RecordModule } from '#modules/tickets/service.ts';
import type { VerifiedRecords } from '#modules/verification/service.ts';
import type { Waits } from '#modules/waits/service.ts';
import type { Services } from './services.ts';

/** What one module brings to the product, in one place: a new module is a new file beside these and a line in `parts.ts`. */
export interface Part {
  /** What answers its calls. */
  servers?(services: Services): ServerModule[];
  /** What is done beside requests. */
  tasks?(services: Services): Task[];
  schedules?: readonly Schedule[];
  /** Pages of its menu, parents before children. */
  menus?: readonly MenuSeed[];
  /** What an empty database begins with besides; run at every start. */
  seed?(tx: Db): Promise<void>;
  /** Whose files these are, who sees them. */
  owners?: Owners;
  /** Records that tickets decide; they hear of each turn. */
  records?: Readonly<Record<string, RecordModule>>;
  /** Records that may be linked to each other. */
  linked?: Readonly<Record<string, LinkModule>>;
  /** Records anybody may check by the code printed on them. */
  verified?: VerifiedRecords;
  /** What of it waits for people. */
  waits?: readonly Waits[];
  /** What of it is somebody's, to be handed over before they leave. */
  leaves?: readonly Leaves[];
}
