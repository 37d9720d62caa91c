import type { Db } from '#kernel/server/db/db.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { notifyPeople, type News } from '#modules/platform/messages/service.ts';
import { headsOf, holdersOf } from '#modules/platform/people/service.ts';
import { personWithRights, viewerOf } from '#modules/platform/people/service/rights.ts';
import { sees } from './seals/visibility.ts';

/** Where those who have to sign do so. */
export const signPath = '/stamp/custody';
export const stampModule = 'stamp_seals';

interface Said {
  event: 'STAMP_CUSTODY' | 'STAMP_LOST' | 'STAMP_ALERT';
  /** The event of custody, or the seal. */
  id: number;
  title: string;
  content: string;
  path: string;
  /** Which of its happenings: asked for, in effect, declined, run out. Told of one, people hear of the next all the same. */
  occasion: string;
  once?: boolean;
}

/** Tells people what became of a seal, or that they have to sign for it. */
export async function tellOfSeal(tx: Db, { id, path, ...said }: Said, to: readonly number[]): Promise<void> {
  const level = said.event === 'STAMP_LOST' ? { level: newsLevel.urgent } : {};
  const news: News = { ...said, ...level, type: newsType.stamp, module: stampModule, objectId: id, webPath: path };
  await notifyPeople(tx, news, to);
  changed(tx, 'stamp', [...to]);
}

/** Tells of a seal on its page whoever may open that; others where their own signatures stand. */
export async function tellOnSeal(
  tx: Db,
  stampId: number,
  said: Omit<Said, 'path'>,
  to: readonly number[],
): Promise<void> {
  const [seeing, others]: [number[], number[]] = [[], []];
  for (const id of new Set(to)) {
    const person = await personWithRights(tx, id);
    (person && (await sees(tx, viewerOf(person, 0), stampId)) ? seeing : others).push(id);
  }
  await tellOfSeal(tx, { ...said, path: `/stamp/list/detail/${stampId}` }, seeing);
  await tellOfSeal(tx, { ...said, path: signPath }, others);
}

const ids = (people: readonly { id: number }[]) => people.map((one) => one.id);
/** Who oversees a seal: heads of its department and the auditors of seals; `office`: whoever manages seals as well. */
export async function overseersOf(tx: Db, deptId: number, office = false): Promise<number[]> {
  const found = [...(await headsOf(tx, [deptId])), ...(await holdersOf(tx, 'seal_auditor'))];
  return [...new Set(ids([...found, ...(office ? await holdersOf(tx, 'office_admin') : [])]))];
}
