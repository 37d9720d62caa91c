import { createHash } from 'node:crypto';
import { and, eq, inArray, sql } from 'drizzle-orm';
import { houseNow } from '#kernel/server/process/clock.ts';
import type { Databases, Db } from '#kernel/server/db/db.ts';
import { enqueue, enqueueAll, type Task } from '#kernel/server/jobs/jobs.ts';
import { afterQuiet } from '#kernel/server/text/quiet.ts';
import { contactsOf } from '#modules/platform/people/service/phones.ts';
import type { Way } from '../contract/kinds.ts';
import { receiptTable } from '../tables.ts';
import { unread, type Outgoing, type Wanting, type Ways } from './outside.ts';

/** The wording of one of several messages in a summary. */
export interface Named {
  /** Its subject: `某大学 门户`. */
  name: string;
  /** The event: `异常`. */
  said: string;
  reason: string;
  /** The page that shows all of them. */
  path: string;
}
interface Errand extends Named {
  message: number;
  user: number;
  ways: Way[];
  quiet: [from: string, to: string] | null;
}

const tellTogether = 'tell outside together';
const tellAgain = 'tell outside together again';
const keyOf = (user: number) => `together:${user}`;
/** Milliseconds for which the first message waits for others. */
const gatheringMs = 5000;
const minuteMs = 60_000;
const mostNamed = 5;

/** Adds an external message to the others of the same person in this minute. */
export function gather(tx: Db, message: number, wanting: readonly Wanting[], named: Named): Promise<void> {
  const from = houseNow();
  return enqueueAll(
    tx,
    tellTogether,
    wanting.map(({ user_id: user, ways, quiet_from, quiet_to }) => {
      const quiet: Errand['quiet'] = quiet_from === null || quiet_to === null ? null : [quiet_from, quiet_to];
      const errand: Errand = { ...named, message, user, ways, quiet };
      const at = afterQuiet(new Date(from.getTime() + gatheringMs), quiet_from, quiet_to);
      return { payload: [errand], key: keyOf(user), at, gathers: true };
    }),
  );
}

/** Sends a person's gathered messages; those of the following minute are gathered for the next time. */
export function gatheredTask(databases: Pick<Databases, 'write'>, ways: Ways): Task<Errand[]> {
  return {
    name: tellTogether,
    title: '合并发出告警短信、邮件',
    async run(errands, { now }) {
      const [first] = errands;
      // The minute after the last message passed without another.
      if (!first) return;
      const { user } = first;
      const quiet = errands.at(-1)!.quiet;
      const free = quiet ? afterQuiet(now, ...quiet) : now;
      if (free > now)
        return databases.write((tx) =>
          enqueue(tx, tellTogether, errands, { key: keyOf(user), at: free, gathers: true }),
        );
      const failed: Way[] = [];
      for (const way of new Set(errands.flatMap((one) => one.ways)))
        await databases.write((tx) => sendTogether(tx, way, errands, ways)).catch(() => failed.push(way));
      await databases.write(async (tx) => {
        // Separately: later messages are neither held back by a failed channel nor counted as sent by the others.
        for (const way of failed) await enqueue(tx, tellAgain, byOne(way, errands));
        await enqueue(tx, tellTogether, [], { key: keyOf(user), at: new Date(now.getTime() + minuteMs) });
      });
    },
  };
}

/** Resends gathered messages by the one channel that failed. */
export function gatheredAgainTask(databases: Pick<Databases, 'write'>, ways: Ways): Task<Errand[]> {
  return {
    name: tellAgain,
    title: '重发没有发出的告警短信、邮件',
    async run(errands, { now }) {
      const { quiet, ways: wanted } = errands.at(-1)!;
      const free = quiet ? afterQuiet(now, ...quiet) : now;
      await databases.write((tx) =>
        free > now ? enqueue(tx, tellAgain, errands, { at: free }) : sendTogether(tx, wanted[0]!, errands, ways),
      );
    },
  };
}

const byOne = (way: Way, errands: readonly Errand[]): Errand[] =>
  errands.filter((one) => one.ways.includes(way)).map((one) => ({ ...one, ways: [way] }));

async function sendTogether(tx: Db, way: Way, errands: readonly Errand[], ways: Ways): Promise<void> {
  const { user } = errands[0]!;
  const [to] = await contactsOf(tx, [user]);
  if (!to) return;
  const wanted = errands.filter((one) => one.ways.includes(way));
  const news: (Errand & { title: string; content: string; web_path: string })[] = [];
  for (const one of wanted) {
    const there = await unread(tx, one.message, user);
    if (there) news.push({ ...one, ...there });
  }
  // Different events, such as failures and recoveries, are reported separately.
  for (const alike of Map.groupBy(news, (one) => one.said).values()) {
    const [first, ...others] = alike.map((one) => one.message) as [number, ...number[]];
    await ways[way]?.(tx, { key: keyOfAll(alike, user, way), to, messageId: first, ...together(alike) });
    await joinTo(tx, first, others, user);
  }
}

/** Other messages with the same first one make a different text. */
const keyOfAll = (news: readonly Errand[], user: number, way: Way): string => {
  const ids = createHash('sha256')
    .update(news.map((one) => one.message).join())
    .digest('hex');
  return `msg:${news[0]!.message}:${user}:${way}:${ids.slice(0, 16)}`;
};

/** Records which messages were sent under the number of another, so that the text stays valid as long as one of them is. */
async function joinTo(tx: Db, first: number, others: readonly number[], user: number): Promise<void> {
  if (others.length === 0) return;
  const { msg_id, user_id, told_with } = receiptTable;
  await tx
    .update(receiptTable)
    .set({ told_with: sql`array_append(array_remove(${told_with}, ${first}::int), ${first}::int)` })
    .where(and(eq(user_id, user), inArray(msg_id, [...others])));
}

/** Combines several messages into one: the first names, their number, the reason if it is the same, and each with its own reason in the content. */
export function together(
  news: readonly (Pick<Errand, 'name' | 'said' | 'reason' | 'path'> & { content: string; web_path: string })[],
): Pick<Outgoing, 'title' | 'content' | 'web_path' | 'besides'> {
  const [first] = news as [(typeof news)[number]];
  const names = [...new Set(news.map((one) => one.name))];
  const named = names.slice(0, mostNamed).join('、') + (names.length > mostNamed ? `等 ${names.length} 项` : '');
  const reasons = [...new Set(news.map((one) => one.reason))];
  return {
    title: `${named} ${first.said}`,
    content: news.map((one) => one.content).join('\n'),
    web_path: news.length === 1 ? first.web_path : first.path,
    besides: { own: names, reason: reasons.length === 1 ? reasons[0]! : '' },
  };
}
