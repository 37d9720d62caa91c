import { and, eq, gt, inArray, isNull, sql } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { announce } from '#modules/platform/messages/service.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { eachHanded, heldOf, type Leaves } from '#modules/platform/people/service/leaves.ts';
import { over, type WithdrawTodos } from './ending.ts';
import { delegationNews } from './news.ts';
import { standInTable } from './tables.ts';

/** Delegations to a person that are running or planned. */
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

/** Ends the delegations to somebody who has left, and tells those who had chosen them, because no replacement is chosen for them. */
export const leftTask = (
  databases: Pick<Databases, 'write'>,
  withdrawTodos: WithdrawTodos,
): Task<{ person: number }> => ({
  name: 'stand-ins of who left',
  title: '代办人离开时结束委托',
  run: ({ person }) => databases.write((tx) => endOfLeaver(tx, withdrawTodos, person)),
});

async function endOfLeaver(tx: Db, withdrawTodos: WithdrawTodos, person: number): Promise<void> {
  const working = await workingAmong(tx, [person]);
  const rows = working.length > 0 ? [] : await givenTo(tx, person);
  if (rows.length === 0) return;
  const alias = (await peopleById(tx, [person])).get(person)?.alias ?? '';
  const ids = rows.map((row) => row.id);
  await tx
    .update(standInTable)
    .set({ ended_at: sql`now()` })
    .where(inArray(standInTable.id, ids));
  await over(tx, withdrawTodos, person);
  for (const row of rows) {
    const title = `您对${alias}的委托已结束`;
    const content = `${alias}的账号已停用，不能再代您办理，请另行委托`;
    await announce(tx, delegationNews.DELEGATION_ENDED, { id: row.id }, { title, content, by: null }, [row.from_id]);
  }
}

/** Hands over the delegations to a person who leaves. Those they gave end with their account. */
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
  // The delegation only ends: its giver chooses a new delegate, so the successor does not take it over.
  handOver: async (tx, from, _to, { user }, only) =>
    eachHanded(await givenTo(tx, from.id), only, async (row) => {
      await tx
        .update(standInTable)
        .set({ ended_at: sql`now()` })
        .where(eq(standInTable.id, row.id));
      await over(tx, withdrawTodos, from.id);
      const title = `您对${from.alias}的委托已结束`;
      const content = `${user.alias}办理${from.alias}的事项移交时结束，请另行委托`;
      await announce(tx, delegationNews.DELEGATION_ENDED, { id: row.id }, { title, content, by: user.id }, [
        row.from_id,
      ]);
    }),
});
