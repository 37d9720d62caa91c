import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { changed } from '#kernel/server/live/changes.ts';
import { newsType } from '#modules/platform/messages/contract.ts';
import { closeTodo, notifyPeople } from '#modules/platform/messages/service.ts';
import { headsOf } from '#modules/platform/people/service.ts';
import { bringBack } from '#modules/platform/waits/service.ts';
import { module, type Item, type Sub } from './visibility.ts';

/** Whoever writes, and when. */
export type By = Pick<Context, 'tx' | 'audit' | 'now'> & { user: Viewer };
/** Messages of a part go by its id, those of an item by its. */
export const subModule = 'supervision_sub';
export const addressOf = (itemId: number) => `/supervise/detail/${itemId}`;

/** Of which happening a sheet's own news are, and that it was not answered in time. */
export const sheetOccasion = (id: number) => String(id);
export const lateOccasion = (id: number) => `late-${id}`;

const titles = {
  SUP_ISSUED: '督办任务',
  SUP_NEAR: '督办任务临期',
  SUP_BEHIND: '督办任务滞后',
  SUP_OVERDUE: '督办任务逾期',
  SUP_CHECK: '待审核的进展',
  SUP_RETURNED: '进展审核',
  SUP_REQUEST: '督办申请',
  SUP_DECIDED: '督办决定',
  SUP_OPINION: '督办意见',
  SUP_SHEET: '督办单',
  SUP_FINISHED: '督办事项',
} as const;
export type SuperviseEvent = keyof typeof titles;

export const newsOf = (
  event: SuperviseEvent,
  item: Pick<Item, 'id' | 'title'>,
  sub: Pick<Sub, 'id' | 'title'> | null,
  content: string,
) => ({
  title: `${titles[event]}：${sub?.title ?? item.title}`,
  content: sub && sub.title !== item.title ? `《${item.title}》${content}` : content,
  type: newsType.supervision,
  module: sub ? subModule : module,
  objectId: sub?.id ?? item.id,
  event,
  webPath: addressOf(item.id),
});

/** Tells people what became of an item, or of one of its parts; of each occasion once. Whoever did it knows; nobody did what follows by itself. */
export async function say(
  { tx, user }: Pick<By, 'tx'> & { user: { id: number } | null },
  event: SuperviseEvent,
  [item, sub]: readonly [Item, Sub | null],
  to: readonly (number | null)[],
  content: string,
  occasion: string | number = '',
  level = item.level - 1,
): Promise<void> {
  const people = to.filter((id): id is number => id !== null && id !== user?.id);
  await notifyPeople(
    tx,
    { ...newsOf(event, item, sub, content), occasion: String(occasion), level, senderId: user?.id ?? null },
    people,
  );
  changed(tx, 'supervise', [...new Set([...people, ...(user ? [user.id] : [])])]);
}

/** Whom somebody urges about an item, by words or by a sheet, has it before them again, whatever they put aside of it. */
export const urged = ({ tx, user }: By, item: Pick<Item, 'id'>, people: readonly number[]): Promise<void> =>
  bringBack(
    tx,
    addressOf(item.id),
    people.filter((id) => id !== user.id),
  );

/** Owner and helpers of a part, and who heads its department. */
export async function peopleOf({ tx }: Pick<By, 'tx'>, sub: Sub, helpers = true): Promise<number[]> {
  const heads = await headsOf(tx, [sub.dept]);
  return [...new Set([sub.owner, ...(helpers ? sub.co_users : []), ...heads.map((one) => one.id)])];
}

/** What asked people to do something about a part asks it no more. */
export const closeNews = ({ tx }: Pick<By, 'tx'>, subIds: readonly number[], ...events: SuperviseEvent[]) =>
  closeTodo(tx, { module: subModule, objectId: subIds, events });

/** The same of one sheet: others of its part are asked about still. */
export const closeSheetNews = ({ tx }: Pick<By, 'tx'>, sub: number, sheet: number) =>
  closeTodo(tx, {
    module: subModule,
    objectId: sub,
    events: ['SUP_SHEET'],
    of: [sheetOccasion(sheet), lateOccasion(sheet)],
  });
