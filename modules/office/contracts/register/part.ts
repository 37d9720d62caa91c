import { holds, scopeOf } from '#kernel/server/access/viewer.ts';
import type { PermissionCode } from '#kernel/contract/call.ts';
import type { RecordViewer } from '#modules/workflow/records/service.ts';
import type { Part } from '../engine/registering.ts';
import type { contractTable } from '../tables.ts';

/** The page whose permissions manage contracts. */
export const page = 'contract/manage';

/**
 * The user's roles in a contract, and in the node of `handler`: permission to change the ledger makes a manager, permission to register
 * there makes finance.
 */
export function partOf(
  row: Pick<typeof contractTable.$inferSelect, 'undertaker' | 'dept_id' | 'creator_id'>,
  { user }: RecordViewer,
  handler: number | null = null,
): Part {
  const reaches = (code: PermissionCode) => {
    if (!holds(user, code, page)) return false;
    const scope = scopeOf(user, code, page);
    return scope.all || scope.depts.has(row.dept_id) || row.creator_id === user.id;
  };
  return {
    undertaker: row.undertaker === user.id,
    handler: handler === user.id,
    finance: reaches('chuli'),
    manager: reaches('Update'),
  };
}
