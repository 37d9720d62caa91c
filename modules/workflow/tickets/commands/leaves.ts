import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm';
import { Refusal } from '#kernel/contract/refusal.ts';
import { savepoint, type Db } from '#kernel/server/db/db.ts';
import { decidedApart, namedThemselves, notPassedOn, ownRequest } from '../contract/refusals.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById, type PersonCard } from '#modules/platform/people/service.ts';
import type { Handed, Leaves } from '#modules/platform/people/service/leaves.ts';
import { stateOf } from '#modules/workflow/workflows/engine/definition.ts';
import { administratorsOf, grantsOf, versionsById, workflowsWith } from '#modules/workflow/workflows/service.ts';
import { isNamedBeyond } from '#modules/workflow/workflows/service/naming.ts';
import { stateInfo } from '../read/cards.ts';
import { isOwn, whoElseDecides } from '../engine/four-eyes.ts';
import { noRights } from '../engine/ways/offers.ts';
import { isOpen, type Task } from '../engine/state.ts';
import { ticketNews } from '../notify/kinds.ts';
import { load, short, type Stored } from '../store/store.ts';
import { ticketTable, ticketTaskTable } from '../tables.ts';
import { actFor } from './run.ts';
import { handingOver, type Proxy } from './proxy.ts';

/** The most tickets handed over in one go; further ones need another request. */
const mostAtOnce = 200;
const perTicket = 1000;

/** Tasks in other people's tickets, future ones too; tickets that somebody began themselves stay theirs. */
const openOf = (person: number) =>
  and(
    eq(ticketTaskTable.assignee_id, person),
    inArray(ticketTaskTable.status, ['todo', 'waiting']),
    eq(ticketTable.is_deleted, false),
    ne(ticketTable.creator_id, person),
  );

export const taskLeaves: Leaves = {
  key: 'tasks',
  title: '待办工单',
  asPerson: true,
  async openOf(tx, person, limit) {
    const rows = await tx
      .select({
        ticket_id: ticketTable.id,
        no: ticketTaskTable.no,
        sn: ticketTable.sn,
        version_id: ticketTable.version_id,
        state_id: ticketTaskTable.state_id,
        opened_at: short(ticketTaskTable.opened_at),
        count: sql<number>`count(*) over ()::int`,
      })
      .from(ticketTaskTable)
      .innerJoin(ticketTable, eq(ticketTable.id, ticketTaskTable.ticket_id))
      .where(openOf(person))
      .orderBy(asc(ticketTaskTable.opened_at), asc(ticketTable.id))
      .limit(limit);
    const versions = await versionsById(
      tx,
      rows.map((row) => row.version_id),
    );
    const shown = rows.map(({ ticket_id, no, sn, version_id, state_id, opened_at }) => {
      const definition = versions.get(version_id)?.definition;
      const note = definition ? `${definition.name} · ${stateInfo(definition, state_id).state_name}` : '';
      return { id: ticket_id * perTicket + no, title: sn, note, at: opened_at };
    });
    return { count: rows[0]?.count ?? 0, rows: shown };
  },

  async handOver(tx, from, to, { user, now, origin }, only) {
    const tickets = [...new Set(only.map((id) => Math.floor(id / perTicket)))];
    const rows = await tx
      .selectDistinct({ id: ticketTable.id })
      .from(ticketTaskTable)
      .innerJoin(ticketTable, eq(ticketTable.id, ticketTaskTable.ticket_id))
      .where(and(openOf(from.id), only.length > 0 ? inArray(ticketTable.id, tickets) : undefined))
      .orderBy(ticketTable.id)
      .limit(mostAtOnce);
    const intervenes = new Set(workflowsWith(await grantsOf(tx, user), 'intervene'));
    const proxy = { by: user.id, name: user.alias, origin, now };
    const handed: Handed = { moved: 0, kept: [] };
    const stay: Stored[] = [];
    for (const { id } of rows) {
      const stored = await load(tx, id, undefined, true);
      if (!stored) continue;
      if (isOwn(stored.state, user.id) && !user.superAdmin) {
        handed.kept.push({ id, title: stored.sn, msg: ownRequest().message });
        continue;
      }
      const wanted = ({ no }: Task) => only.length === 0 || only.includes(id * perTicket + no);
      try {
        handed.moved += await savepoint(tx, () =>
          passOn(tx, stored, { from, to, user, intervenes, proxy, wanted, stay }),
        );
      } catch (stop) {
        if (!(stop instanceof Refusal)) throw stop;
        handed.kept.push({ id, title: stored.sn, msg: stop.message });
      }
    }
    await tellOfStaying(tx, from, user, stay);
    return handed;
  },
};

