import { and, eq, inArray, ne, or } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { announce, hearersIn } from '#modules/platform/messages/service.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { openLines } from '../application/of-stamp.ts';
import { linesOf } from '../application/lines.ts';
import { lineState } from '../contract/codes.ts';
import { stampRules } from '../contract/oversight.ts';
import { stampStatus } from '../contract/seal-codes.ts';
import { applicants } from '../desk/news.ts';
import { announceOnSeal, ofApplication, overseersOf, sealNews } from '../notify.ts';
import { applicationTable } from '../tables/application.ts';
import { stampTable } from '../tables/seals.ts';
import { keepersNow } from './keeper.ts';

/** Notifies everybody who can appoint a successor, and the waiting applicants, when a person with a role in a seal has left. */
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
  const others = stamps.filter((stamp) => keepers.get(stamp.id) !== person);
  const alone = await withoutSecond(tx, others, keepers);
  const lacks = (stamp: StampRow) => {
    if (keepers.get(stamp.id) === person) return '，现在没有人可以用印';
    return alone.includes(stamp) ? '，现在没有人可以监印确认' : '';
  };
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
      content: `“${stamp.name}”的${part}${who}已不在岗${lacks(stamp)}。请${next}。`,
      by: null,
    };
    await announceOnSeal(tx, sealNews.STAMP_CUSTODY, stamp.id, said, overseers.get(stamp.dept_id)!);
  }
  await tellWaiting(
    tx,
    person,
    stamps.filter((stamp) => keepers.get(stamp.id) === person),
    `的保管人${who}已不在岗，已请印章管理人员另定保管人`,
  );
  await tellWaiting(tx, person, alone, `须双人用印，而可以监印确认的${who}已不在岗，已请印章管理人员另定监印人`);
}

type StampRow = typeof stampTable.$inferSelect;
/** Those of the given seals that need two people and have no second person left. */
async function withoutSecond(
  tx: Db,
  stamps: readonly StampRow[],
  keepers: ReadonlyMap<number, number>,
): Promise<StampRow[]> {
  const { two_person_types } = (await readRules(tx, stampRules)).value;
  const two = stamps.filter((stamp) => two_person_types.includes(stamp.type));
  const secondsOf = (stamp: StampRow) =>
    [stamp.supervisor_id, stamp.keeper_id, stamp.backup_id].filter(
      (id): id is number => id !== null && id !== keepers.get(stamp.id),
    );
  const working = new Set(await workingAmong(tx, two.flatMap(secondsOf)));
  return two.filter((stamp) => !secondsOf(stamp).some((id) => working.has(id)));
}

/** Notifies the applicants who wait for the seals, naming the missing role. */
async function tellWaiting(tx: Db, left: number, stamps: readonly { id: number }[], lack: string): Promise<void> {
  if (stamps.length === 0) return;
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
          content: `“${line.stamp_name}”${lack}，定下后即可用印。`,
          occasion: `left ${left} ${line.stamp_id}`,
          by: null,
        },
        applicants(row),
      );
}

/** Queued by the database when a person leaves (migrations/0082-keepers-leave.sql). */
export const leftTask = ({ write }: Pick<Databases, 'write'>): Task<{ person: number }> => ({
  name: 'tell of seals whose keeper left',
  title: '提醒保管人或监印人离岗的印章',
  run: ({ person }) => write((tx) => tellOfLeft(tx, person)),
});
