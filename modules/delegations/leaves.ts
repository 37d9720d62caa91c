import { and, eq, gt, isNull, sql } from 'drizzle-orm';
import type { Db } from '#kernel/server/db/db.ts';
import { notifyPeople } from '#modules/messages/service.ts';
import { peopleById } from '#modules/people/service.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/people/service/leaves.ts';
import { over, type WithdrawTodos } from './ending.ts';
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
  title: '代理（移交时结束）',
  ends: true,
  async openOf(tx, person, limit) {
    const rows = await givenTo(tx, person);
    return heldOf(
      rows.map(({ id, title, note, at }) => ({ id, title, note, at })),
      limit,
    );
  },
  // Whom somebody trusts is theirs to choose: nobody takes the place of the one they chose.
  handOver: async (tx, from, _to, { user }, only) =>
    eachHanded(await givenTo(tx, from.id), only, async (row) => {
      await tx
        .update(standInTable)
        .set({ ended_at: sql`now()` })
        .where(eq(standInTable.id, row.id));
      await over(tx, withdrawTodos, from.id);
      const news = newsOf(
        row.id,
        `您对${from.alias}的委托已结束`,
        `${user.alias}办理${from.alias}的事项移交时结束，请另行委托`,
        'ended',
      );
      await notifyPeople(tx, news, [row.from_id]);
    }),
});
