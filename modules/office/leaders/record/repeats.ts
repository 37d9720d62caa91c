import { and, asc, eq, gt, isNull, ne } from 'drizzle-orm';
import { Refusal } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { savepoint, type Db } from '#kernel/server/db/db.ts';
import type { Change, Context } from '#kernel/server/http/implement.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { scheduleTable } from '../tables.ts';
import type { Stored } from './record.ts';
import { fullFor } from './visibility.ts';

type Asked = Omit<Context, 'user'> & { user: Viewer };
const s = scheduleTable;

/** The later weeks of an entry's repeat that the user may read, the next first; locked if they are to be changed. */
export async function laterOf(
  tx: Db,
  user: Viewer,
  row: Pick<Stored, 'id' | 'series_id' | 'start_time'>,
  locks = false,
): Promise<Pick<Stored, 'id' | 'start_time' | 'end_time'>[]> {
  if (row.series_id === null) return [];
  const later = tx
    .select({ id: s.id, start_time: s.start_time, end_time: s.end_time })
    .from(s)
    .where(
      and(
        eq(s.series_id, row.series_id),
        gt(s.start_time, row.start_time),
        ne(s.id, row.id),
        eq(s.act_state, actState.finished),
        isNull(s.cancelled_at),
        fullFor(user),
      ),
    )
    .orderBy(asc(s.start_time), asc(s.id));
  return locks ? later.for('no key update') : later;
}

/** Does a part of an act by itself. If it is refused, nothing of that part remains, and the words of the refusal are returned. */
export async function attempt(context: Asked, work: (context: Asked) => Promise<unknown>): Promise<string | null> {
  const said: Change[] = [];
  try {
    await savepoint(context.tx, () => work({ ...context, audit: (change) => void said.push(change) }));
  } catch (stop) {
    if (!(stop instanceof Refusal)) throw stop;
    return stop.message;
  }
  said.forEach((change) => context.audit(change));
  return null;
}
