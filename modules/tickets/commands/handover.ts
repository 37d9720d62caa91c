import { and, eq, inArray, ne } from 'drizzle-orm';
import { absent, Refusal } from '#kernel/contract/refusal.ts';
import type { Db } from '#kernel/server/db/db.ts';
import { implement } from '#kernel/server/http/implement.ts';
import { pageOf } from '#kernel/server/list/paging.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { peopleById, peopleByName, personInScope, type PersonCard } from '#modules/people/service.ts';
import { versionsById } from '#modules/workflows/service.ts';
import { savepoint } from './savepoint.ts';
import { stateInfo } from '../read/cards.ts';
import { handover, noReceiver } from '../contract/handover.ts';
import { noRights } from '../engine/ways/offers.ts';
import { isOpen } from '../engine/state.ts';
import { actFor } from './apply-decision.ts';
import { handingOver, type Proxy } from './proxy.ts';
import { load, short, type Stored } from '../store/store.ts';
import { ticketTable, ticketTaskTable } from '../tables.ts';

/** Most tickets handed over in one go; what is left is asked for again. */
const mostAtOnce = 200;

/** Tasks in tickets of others, also those whose turn comes later: what somebody has begun themselves stays theirs. */
const openOf = (person: number) =>
  and(
    eq(ticketTaskTable.assignee_id, person),
    inArray(ticketTaskTable.status, ['todo', 'waiting']),
    eq(ticketTable.is_deleted, false),
    ne(ticketTable.creator_id, person),
  );

async function leaver(tx: Db, user: Viewer, id: number): Promise<PersonCard> {
  const person = (await personInScope(tx, user, id, 'Update')) ? (await peopleById(tx, [id])).get(id) : undefined;
  if (!person) throw absent('用户');
  return person;
}

export const handoverModule = implement('ticket', handover, {
  async openTasks({ params, query }, { tx, user }) {
    const { id } = await leaver(tx, user, params.id);
    const select = tx
      .select({
        ticket_id: ticketTable.id,
        no: ticketTaskTable.no,
        sn: ticketTable.sn,
        version_id: ticketTable.version_id,
        state_id: ticketTaskTable.state_id,
        opened_at: short(ticketTaskTable.opened_at),
        due_at: short(ticketTaskTable.due_at),
      })
      .from(ticketTaskTable)
      .innerJoin(ticketTable, eq(ticketTable.id, ticketTaskTable.ticket_id))
      .where(openOf(id));
    const page = await pageOf(tx, query, select.$dynamic(), {
      by: { opened_at: ticketTaskTable.opened_at },
      first: 'opened_at',
      tie: ticketTable.id,
    });
    const versions = await versionsById(
      tx,
      page.value.map((row) => row.version_id),
    );
    const value = page.value.map(({ no, version_id, state_id, opened_at, ...row }) => {
      const definition = versions.get(version_id)?.definition;
      return {
        ...row,
        id: row.ticket_id * 1000 + no,
        workflow_name: definition?.name ?? '',
        state_name: definition ? stateInfo(definition, state_id).state_name : '',
        opened_at: opened_at ?? '',
      };
    });
    return { ...page, value };
  },

  async handOver({ params, body }, { tx, user, now, origin, audit }) {
    const from = await leaver(tx, user, params.id);
    const { target_username, ticket_ids } = body;
    const to = (await peopleByName(tx, [target_username])).get(target_username);
    if (!to) throw noReceiver(target_username);
    const rows = await tx
      .selectDistinct({ id: ticketTable.id })
      .from(ticketTaskTable)
      .innerJoin(ticketTable, eq(ticketTable.id, ticketTaskTable.ticket_id))
      .where(and(openOf(from.id), ticket_ids.length > 0 ? inArray(ticketTable.id, ticket_ids) : undefined))
      .orderBy(ticketTable.id)
      .limit(mostAtOnce);
    const proxy = { by: user.id, name: user.alias, origin, now };
    const kept: { ticket_id: number; sn: string; msg: string }[] = [];
    let moved = 0;
    for (const { id } of rows) {
      const stored = await load(tx, id, undefined, true);
      if (!stored) continue;
      try {
        moved += await savepoint(tx, () => passOn(tx, stored, from, to, proxy));
      } catch (stop) {
        if (!(stop instanceof Refusal)) throw stop;
        kept.push({ ticket_id: id, sn: stored.sn, msg: stop.message });
      }
    }
    audit({
      type: '用户',
      id: from.id,
      title: from.alias,
      after: { 操作: '移交待办', 接收人: to.alias, 移交: moved, 未移交: kept.map((one) => one.sn).join('、') },
    });
    return { moved, kept };
  },
});

/** Hands the tasks of one ticket over; answers how many. A task nobody has claimed is claimed first, unless others still may. */
async function passOn(tx: Db, first: Stored, from: PersonCard, to: PersonCard, proxy: Proxy): Promise<number> {
  let stored = first;
  let moved = 0;
  for (const task of first.state.tasks) {
    if (task.assignee !== from.id || !isOpen(task)) continue;
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
