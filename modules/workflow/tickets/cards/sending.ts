import { and, eq, inArray, isNull, lt, sql } from 'drizzle-orm';
import { Refusal } from '#kernel/contract/refusal.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import type { Task } from '#kernel/server/jobs/jobs.ts';
import { cancel, deliveryOf, post, underWay, type AppBody } from '#modules/platform/deliveries/service.ts';
import { peopleById, workingAmong } from '#modules/platform/people/service.ts';
import { pathOf } from '#kernel/contract/call.ts';
import { noticeWays, type NoticeWay } from '#modules/workflow/workflows/service.ts';
import { seenBy } from '../commands/commands.ts';
import { cardCalls } from '../contract/cards.ts';
import type { Said } from '../notify/sending-out.ts';
import { asking } from '../notify/withdraw-todos.ts';
import { whatEnded } from '../store/log.ts';
import { load, lockRow, type Stored } from '../store/store.ts';
import { ticketCardTable } from '../tables/card.ts';
import { seenHash } from '../visibility/seen.ts';
import { bringCards, type Errand } from './bringing.ts';
import { cardHours, cardViewer, choicesOf, signsOf } from './card.ts';

export const cardsTask = ({ databases }: { databases: Pick<Databases, 'write'> }): Task<Errand> => ({
  name: bringCards,
  title: '发送应用卡片',
  run: (errand) =>
    databases.write(async (tx) => {
      // Decisions made meanwhile wait for the lock, and a job of their own updates the cards for them.
      await lockRow(tx, errand.ticket);
      const stored = await load(tx, errand.ticket, undefined, 'held');
      if (!stored) return;
      await putRight(tx, stored, errand);
      const ways = (await noticeWays(tx, errand.notices)).filter((way) => way.app !== null);
      for (const said of errand.said) for (const way of ways) await tell(tx, stored, errand, { said, way });
    }),
});

interface Telling {
  said: Said;
  way: NoticeWay;
}

async function tell(tx: Db, stored: Stored, errand: Errand, { said, way }: Telling): Promise<void> {
  const working = await workingAmong(tx, said.people);
  const people = await peopleById(tx, working);
  const numbered = (text: string) => text.replaceAll(errand.sn, stored.sn);
  const decides = (asking as readonly string[]).includes(said.event) && way.app!.decides !== 0;
  for (const id of working) {
    const key = `ticket:${errand.ticket}:${errand.seq}:${said.event.toLowerCase()}:${way.id}:${id}`;
    const card = decides ? await cardFor(tx, stored, way, id) : null;
    const body: AppBody = { ...plainBody(way, numbered(said.content), errand.path), ...card?.body };
    const [delivery] = await post(tx, [
      {
        channel: way.channel,
        target: people.get(id)!.username,
        title: numbered(said.title),
        body,
        key,
        module: 'tickets',
        objectId: errand.ticket,
        userId: id,
      },
    ]);
    if (card) await tx.update(ticketCardTable).set({ delivery_id: delivery! }).where(eq(ticketCardTable.id, card.id));
  }
}

const plainBody = ({ url, secret, app }: NoticeWay, text: string, path: string): AppBody => ({
  text,
  path,
  app: { url, id: app!.id, agent: app!.agent },
  secret,
});

/** The card for a person; null if there is nothing they could decide with one press. */
async function cardFor(tx: Db, stored: Stored, way: NoticeWay, user: number) {
  const viewer = await cardViewer(tx, user, way, stored.version.workflow_id);
  if (!viewer) return null;
  const seen = await seenBy(tx, viewer, stored.id, false).catch((stop: unknown) => {
    if (stop instanceof Refusal) return null;
    throw stop;
  });
  const all = seen ? choicesOf(seen) : [];
  const [first] = all;
  if (!seen || !first) return null;
  const [card] = await tx
    .insert(ticketCardTable)
    .values({
      ticket_id: stored.id,
      task_no: first.task_no,
      user_id: user,
      notice_id: way.id,
      seen_hash: seenHash(seen, seen.reader),
      expires_at: sql`now() + make_interval(hours => ${cardHours})`,
    })
    .returning();
  const page = pathOf(cardCalls.cardPage, { id: card!.id, sign: '' }).replace(/\/\/$/, '/{sign}/');
  const choices = all
    .filter((one) => one.task_no === first.task_no)
    .slice(0, 4)
    .map(({ transition }) => ({ title: transition.name, path: `${page}?choose=${transition.id}` }));
  return { id: card!.id, body: { choices, signs: signsOf(card!) } };
}

/** Updates the cards that can no longer decide anything: undelivered ones are withdrawn, the others show what happened. */
async function putRight(tx: Db, stored: Stored, { path, title }: Errand): Promise<void> {
  const open = await tx
    .select()
    .from(ticketCardTable)
    .where(and(eq(ticketCardTable.ticket_id, stored.id), isNull(ticketCardTable.settled_at)));
  const waits = new Set(stored.state.tasks.filter((task) => task.status === 'todo').map((task) => task.no));
  for (const card of open) {
    if (waits.has(card.task_no)) continue;
    await tx
      .update(ticketCardTable)
      .set({ settled_at: sql`now()` })
      .where(eq(ticketCardTable.id, card.id));
    const [way] = await noticeWays(tx, [card.notice_id]);
    if (card.delivery_id === null || !way?.app) continue;
    const key = `ticket:card:${card.id}:over`;
    const before = await deliveryOf(tx, card.delivery_id);
    if (!before) continue;
    const calledBack = await cancel(tx, [before.key]);
    if (calledBack > 0 && (await underWay(tx, [card.delivery_id])).size === 0) continue;
    const words = (await whatEnded(tx, stored, [card.task_no], card.user_id)) ?? '这项待办已不需要您处理';
    const body: AppBody = { ...plainBody(way, words, path), replaces: card.delivery_id };
    const about = { module: 'tickets', objectId: stored.id, userId: card.user_id };
    await post(tx, [{ channel: way.channel, target: before.target, title, body, key, ...about }]);
  }
}

/** Removes one portion of the cards that have been over for a month; returns true if more may wait. */
export async function purgeCards(tx: Db): Promise<boolean> {
  const portion = 1000;
  const old = tx
    .select({ id: ticketCardTable.id })
    .from(ticketCardTable)
    .where(lt(ticketCardTable.expires_at, sql`now() - interval '30 days'`))
    .limit(portion);
  const { rowCount } = await tx.delete(ticketCardTable).where(inArray(ticketCardTable.id, old));
  return rowCount === portion;
}
