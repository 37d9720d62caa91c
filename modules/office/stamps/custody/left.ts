import { and, eq, inArray, ne, or } from 'drizzle-orm';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { readRules } from '#kernel/server/rules/rules.ts';
import { announce, hearersIn } from '#modules/platform/messages/service.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { openLines } from '../application/of-stamp.ts';
import { linesOf, type LineRow } from '../application/lines.ts';
import type { Stored } from '../application/record.ts';
import { secondsOf } from '../application/rights.ts';
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
  const kept = stamps.filter((stamp) => keepers.get(stamp.id) === person);
  const twoPersons = (await twoPersonSeals(tx, stamps)).filter((stamp) => !kept.includes(stamp));
  const working = new Set(await workingAmong(tx, twoPersons.flatMap(keepingOrWatching)));
  const lacks = (stamp: StampRow) => {
    if (kept.includes(stamp)) return '，现在没有人可以用印';
    const second = (id: number) => id !== keepers.get(stamp.id) && working.has(id);
    return twoPersons.includes(stamp) && !keepingOrWatching(stamp).some(second) ? '，现在没有人可以监印确认' : '';
  };
  const partOf = (stamp: StampRow) => {
    if (kept.includes(stamp)) return parts.keeper;
    if (stamp.supervisor_id === person) return parts.supervisor;
    return stamp.keeper_id === person ? parts.keeper : parts.backup;
  };
  for (const stamp of stamps) {
    const part = partOf(stamp);
    const said = {
      id: stamp.id,
      occasion: `left ${person}`,
      title: `“${stamp.name}”的${part.word}已离岗`,
      content: `“${stamp.name}”的${part.word}${who}已不在岗${lacks(stamp)}。请办理${part.act}，另定${part.word}。`,
      by: null,
    };
    await announceOnSeal(tx, sealNews.STAMP_CUSTODY, stamp.id, said, overseers.get(stamp.dept_id)!);
  }
  const asked = (stamp: StampRow) => `已请印章管理人员另定${partOf(stamp).word}`;
  await tellWaiting(tx, person, kept, (stamp) => `的保管人${who}已不在岗，${asked(stamp)}`);
  await tellWaiting(
    tx,
    person,
    twoPersons,
    (stamp) => `须双人用印，而可以监印确认的${partOf(stamp).word}${who}已不在岗，${asked(stamp)}`,
    (row, line) => {
      const seconds = secondsOf(row, line, line.keeper);
      return seconds.includes(person) && !seconds.some((id) => working.has(id));
    },
  );
}

type StampRow = typeof stampTable.$inferSelect;
/** The people of a seal, each with the act that appoints another. */
const parts = {
  keeper: { word: '保管人', act: '交接' },
  supervisor: { word: '监印人', act: '监印变更' },
  backup: { word: '备岗', act: '监印变更' },
} as const;
const keepingOrWatching = (stamp: StampRow): number[] =>
  [stamp.supervisor_id, stamp.keeper_id, stamp.backup_id].filter((id): id is number => id !== null);

/** Those of the given seals that two people use. */
async function twoPersonSeals(tx: Db, stamps: readonly StampRow[]): Promise<StampRow[]> {
  const { two_person_types } = (await readRules(tx, stampRules)).value;
  return stamps.filter((stamp) => two_person_types.includes(stamp.type));
}

/** Notifies the applicants who wait for a seal that they can no longer get because somebody left, naming the missing role. */
async function tellWaiting(
  tx: Db,
  left: number,
  stamps: readonly StampRow[],
  lack: (stamp: StampRow) => string,
  isLacking: (row: Stored, line: LineRow) => boolean = () => true,
): Promise<void> {
  if (stamps.length === 0) return;
  const byId = new Map(stamps.map((stamp) => [stamp.id, stamp]));
  const lines = await linesOf(tx, [], openLines([...byId.keys()], [lineState.waiting, lineState.ready]));
  const rows = await tx
    .select()
    .from(applicationTable)
    .where(inArray(applicationTable.id, [...new Set(lines.map((line) => line.application_id))]))
    .orderBy(applicationTable.id);
  for (const row of rows)
    for (const line of lines.filter((one) => one.application_id === row.id && isLacking(row, one)))
      await announce(
        tx,
        sealNews.STAMP_CUSTODY,
        row,
        {
          ...ofApplication(row),
          head: '暂时不能用印',
          content: `“${line.stamp_name}”${lack(byId.get(line.stamp_id)!)}，定下后即可用印。`,
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
