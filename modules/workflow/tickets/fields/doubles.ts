import { and, desc, eq, inArray, ne, notInArray, or, sql } from 'drizzle-orm';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { lockOf } from '#kernel/server/jobs/periodic.ts';
import { actState } from '#modules/workflow/workflows/engine/codes.ts';
import { doubledValues, namesOfDoubled } from '#modules/workflow/workflows/engine/starting/doubles.ts';
import type { Version } from '#modules/workflow/workflows/service.ts';
import { doubled } from '../contract/refusals.ts';
import type { TicketState } from '../engine/state.ts';
import { canonical } from '../store/chain.ts';
import { ticketTable } from '../tables.ts';
import { ticketLogTable } from '../tables/log.ts';
import { ticketViewerOf } from '../visibility/viewer.ts';
import { alive, opensTo } from '../visibility/visibility.ts';

interface Submitted {
  /** Null for a ticket that is not written yet. */
  id: number | null;
  version: Version;
  state: TicketState;
}
interface Asking {
  /** The person who reads the refusal; undefined for the system. */
  user: Viewer | undefined;
  /** Set if they can be asked, and have not said that they mean it. */
  asked: boolean;
}

/** Tickets that are back with their creator, or never counted: they are compared when they count again. */
const aside = [actState.draft, actState.withdrawn, actState.closed];

/** True if a decision makes a ticket count that did not count before, without submitting it. */
export const comesBack = (before: TicketState, after: TicketState): boolean =>
  actState.is(before.act_state, ...aside) && !actState.is(after.act_state, ...aside);

/**
 * True for a ticket whose end was confirmed: it is closed as well, but was decided, and only its log tells it from one that somebody closed. The
 * rows of one ticket are read by their index, whereas `exists` might be planned as one reading of the whole log.
 */
const confirmed = sql`(select ${ticketLogTable.action} <> 'close' from ${ticketLogTable} where ${ticketLogTable.ticket_id} = ${ticketTable.id}
  and ${ticketLogTable.events} @> ${JSON.stringify([{ type: 'act_state_changed', from: actState.finishAsked, to: actState.closed }])}::jsonb
  order by ${ticketLogTable.seq} desc limit 1)`;

/** The last submission of a ticket, first or after a return. */
const lastSubmitted = sql`(select max(${ticketLogTable.at}) from ${ticketLogTable}
  where ${ticketLogTable.ticket_id} = ${ticketTable.id} and ${ticketLogTable.action} = 'submit')`;

/**
 * Refuses to submit a ticket if another one of its workflow holds the same in the fields that must not stand twice; or, as the workflow says, asks
 * first. Names the other one only to those who may see it. Submissions with the same values wait for each other, so that no two of them pass.
 */
export async function refuseDoubles(tx: Db, { id, version, state }: Submitted, { user, asked }: Asking): Promise<void> {
  const { definition, workflow_id } = version;
  const { doubles } = definition.settings;
  const asks = doubles?.rule === 'ask';
  if (!doubles || (asks && !asked)) return;
  const values = doubledValues(doubles, state.form);
  if (!values) return;
  const whose = doubles.own ? state.creator : 'all';
  const about = `same ticket of workflow ${workflow_id} by ${whose}: ${canonical(values)}`;
  await tx.execute(sql`select pg_advisory_xact_lock(${lockOf(about)})`);
  const { form } = ticketTable;
  const same = Object.entries(values).map(([key, value]) => sql`${form} -> ${key} = ${JSON.stringify(value)}::jsonb`);
  const rows = await tx
    .select({ id: ticketTable.id })
    .from(ticketTable)
    .where(
      and(
        eq(ticketTable.workflow_id, workflow_id),
        alive,
        // The index of the form answers containment; equality excludes longer paths that begin alike.
        sql`${form} @> ${JSON.stringify(values)}::jsonb`,
        ...same,
        or(notInArray(ticketTable.act_state, aside), and(eq(ticketTable.act_state, actState.closed), confirmed)),
        sql`${lastSubmitted} > now() - make_interval(days => ${doubles.days})`,
        id === null ? undefined : ne(ticketTable.id, id),
        doubles.own ? eq(ticketTable.creator_id, state.creator) : undefined,
      ),
    )
    .orderBy(desc(ticketTable.submitted_at))
    .limit(20);
  if (rows.length === 0) return;
  const ids = rows.map((row) => row.id);
  const shown = user
    ? await tx
        .select({ sn: ticketTable.sn })
        .from(ticketTable)
        .where(and(inArray(ticketTable.id, ids), opensTo(await ticketViewerOf(tx, user))))
        .orderBy(desc(ticketTable.submitted_at))
    : [];
  throw doubled({
    days: doubles.days,
    fields: namesOfDoubled(definition, doubles),
    shown: shown.map(({ sn }) => sn),
    asks,
    read: user !== undefined,
  });
}
