import { and, eq, or, sql } from 'drizzle-orm';
import { isAmong } from '#kernel/server/access/scope.ts';
import type { Owners } from '#modules/platform/files/service.ts';
import type { Occupant } from '#modules/platform/rooms/service.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { materialsFor } from '../contract/codes.ts';
import { meetTable } from '../tables.ts';
import { displaced } from '../acts/cancel.ts';
import { isInside, meetings, module, movableBy, ofOthers, takesPart } from './record.ts';

const m = meetTable;

/**
 * The description of meetings in a room's day for a viewer. The sign at the door shows strangers the titles of public ones alone, and
 * attendees a code of each meeting's page.
 */
export const occupant: Occupant = {
  async described(tx, user, ids) {
    const seen = user
      ? or(ofOthers(user, true), eq(m.creator_id, user.id), meetings.reaches({ user }, 'Retrieve'))
      : eq(m.act_state, actState.finished);
    const title = user
      ? sql<string | null>`${m.title}`
      : sql<string | null>`case when ${m.is_public} then ${m.title} end`;
    const mine = user ? sql<boolean>`coalesce(${takesPart(user)}, false)` : sql<boolean>`false`;
    const movable = user ? sql<number | null>`case when ${movableBy(user)} then ${m.version} end` : sql<null>`null`;
    const rows = await tx
      .select({ id: m.id, title, mine, movable })
      .from(m)
      .where(and(isAmong(m.id, ids), seen));
    return new Map(rows.map(({ id, ...known }) => [id, { ...known, path: meetings.definition.page(id) }]));
  },
  displace: displaced,
};

const { [module]: files, ...others } = meetings.brings.owners;
/** Materials are for attendees, unless the meeting opens them to all its viewers. */
export const owners: Owners = {
  ...others,
  [module]: {
    ...files!,
    async may(user, { recordId }, tx) {
      const viewer = await meetings.viewerOf(tx, user);
      const row = await meetings.find(tx, viewer, Number(recordId));
      return row !== undefined && (row.materials_acl === materialsFor.viewers || isInside(tx, viewer, row));
    },
  },
};
