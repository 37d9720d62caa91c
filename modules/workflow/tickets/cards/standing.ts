import { eq } from 'drizzle-orm';
import { momentOf } from '#kernel/contract/moment.ts';
import { Refusal } from '#kernel/contract/refusal.ts';
import type { Viewer } from '#kernel/server/access/viewer.ts';
import type { Db } from '#kernel/server/db/db.ts';
import type { Context } from '#kernel/server/http/implement.ts';
import { isKnownDevice } from '#modules/platform/accounts/service.ts';
import { noticeWays } from '#modules/workflow/workflows/service.ts';
import { seenBy, type Seen } from '../commands/commands.ts';
import { whatEnded } from '../store/log.ts';
import { load, lockRow } from '../store/store.ts';
import { ticketCardTable } from '../tables/card.ts';
import { refuseUnseen } from '../visibility/seen.ts';
import { cardViewer, choicesOf, type Card, type Choice } from './card.ts';

/** The state of a card for the person who opens it: what they may decide, or why nothing. */
export type Standing =
  | { open: false; title: string; said: string }
  | { open: true; viewer: Viewer; seen: Seen; choices: readonly Choice[]; changed: string };

const closed = (title: string, said: string): Standing => ({ open: false, title, said });

/**
 * Checks everything anew: whether the card is still valid, whether the administrator lets people decide by it, the person's present rights, and what
 * they may do with the ticket. Nothing of the ticket is shown before all that. `lock`: for deciding, under the ticket's lock.
 */
export async function standingOf(
  tx: Db,
  known: Card,
  { cookies, now }: Pick<Context, 'cookies' | 'now'>,
  lock: boolean,
): Promise<Standing> {
  if (lock) await lockRow(tx, known.ticket_id);
  const [card] = await tx.select().from(ticketCardTable).where(eq(ticketCardTable.id, known.id));
  if (!card) return closed('链接已失效', '这张卡片已经不在，请登录系统办理。');
  if (card.used_at !== null)
    return closed('已经办理', `已在 ${card.used_at.slice(0, 16)} 从这张卡片办理过，不能再次办理。`);
  if (momentOf(card.expires_at) <= now) return closed('链接已过期', '卡片发出超过 72 小时，请登录系统办理。');
  const [way] = await noticeWays(tx, [card.notice_id]);
  if (!way?.app || way.app.decides === 0) return closed('请登录后办理', '现在不能从卡片直接办理，请登录系统办理。');
  if (way.app.decides === 1 && !(await isKnownDevice(tx, card.user_id, cookies)))
    return closed(
      '请登录后办理',
      '您还没有在这台设备上登录过，请登录系统办理；登录之后，这台设备上的卡片可以直接办理。',
    );
  const plain = await load(tx, card.ticket_id, undefined, false);
  const viewer = plain && (await cardViewer(tx, card.user_id, way, plain.version.workflow_id));
  if (!viewer) return closed('不能办理', '这个账号现在不能从卡片办理，请登录系统查看。');
  const seen = await seenBy(tx, viewer, card.ticket_id, lock).catch((stop: unknown) => {
    if (stop instanceof Refusal) return null;
    throw stop;
  });
  if (!seen) return closed('不能办理', '这张工单已删除，或现在不由您处理。');
  const choices = choicesOf(seen).filter((one) => one.task_no === card.task_no);
  if (choices.length === 0) {
    const why = seen.state.suspended
      ? '工单已挂起，恢复后再办理'
      : await whatEnded(tx, seen, [card.task_no], viewer.id);
    return closed('不用再办理', `${why ?? '这项待办现在不能从卡片办理'}。`);
  }
  const changed = await refuseUnseen(tx, seen, seen.reader, card.seen_hash, async () => null).then(
    () => '',
    (stop: unknown) => {
      if (stop instanceof Refusal) return stop.message.replace('您打开之后', '卡片发出之后');
      throw stop;
    },
  );
  return { open: true, viewer, seen, choices, changed };
}
