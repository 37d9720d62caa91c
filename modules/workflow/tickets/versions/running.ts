import { inArray, notInArray, sql, type SQL } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { inSql } from '#kernel/server/db/columns.ts';
import { overStates } from '#modules/workflow/workflows/engine/codes.ts';
import type { Running, TicketCount } from '#modules/workflow/workflows/service.ts';
import { startInName, tryInName } from '../automation/in-name.ts';
import { newTicket } from '../engine/state.ts';
import { toWire } from '../engine/ways/buttons.ts';
import { noRights, offered } from '../engine/ways/offers.ts';
import { startedBy } from '../store/started.ts';
import { ticketTable } from '../tables.ts';
import { migrate } from './migrate.ts';
import { simulate } from './simulate.ts';
import { whoWould } from './who-would.ts';

/** The part of `tickets` that the workflows module calls. */
export const running: Running = {
  counts,
  countsOfVersions,
  isFollowed,
  startedBy,
  offersAtStart(definition, person) {
    const blank = newTicket(person, null);
    return offered(definition, blank, person, noRights).map((offer) =>
      toWire(definition, blank, person, offer, new Map()),
    );
  },
  migrate,
  simulate,
  startInName,
  tryInName,
  whoWould,
};

async function counts(tx: Db, workflowIds: readonly number[]): Promise<Map<number, TicketCount>> {
  return counted(tx, ticketTable.workflow_id, workflowIds);
}

async function countsOfVersions(tx: Db, versionIds: readonly number[]): Promise<Map<number, TicketCount>> {
  return counted(tx, ticketTable.version_id, versionIds);
}

function isFollowed(version: SQL): SQL {
  return sql`exists (select from ticket followed where followed.version_id = ${version} and not followed.is_deleted
    and followed.act_state not in (${inSql(...overStates)}))`;
}

async function counted(
  tx: Db,
  column: typeof ticketTable.workflow_id | typeof ticketTable.version_id,
  ids: readonly number[],
): Promise<Map<number, TicketCount>> {
  if (ids.length === 0) return new Map();
  const rows = await tx
    .select({
      id: column,
      total: sql<number>`count(*)::int`,
      running: sql<number>`(count(*) filter (where not ${ticketTable.is_deleted} and ${notInArray(ticketTable.act_state, [...overStates])}))::int`,
    })
    .from(ticketTable)
    .where(inArray(column, [...ids]))
    .groupBy(column);
  return new Map(rows.map(({ id, ...counts }) => [id, counts]));
}
