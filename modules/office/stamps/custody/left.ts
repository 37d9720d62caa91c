import { and, eq, inArray, ne, or } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { announce, hearersIn } from '#modules/platform/messages/service.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { openLines } from '../application/of-stamp.ts';
import { linesOf } from '../application/lines.ts';
import { lineState } from '../contract/codes.ts';
import { stampStatus } from '../contract/seal-codes.ts';
import { applicants } from '../desk/news.ts';
import { announceOnSeal, ofApplication, overseersOf, sealNews } from '../notify.ts';
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
  const overseers = new Map<number, number[]>();
  for (const dept of new Set(stamps.map((stamp) => stamp.dept_id)))
    overseers.set(dept, await hearersIn(tx, overseersOf(dept, true)));
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
      id: stamp.id,
      occasion: `left ${person}`,
      title: `“${stamp.name}”的${part}已离岗`,
      content: `“${stamp.name}”的${part}${who}已不在岗${keeps ? '，现在没有人可以用印' : ''}。请${next}。`,
      by: null,
    };
    await announceOnSeal(tx, sealNews.STAMP_CUSTODY, stamp.id, said, overseers.get(stamp.dept_id)!);
  }
  await tellWaiting(
    tx,
    stamps.filter((stamp) => keepers.get(stamp.id) === person),
    who,
  );
}

/** Whoever waits for one of some seals is told whom it lacks. */
async function tellWaiting(tx: Db, stamps: readonly { id: number }[], who: string): Promise<void> {
  const ids = stamps.map((stamp) => stamp.id);
  const lines = await linesOf(tx, [], openLines(ids, [lineState.waiting, lineState.ready]));
  const rows = await tx
    .select()
    .from(applicationTable)
    .where(inArray(applicationTable.id, [...new Set(lines.map((line) => line.application_id))]))
    .orderBy(applicationTable.id);
  for (const row of rows)
    for (const line of lines.filter((one) => one.application_id === row.id))
      await announce(
        tx,
        sealNews.STAMP_CUSTODY,
        row,
        {
          ...ofApplication(row),
          head: '暂时不能用印',
          content: `“${line.stamp_name}”的保管人${who}已不在岗，已请印章管理人员另定保管人，定下后即可用印。`,
          occasion: `left ${line.stamp_id}`,
          by: null,
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