interface Passing {
  from: PersonCard;
  to: PersonCard;
  user: Viewer;
  /** Workflows whose tasks the person handing over may give to others at any time. */
  intervenes: ReadonlySet<number>;
  proxy: Proxy;
  wanted(task: Task): boolean;
  /** Tickets of which a task stays, because only those who run the workflow may choose who gets it. */
  stay: Stored[];
}

/** Messages the administrators of each workflow of which tasks stay: once for the same tickets, however often the hand-over is tried. */
async function tellOfStaying(tx: Db, from: PersonCard, by: Viewer, stay: readonly Stored[]): Promise<void> {
  for (const [workflow_id, tickets] of Map.groupBy(stay, ({ version }) => version.workflow_id)) {
    const { name } = tickets[0]!.version.definition;
    const named = tickets.slice(0, 5).map(({ sn }) => sn);
    const rest = tickets.length > named.length ? `等 ${tickets.length} 张` : '';
    const said = {
      module: 'workflows',
      title: `移交${from.alias}的待办时，流程“${name}”有工单留了下来`,
      content: `工单 ${named.join('、')}${rest} 按流程须由${from.alias}办理，移交的人无权改交他人；请在工单中改派`,
      page: ticketNews.STAYS.page(tickets[0]!.id),
      occasion: `${from.id} ${tickets.at(-1)!.id}`,
      by: by.id,
    };
    await announce(tx, ticketNews.STAYS, { id: workflow_id }, said, await administratorsOf(tx, workflow_id, from.id));
  }
}

/** Hands over the tasks of one ticket; returns how many. A task nobody has claimed is claimed first, unless others still may. */
async function passOn(tx: Db, first: Stored, passing: Passing): Promise<number> {
  const { from, to, proxy, wanted } = passing;
  let stored = first;
  let moved = 0;
  for (const task of first.state.tasks) {
    if (task.assignee !== from.id || !isOpen(task) || !wanted(task)) continue;
    await refuseGiving(tx, stored, task, passing);
    const given = { proxy, rights: { ...noRights, hands_over: true } };
    if (task.pooled) {
      const others = stored.state.tasks.some(
        (one) => one.token === task.token && one.visit === task.visit && one.status === 'todo' && one.no !== task.no,
      );
      if (others) continue;
      stored = await actFor(tx, stored, from.id, { type: 'accept', task_no: task.no }, given);
    }
    const action = {
      type: 'deliver' as const,
      people: [to.username],
      suggestion: `${from.alias}的待办移交`,
      task_no: task.no,
    };
    const definition = handingOver(stored.version.definition, task.state_id);
    stored = await actFor(tx, stored, from.id, action, { ...given, definition });
    moved++;
  }
  return moved;
}

/**
 * Moving a task chooses who decides it. It is refused to somebody who has already decided, if the workflow does not allow handing over, and if the
 * workflow asks a person by name whom the mover could not have named.
 */
async function refuseGiving(
  tx: Db,
  stored: Stored,
  task: Task,
  { from, user, intervenes, stay }: Passing,
): Promise<void> {
  const { version, state, delegates } = stored;
  if (user.superAdmin) return;
  if (whoElseDecides(version.definition, state, task, user.id, { delegates })) throw decidedApart();
  if (intervenes.has(version.workflow_id)) return;
  const asking = stateOf(version.definition, task.state_id);
  if (!asking.actions.includes('deliver')) {
    stay.push(stored);
    throw notPassedOn(asking.name);
  }
  const { workflow_id } = version;
  if (!(await isNamedBeyond(tx, user, { workflow_id, state: asking, person: from.id }))) return;
  stay.push(stored);
  const admins = await peopleById(tx, await administratorsOf(tx, workflow_id, from.id));
  const names = [...admins.values()].map(({ alias }) => alias);
  throw namedThemselves(asking.name, from.alias, names);
}
