import { and, desc, eq, inArray, or, sql } from 'drizzle-orm';
import type { QueryOf } from '#kernel/contract/call.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { contains } from '#kernel/server/list/contains.ts';
import { fieldType } from '#modules/workflow/workflows/engine/codes.ts';
import { shows } from '#modules/workflow/workflows/engine/fields/askable.ts';
import { withoutPosition } from '#modules/workflow/workflows/engine/fields/place.ts';
import { versionsOf } from '#modules/workflow/workflows/service.ts';
import type { tickets } from '../contract.ts';
import { readable } from '../records/closed.ts';
import { ticketTable } from '../tables.ts';
import { ticketViewerFor } from '../visibility/viewer.ts';
import { visibleTo } from '../visibility/visibility.ts';

const shown = 10;
/** The number of newest tickets that are searched. */
const looked = 500;

/** Values of a field of places in those recent tickets of a workflow in which somebody may read it, newest first. */
export async function placesIn(tx: Db, user: Viewer, asked: QueryOf<typeof tickets.places>): Promise<string[]> {
  const { workflow_id, field_key: key, search_value } = asked;
  const versions = await versionsOf(tx, workflow_id);
  const showing = (own: boolean) =>
    versions
      .filter(({ definition }) => shows(definition, key, own) && definition.fields.some(isPlace(key)))
      .map(({ id }) => id);
  const { version_id, creator_id, form, gmt_created } = ticketTable;
  const place = sql<string>`${form} ->> ${key}`;
  const viewer = await ticketViewerFor(tx, user, undefined);
  const rows = await tx
    .select({ place })
    .from(ticketTable)
    .where(
      and(
        eq(ticketTable.workflow_id, workflow_id),
        visibleTo(viewer),
        await readable(tx, viewer, workflow_id),
        or(inArray(version_id, showing(false)), and(inArray(version_id, showing(true)), eq(creator_id, user.id))),
        sql`${place} is not null`,
        contains(place, search_value),
      ),
    )
    .orderBy(desc(gmt_created))
    .limit(looked);
  return [...new Set(rows.map((row) => withoutPosition(row.place)))].filter(Boolean).slice(0, shown);
}

const isPlace =
  (key: string) =>
  (field: { key: string; type: number }): boolean =>
    field.key === key && field.type === fieldType.place;
