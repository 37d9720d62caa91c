import { and, asc, eq, gt, inArray, notInArray } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { peopleById } from '#modules/people/service.ts';
import type { MigrationRow } from '#modules/workflows/contract/release.ts';
import { interveneType, overStates } from '#modules/workflows/engine/codes.ts';
import type { Definition } from '#modules/workflows/engine/definition.ts';
import { sameNest } from '#modules/workflows/engine/check/nest.ts';
import { versionsById, type MigrationAsked, type MigrationReport } from '#modules/workflows/service.ts';
import { mainStateId, replay, type Event, type LogEntry, type TicketState } from '../engine/state.ts';
import { fit } from './fit.ts';
import { load, update, type Stored } from '../store/store.ts';
import { ticketTable } from '../tables.ts';

/** Tickets looked at in one call. */
const max = 200;

/** Says for each running ticket what moving it to another version would mean and, unless it is a dry run, moves those that can be. */
export async function migrate(tx: Db, asked: MigrationAsked): Promise<MigrationReport> {
  const running = and(
    inArray(ticketTable.version_id, [...asked.from]),
    eq(ticketTable.is_deleted, false),
    notInArray(ticketTable.act_state, [...overStates]),
  );
  if (asked.from.length === 0) return { value: [], total: 0, can_move: 0, moved: 0, next_after: null };
  const rows = await tx
    .select({ id: ticketTable.id })
    .from(ticketTable)
    .where(
      and(
        running,
        gt(ticketTable.id, asked.after),
        asked.ticket_ids ? inArray(ticketTable.id, [...asked.ticket_ids]) : undefined,
      ),
    )
    .orderBy(asc(ticketTable.id))
    .limit(max + 1);
  const total = await tx.$count(ticketTable, running);
  await versionsById(tx, asked.from);
  const value: MigrationRow[] = [];
  for (const { id } of rows.slice(0, max)) {
    // Under its lock a ticket may turn out to be over by now.
    const stored = await load(tx, id, running, !asked.dry_run);
    if (stored) value.push(await one(tx, stored, asked));
  }
  return {
    value,
    total,
    can_move: value.filter((row) => row.can_move).length,
    moved: value.filter((row) => row.moved).length,
    next_after: rows.length > max ? (rows[max - 1]?.id ?? null) : null,
  };
}

async function one(tx: Db, stored: Stored, asked: MigrationAsked): Promise<MigrationRow> {
  const { definition } = stored.version;
  const { faults, changes } = fit(definition, asked.to.definition, stored.state);
  const here = mainStateId(stored.state);
  const nameIn = (states: typeof definition.states) => states.find((state) => state.id === here)?.name ?? '';
  const can_move = faults.length === 0;
  if (can_move && !asked.dry_run) await move(tx, stored, asked);
  return {
    ticket_id: stored.id,
    sn: stored.sn,
    title: stored.state.title,
    from_no: stored.version.no,
    state_name: nameIn(definition.states),
    to_state_name: can_move ? nameIn(asked.to.definition.states) : '',
    can_move,
    moved: can_move && !asked.dry_run,
    msgs: [...faults, ...changes],
  };
}

async function move(tx: Db, stored: Stored, { to, actor, origin, now }: MigrationAsked): Promise<void> {
  const { state: before } = stored;
  const here = mainStateId(before) ?? 0;
  const entry: LogEntry = {
    seq: before.seq + 1,
    actor,
    action: 'migrate',
    intervene_type: interveneType.normal,
    transition_id: null,
    from_state_id: here,
    to_state_id: here,
    suggestion: `流程从第 ${stored.version.no} 版改到第 ${to.no} 版`,
    task_nos: [],
    events: leftBehind(before, stored.version.definition, to.definition),
    trace: [],
  };
  const creatorName = (await peopleById(tx, [before.creator])).get(before.creator)?.alias ?? '';
  const state = replay(before, [entry]);
  await update(tx, stored, { before, state, log: [entry], origin, creatorName, delegate: null, now }, false);
  await tx.update(ticketTable).set({ version_id: to.id }).where(eq(ticketTable.id, stored.id));
}

/** What a ticket remembers of its old version and cannot go back to in the new one. */
function leftBehind(ticket: TicketState, from: Definition, to: Definition): Event[] {
  const known = new Set(to.states.map((state) => state.id));
  const dropped = ticket.tokens.filter(({ back_to }) => {
    const task = ticket.tasks.find((one) => one.no === back_to);
    if (task === undefined) return false;
    const { state_id } = task;
    return !known.has(state_id) || !sameNest([from, state_id], [to, state_id]);
  });
  return [
    ...(ticket.undo ? [{ type: 'undo_set', undo: null } as const] : []),
    ...dropped.map((token) => ({ type: 'straight_back_dropped', token: token.no }) as const),
  ];
}
