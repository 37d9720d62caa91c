import { and, asc, eq, inArray, sql, type SQL } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { inSql } from '#kernel/server/db/columns.ts';
import { changed } from '#kernel/server/live/changes.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { calendarOf, workingDaysAfter } from '#modules/platform/calendars/service.ts';
import { dayOf } from '#kernel/contract/moment.ts';
import { lineState, sealStatusOf } from '../contract/codes.ts';
import { keeperNow, keptBy, ofSeals } from '../custody/keeper.ts';
import { copiesOutside } from '../ledger/recall.ts';
import { halfDay } from '../slots/slots.ts';
import { applicationTable, lineTable, loanTable } from '../tables/application.ts';
import { stampTable } from '../tables/seals.ts';
import { confirmMinutes } from './rights.ts';

/** One seal of an application with the facts that decide about it; `keeper` is its present keeper. */
/** Condition: the line waits for its keeper, because nothing was registered or nobody confirmed it in time. */
export const toSeal = sql`${lineTable.state} = ${lineState.ready} and (${lineTable.pending} is null
  or (${lineTable.pending} ->> 'asked')::timestamptz < now() - make_interval(mins => ${confirmMinutes}))`;
/** Condition: the application has a line that is ready or out; literal values, so that a prepared statement uses the partial index. */
export const isOpen = sql`stamp_application.seal_status in (${inSql(lineState.ready, lineState.out)})`;
/** Applications that wait for the person to seal; the same for the desk's list, its count and the badge. */
export const toSealOf = (person: number): SQL =>
  sql`select distinct stamp_line.application_id from stamp_line where ${ofSeals(keptBy(person))} and ${toSeal}`;

export type LineRow = Awaited<ReturnType<typeof linesOf>>[number];

/** Lines of the given applications, optionally by a condition, in the order of the application. */
export function linesOf(tx: Db, applicationIds: readonly number[], which?: SQL) {
  return tx
    .select({
      id: lineTable.id,
      application_id: lineTable.application_id,
      stamp_id: lineTable.stamp_id,
      times: lineTable.times,
      state: lineTable.state,
      day: lineTable.day,
      part: lineTable.part,
      reserved: lineTable.reserved,
      pending: lineTable.pending,
      reason: lineTable.reason,
      done_at: lineTable.done_at,
      stamp_name: stampTable.name,
      stamp_type: stampTable.type,
      stamp_status: stampTable.status,
      stamp_dept: stampTable.dept_id,
      workflow_id: stampTable.workflow_id,
      office_hours: stampTable.office_hours,
      capacity: stampTable.slot_capacity,
      supervisor_id: stampTable.supervisor_id,
      owner_keeper: stampTable.keeper_id,
      backup_id: stampTable.backup_id,
      keeper: keeperNow.mapWith(Number),
      out_at: loanTable.out_at,
      due_at: loanTable.due_at,
      returned_at: loanTable.returned_at,
      loan_id: loanTable.id,
      escort_id: loanTable.escort_id,
      extend_until: loanTable.extend_until,
      extend_reason: loanTable.extend_reason,
      extend_by: loanTable.extend_by,
      /** The sealed copies of the whole application that have not come back. */
      outside: copiesOutside(sql`stamp_line.application_id`),
    })
    .from(lineTable)
    .innerJoin(stampTable, eq(stampTable.id, lineTable.stamp_id))
    .leftJoin(loanTable, eq(loanTable.line_id, lineTable.id))
    .where(and(which ?? inArray(lineTable.application_id, [...applicationIds])))
    .orderBy(asc(lineTable.id));
}

export const setLines = (tx: Db, ids: readonly number[], set: PgUpdateSetSource<typeof lineTable>) =>
  tx
    .update(lineTable)
    .set(set)
    .where(inArray(lineTable.id, [...ids]));

/** The next due moment of the given lines: an appointment or a return. */
function nextOf(lines: readonly LineRow[]): string | null {
  const { ready, out } = lineState;
  const due = lines.flatMap((line) =>
    line.state === out ? (line.due_at ?? []) : line.state === ready ? (placeOf(line) ?? []) : [],
  );
  return due.toSorted()[0] ?? null;
}
const placeOf = ({ day, part }: LineRow) => (day === null || part === null ? null : halfDay({ day, part }).from);

/** Working days within which the scan of the sealed file is due. */
const copyDays = 5;

/** Updates an application from its lines, and notifies the pages of people concerned. The caller has locked its row. */
export async function settle(tx: Db, applicationId: number, now: Date): Promise<number> {
  const lines = await linesOf(tx, [applicationId]);
  const seal_status = sealStatusOf(lines.map((line) => line.state));
  const { waiting, ready, sealed, out, returned } = lineState;
  const open = seal_status === ready || seal_status === out;
  // An application with nothing left to seal is done if any seal was used, whatever became of the others.
  const done = !open && seal_status !== waiting && lines.some(({ state }) => state === sealed || state === returned);
  const day = done ? dayOf(workingDaysAfter(now, copyDays, await calendarOf(tx))) : null;
  const [row] = await tx
    .update(applicationTable)
    .set({
      seal_status,
      need_at: open ? sql`least(${nextOf(lines)}::timestamptz, (due_day + time '23:59:59')::timestamptz)` : null,
      version: sql`${applicationTable.version} + 1`,
      gmt_modified: sql`now()`,
      ...(done
        ? { sealed_at: sql`coalesce(sealed_at, now())`, copy_due: sql`coalesce(copy_due, ${day})` }
        : { sealed_at: null, copy_due: null }),
    })
    .where(eq(applicationTable.id, applicationId))
    .returning({ creator: applicationTable.creator_id, operator: applicationTable.operator_id });
  const keepers = lines.flatMap((line) => [line.keeper, line.supervisor_id ?? 0]);
  changed(tx, 'stamp', [...new Set([row!.creator, row!.operator, ...keepers])].filter(Boolean));
  return seal_status;
}
