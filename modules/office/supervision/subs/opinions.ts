import { absent } from '#kernel/contract/refusal.ts';
import type { BodyOf } from '#kernel/contract/call.ts';
import { announce } from '#modules/platform/messages/service.ts';
import type { opinions } from '../contract/hung.ts';
import { peopleById } from '#modules/platform/people/service.ts';
import { opinionType } from '../contract/codes.ts';
import { notTheirs } from '../contract/refusals.ts';
import { peopleOf, superviseNews, urged, type By } from '../record/news.ts';
import { demand, openItem } from '../record/rights.ts';
import { keptFrom, requireSub, type Asker } from '../record/visibility.ts';
import { demandWorking } from '../record/write.ts';
import { opinionTable } from '../tables.ts';

/**
 * An opinion of a leader, a supervisor or a person who does a part. People named with @ are notified; they must be insiders, because only
 * those can read it.
 */
export async function speak(by: By, asker: Asker, body: BodyOf<typeof opinions.create>): Promise<{ id: number }> {
  const { item, subs, part, actions } = await openItem(by.tx, asker, body.supervise_id);
  demand(actions, 'speak', item);
  if (body.type === opinionType.leader && !part.leads) demand([], 'instruct', item);
  if ((body.type === opinionType.supervisor || body.type === opinionType.urge) && !part.supervises && !part.leads)
    demand([], 'guide', item);
  const sub = body.sub_id
    ? ((await requireSub(by.tx, asker, body.sub_id)).inside && subs.find((one) => one.id === body.sub_id)) || null
    : null;
  if (body.sub_id && !sub) throw absent('督办任务');
  await demandWorking(by.tx, body.at_users);
  const kept = await keptFrom(by.tx, body.at_users, item.id, sub?.id ?? null);
  if (kept.length > 0) {
    const cards = await peopleById(by.tx, kept);
    throw notTheirs(
      kept.map((id) => cards.get(id)!.alias),
      `“${sub?.title ?? item.title}”`,
    );
  }
  const [row] = await by.tx
    .insert(opinionTable)
    .values({ ...body, author: by.user.id })
    .returning({ id: opinionTable.id });
  const heard =
    body.type === opinionType.undertaker
      ? [item.supervisor, item.leader]
      : sub
        ? await peopleOf(by, sub)
        : [item.owner, ...subs.map((one) => one.owner)];
  const to = [...body.at_users, ...heard];
  await announce(
    by.tx,
    superviseNews.SUP_OPINION,
    [item, sub],
    { content: `${opinionType.label(body.type)}：${body.content}`, by: by.user.id, occasion: String(row!.id) },
    to,
  );
  if (body.type === opinionType.urge)
    await urged(
      by,
      item,
      to.filter((id) => id !== null),
    );
  by.audit({
    type: '督办意见',
    id: row!.id,
    title: item.title,
    after: { 类型: opinionType.label(body.type), 意见: body.content },
  });
  return { id: row!.id };
}
