import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { notifyPeople } from '#modules/messages/service.ts';
import { peopleById } from '#modules/people/service.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/people/service/leaves.ts';
import { goesRound, notOwnDelegation } from './contract.ts';
import { over, overAt, type WithdrawTodos } from './ending.ts';
import { ringOf } from './loops.ts';
import { newsOf } from './server.ts';
import { standInTable } from './tables.ts';

/** Delegations to somebody that run or are to come. */
async function givenTo(tx: Db, person: number) {
  const rows = await tx
    .select()
    .from(standInTable)
    .where(and(eq(standInTable.to_id, person), isNull(standInTable.ended_at), gt(standInTable.ends_at, sql`now()`)))
    .orderBy(standInTable.starts_at, standInTable.id);
  const people = await peopleById(
    tx,
    rows.map((row) => row.from_id),
  );
  return rows.map((row) => ({
    ...row,
    title: `代${people.get(row.from_id)?.alias ?? ''}办理`,
    note: `至 ${row.ends_at.slice(0, 16)}`,
    at: row.starts_at.slice(0, 19),
  }));
}

/** For whom somebody stands in. Their own delegations end with their account. */
export const delegationLeaves = (withdrawTodos: WithdrawTodos): Leaves => ({
  key: 'delegations',
  title: '代理',
  async openOf(tx, person, limit) {
    const rows = await givenTo(tx, person);
    return heldOf(
      rows.map(({ id, title, note, at }) => ({ id, title, note, at })),
      limit,
    );
  },
  handOver: async (tx, from, to, _by, only) =>
    eachHanded(await givenTo(tx, from.id), only, async (row) => {
      if (row.from_id === to.id) throw notOwnDelegation();
      const { starts_at: start, ends_at: end, workflow_ids: workflows } = row;
      const ring = await ringOf(tx, { from: row.from_id, to: to.id, start, end, workflows });
      if (ring) {
        const people = await peopleById(tx, ring);
        throw goesRound(ring.map((id) => people.get(id)?.alias ?? ''));
      }
      await tx.update(standInTable).set({ to_id: to.id }).where(eq(standInTable.id, row.id));
      await overAt(tx, row.id, to.id, new Date(end));
      await over(tx, withdrawTodos, from.id);
      const news = newsOf(
        row.id,
        `${row.title}的人由${from.alias}改为${to.alias}`,
        `${from.alias}离岗，由管理员移交`,
        'moved',
      );
      await notifyPeople(tx, news, [row.from_id, to.id]);
    }),
});
