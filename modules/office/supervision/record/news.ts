import type { Context } from '#kernel/server/http/implement.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import { newsLevel, newsType } from '#modules/platform/messages/contract.ts';
import { newsKinds } from '#modules/platform/messages/contract/kinds.ts';
import { closeTodo } from '#modules/platform/messages/service.ts';
import { headsOf } from '#modules/platform/people/service.ts';
import { bringBack } from '#modules/platform/waits/service.ts';
import { module, type Item, type Sub } from './visibility.ts';

/** The acting user and the time. */
export type By = Pick<Context, 'tx' | 'audit' | 'now'> & { user: Viewer };
/** Messages about a part use this module and its id; those about an item use the item's. */
export const subModule = 'supervision_sub';
export const addressOf = (itemId: number) => `/supervise/detail/${itemId}`;

/** Occasions of a sheet or a request: its own news, and that its answer is overdue. */
export const ownOccasion = (id: number) => String(id);
export const lateOccasion = (id: number) => `late-${id}`;

/** An item and one of its parts; null for the item as a whole. */
type Supervised = readonly [Pick<Item, 'id' | 'title' | 'level'>, Pick<Sub, 'id' | 'title'> | null];
/** The news about items and their parts. */
export const superviseNews = newsKinds({
  module,
  type: newsType.supervision,
  group: '督办',
  page: addressOf,
  topic: 'supervise',
  of: ([item, sub]: Supervised) => ({
    ...(sub ? { id: sub.id, module: subModule } : { id: item.id }),
    title: sub?.title ?? item.title,
    ...(sub && sub.title !== item.title && { within: item.title }),
    page: addressOf(item.id),
    level: item.level - 1,
  }),
  kinds: {
    SUP_ISSUED: { name: '督办任务交办给我', head: '督办任务', ways: ['sms', 'push'] },
    SUP_NEAR: { name: '督办任务临期', head: '督办任务临期' },
    SUP_BEHIND: { name: '督办任务滞后', head: '督办任务滞后' },
    SUP_OVERDUE: { name: '督办任务逾期', head: '督办任务逾期', ways: ['sms', 'push'] },
    SUP_CHECK: { name: '督办进展待审核', head: '待审核的进展' },
    SUP_RETURNED: { name: '督办进展审核结果', head: '进展审核' },
    SUP_REQUEST: { name: '督办申请待决定', head: '督办申请' },
    SUP_DECIDED: { name: '督办申请的决定', head: '督办决定' },
    SUP_OPINION: { name: '督办意见提到我', head: '督办意见' },
    SUP_SHEET: {
      name: '蓝色、黄色督办单',
      head: '督办单',
      urgent: { name: '红色督办单', from: newsLevel.urgent, ways: ['sms', 'push'] },
    },
    SUP_FINISHED: { name: '督办事项办结、终止', head: '督办事项' },
  },
});
export type SuperviseEvent = keyof typeof superviseNews;

/** Brings an urged item back to the people's to-do lists, even if they put it aside. */
export const urged = ({ tx, user }: By, item: Pick<Item, 'id'>, people: readonly number[]): Promise<void> =>
  bringBack(
    tx,
    addressOf(item.id),
    people.filter((id) => id !== user.id),
  );

/** The owner and helpers of a part, and the head of its department. */
export async function peopleOf({ tx }: Pick<By, 'tx'>, sub: Sub, helpers = true): Promise<number[]> {
  const heads = await headsOf(tx, [sub.dept]);
  return [...new Set([sub.owner, ...(helpers ? sub.co_users : []), ...heads.map((one) => one.id)])];
}

/** Withdraws messages that asked people to act on a part. */
export const closeNews = ({ tx }: Pick<By, 'tx'>, subIds: readonly number[], ...events: SuperviseEvent[]) =>
  closeTodo(tx, { module: subModule, objectId: subIds, events });

/** The same for one sheet or one request; messages about others of the part stay. */
const closeOne =
  (event: SuperviseEvent) =>
  ({ tx }: Pick<By, 'tx'>, sub: number, id: number): Promise<void> =>
    closeTodo(tx, { module: subModule, objectId: sub, events: [event], of: [ownOccasion(id), lateOccasion(id)] });
export const closeSheetNews = closeOne('SUP_SHEET');
export const closeRequestNews = closeOne('SUP_REQUEST');
