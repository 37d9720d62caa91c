import type { Db } from '#kernel/server/db/db.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';

/** What of a module goes by who somebody is, beyond roles and departments. */
export interface Powers {
  /** Whether those who have a post decide anything by it. */
  asksPost(tx: Db, post: string): Promise<boolean>;
  /** Whether somebody was named for what the viewer could name nobody for. */
  beyond(tx: Db, viewer: Viewer, person: number): Promise<boolean>;
}
