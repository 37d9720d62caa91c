import { and, asc, eq, gt, inArray, notInArray } from 'drizzle-orm';
import { peopleById } from '#modules/platform/people/service.ts';
import type { MigrationRow } from '#modules/workflow/workflows/contract/release.ts';
import { Refusal } from '#kernel/contract/refusal.ts';
import { savepoint, type Db } from '#kernel/server/db/db.ts';
import { overStates } from '#modules/workflow/workflows/engine/codes.ts';
import { stateOf, type Definition } from '#modules/workflow/workflows/engine/definition.ts';
import { standingIn, type Standing } from '#modules/workflow/workflows/engine/proof/standing.ts';
import { sameNest } from '#modules/workflow/workflows/engine/check/branches/nest.ts';
import { versionsById, type MigrationAsked, type MigrationReport } from '#modules/workflow/workflows/service.ts';
import { byItself, decideTurn, run, type Turn } from '../commands/run.ts';
import { migrated } from '../engine/decide.ts';
import type { Migration } from '../engine/moves/migrating.ts';
import { shownMoreIn } from '../engine/people/seeing.ts';
import { isOpen, isOver, mainStateId, type Event, type TicketState } from '../engine/state.ts';
import { isStall } from '../engine/stalling.ts';
import type { Facts } from '../engine/work.ts';
import { fit } from './fit.ts';
import { load, type Stored } from '../store/store.ts';
import { ticketTable } from '../tables.ts';

/** Tickets looked at in one call. */
const max = 200;

/** Reports for each running ticket what moving it to another version would mean and, unless it is a dry run, moves those that can be moved. */
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
  const standing = standingIn(asked.to.definition, effort);
  const value: MigrationRow[] = [];
  for (const { id } of rows.slice(0, max)) {
    // Under its lock a ticket may turn out to be over.
    const stored = await load(tx, id, running, !asked.dry_run);
    if (stored) value.push(await one(tx, stored, asked, standing));
  }
  return {
    value,
    total,
    can_move: value.filter((row) => row.can_move).length,
    moved: value.filter((row) => row.moved).length,
    next_after: rows.length > max ? (rows[max - 1]?.id ?? null) : null,
  };
}

/** Pairs of a combination and a state that are examined between two other requests. */
const effort = 400_000;

async function one(tx: Db, stored: Stored, asked: MigrationAsked, standing: Standing): Promise<MigrationRow> {
  const { definition } = stored.version;
  const { state: before } = stored;
  const { faults, changes, needs, moves, opens } = fit(definition, asked.to.definition, before, asked);
  const turn = await turnOf(tx, stored, asked, { moves, opens });
  const after = faults.length > 0 ? null : await tried().catch(refusedFor(faults));
  const nameIn = ({ states }: Definition, at: TicketState) =>
    states.find((state) => state.id === mainStateId(at))?.name ?? '';
  return {
    ticket_id: stored.id,
    sn: stored.sn,
    title: before.title,
    from_no: stored.version.no,
    state_name: nameIn(definition, before),
    to_state_name: after ? nameIn(asked.to.definition, after) : '',
    can_move: after !== null,
    moved: after !== null && !asked.dry_run,
    needs: needs.map((id) => ({ state_id: id, state_name: stateOf(definition, id).name })),
    msgs: [...faults, ...changes],
  };

  /** The ticket after the trial; null if it could not be finished. */
  function tried(): Promise<TicketState | null> {
    return savepoint(tx, async () => {
      const subject = { ...stored, version: asked.to };
      const { creator, state } = await decideTurn(tx, subject, turn);
      faults.push(...stuck(asked.to.definition, state, creator, standing, changes, before.tasks.length));
      if (faults.length > 0) return null;
      if (asked.dry_run) return state;
      await run(tx, subject, turn);
      await tx.update(ticketTable).set({ version_id: asked.to.id }).where(eq(ticketTable.id, stored.id));
      return state;
    });
  }
}

const refusedFor =
  (faults: string[]) =>
  (stop: unknown): null => {
    if (!(stop instanceof Refusal)) throw stop;
    faults.push(stop.message);
    return null;
  };

/** Faults of positions from which nobody could reach an end; undecidable ones are reported as a change. */
function stuck(
  to: Definition,
  ticket: TicketState,
  creator: Facts['creator'],
  standing: Standing,
  changes: string[],
  /** The number of its earlier tasks. */
  asked: number,
): string[] {
  const faults: string[] = [];
  for (const { state_id, status } of isOver(ticket) ? [] : ticket.tokens) {
    if (status !== 'active') continue;
    const { name } = stateOf(to, state_id);
    const finishes = standing(state_id, { ...creator, form: ticket.form });
    if (finishes === false) faults.push(`按已填的内容，从“${name}”走不到结束环节，请修改新版本之后的条件`);
    if (finishes === null)
      changes.push(`条件的取值组合太多，没有证明从“${name}”走得到结束环节；走不下去的会交给流程管理员处理`);
  }
  for (const task of ticket.tasks)
    if (isStall(task) && isOpen(task) && task.no > asked) changes.push(`${task.reason}，迁移后会交给流程管理员处理`);
  return faults;
}

async function turnOf(
  tx: Db,
  stored: Stored,
  { to, actor, origin, now }: MigrationAsked,
  plan: Pick<Migration, 'moves' | 'opens'>,
): Promise<Turn> {
  const suggestion = `流程从第 ${stored.version.no} 版改到第 ${to.no} 版`;
  const by = await peopleById(tx, [actor]);
  const forgets = leftBehind(stored.state, stored.version.definition, to.definition);
  return {
    ...byItself(stored),
    decide: (known) => migrated(to.definition, stored.state, { actor, suggestion, forgets, ...plan }, known),
    heard: { actor: { id: actor, alias: by.get(actor)?.alias ?? '' }, suggestion, talk: false },
    origin,
    now,
  };
}

/** The parts of a ticket that the new version does not keep: references to the old one, and agreements about less than the new one shows. */
function leftBehind(ticket: TicketState, from: Definition, to: Definition): Event[] {
  const known = new Set(to.states.map((state) => state.id));
  const dropped = ticket.tokens.filter(({ back_to }) => {
    const task = ticket.tasks.find((one) => one.no === back_to);
    if (task === undefined) return false;
    const { state_id } = task;
    return !known.has(state_id) || !sameNest([from, state_id], [to, state_id]);
  });
  const tasks = shownMoreIn(to, from, ticket);
  return [
    ...(tasks.length > 0 ? [{ type: 'shown_more', tasks } as const] : []),
    ...(ticket.undo ? [{ type: 'undo_set', undo: null } as const] : []),
    ...dropped.map((token) => ({ type: 'straight_back_dropped', token: token.no }) as const),
  ];
}
