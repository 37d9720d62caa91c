import type { Db } from '#kernel/server/db/db.ts';
import type { Change } from '#kernel/server/http/implement.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { announcementOf, type RecordRef } from '../records/records.ts';

interface Named {
  id: number;
  sn: string;
  title: string;
  record: RecordRef | null;
  act_state?: number;
}

/**
 * The entry of the operation log for an action on a ticket, with its comment; neither title nor comment for a draft, which only its author sees, or
 * if its record must not be named.
 */
export async function noted(
  tx: Db,
  { id, sn, title, record, act_state }: Named,
  after: Record<string, unknown>,
  words: Record<string, unknown> = {},
): Promise<Change> {
  const hidden = act_state === actState.draft ? '草稿' : (await announcementOf(tx, record)).unnamed;
  return {
    type: '工单',
    id,
    title: `${sn} ${hidden ?? title}`,
    after: { ...after, ...(hidden === null ? words : {}) },
  };
}
