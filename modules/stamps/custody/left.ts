import { and, eq, inArray, ne, or } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { peopleById, workingAmong } from '#modules/people/service.ts';
import { openLines } from '../application/of-stamp.ts';
import { linesOf } from '../application/lines.ts';
import { lineState } from '../contract/codes.ts';
import { stampStatus } from '../contract/seal-codes.ts';
import { applicants, notifyOf } from '../desk/news.ts';
import { overseersOf, tellOnSeal } from '../notify.ts';
import { applicationTable } from '../tables/application.ts';
import { stampTable } from '../tables/seals.ts';
import { keepersNow } from './keeper.ts';

/** Somebody who had to do with seals is in office no more: whoever may name another hears of it at once, and so does whoever waits. */
export async function tellOfLeft(tx: Db, person: number): Promise<void> {
  if ((await workingAmong(tx, [person])).length > 0) return;
  const { keeper_id, backup_id, supervisor_id, status } = stampTable;
  const theirs = or(eq(keeper_id, person), eq(backup_id, person), eq(supervisor_id, person));
  const stamps = await tx
    .select()
    .from(stampTable)
    .where(and(theirs, ne(status, stampStatus.destroyed)))
    .orderBy(stampTable.id)
    .for('share');
  const who = (await peopleById(tx, [person])).get(person)?.alias ?? '';
  const keepers = await keepersNow(
    tx,
    stamps.map((stamp) => stamp.id),
  );
  for (const stamp of stamps) {
    const keeps = keepers.get(stamp.id) === person;
    const part = keeps
      ? '保管人'
      : stamp.supervisor_id === person
        ? '监印人'
        : stamp.keeper_id === person
          ? '保管人'
          : '备岗';
    const next = part === '保管人' ? '办理交接，另定保管人' : '办理监印变更，另定人选';
    const said = {
      event: 'STAMP_CUSTODY',
      id: stamp.id,
      occasion: `left ${person}`,
      title: `“${stamp.name}”的${part}已离岗`,
      content: `“${stamp.name}”的${part}${who}已不在岗${keeps ? '，现在没有人可以用印' : ''}。请${next}。`,
    } as const;
    await tellOnSeal(tx, stamp.id, said, await overseersOf(tx, stamp.dept_id, true));
    if (keeps) await tellWaiting(tx, stamp, who);
  }
}

/** Whoever waits for a seal is told whom it lacks. */
async function tellWaiting(tx: Db, stamp: { id: number; name: string }, who: string): Promise<void> {
  const lines = await linesOf(tx, [], openLines(stamp.id, [lineState.waiting, lineState.ready]));
  const ids = [...new Set(lines.map((line) => line.application_id))];
  const rows = await tx
    .select()
    .from(applicationTable)
    .where(inArray(applicationTable.id, ids))
    .orderBy(applicationTable.id);
  for (const row of rows)
    await notifyOf(
      tx,
      row,
      {
        event: 'STAMP_CUSTODY',
        title: `暂时不能用印：${row.title}`,
        content: `“${stamp.name}”的保管人${who}已不在岗，已请印章管理人员另定保管人，定下后即可用印。`,
        occasion: `left ${stamp.id}`,
      },
      applicants(row),
    );
}

/** Queued by the database for whoever is in office no more (migrations/0082-keepers-leave.sql). */
export const leftTask = ({ write }: Pick<Databases, 'write'>): Task<{ person: number }> => ({
  name: 'tell of seals whose keeper left',
  title: '提醒保管人或监印人离岗的印章',
  run: ({ person }) => write((tx) => tellOfLeft(tx, person)),
});
