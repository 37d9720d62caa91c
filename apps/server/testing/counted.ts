import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import pg from 'pg';
import { messages } from '#modules/platform/messages/contract.ts';
import type { Client } from '../testing.ts';

/** A transaction, or a statement outside of one, as its connection saw it. */
type Transaction = { texts: string[]; trips: number; done: boolean };
type Asking = (...all: unknown[]) => unknown;
type OfficeClient = pg.Client & { connectionParameters: { application_name?: string } };

/** A count, as whoever asks and each request of theirs carry it with all that they await. */
interface Count {
  no: number;
  begun: Transaction[];
  answered: boolean;
}

const isBeside = /^gongdan-(bus|jobs|mark|place|watch)$/;
/** A job takes a lock first; a new connection is asked which history it is of. */
const isBesides = /pg_try_advisory|pg_control_system|pg_current_wal_insert_lsn/;
const open = new WeakMap<object, Transaction>();
const counting = new AsyncLocalStorage<Count | undefined>();
const counts = new Map<string, Count>();
const mark = 'x-counted';

// A request that is sent within a count says so, and the office answers it within the same count: whatever else it does meanwhile, for
// others or by itself, is none of it.
subscribe('undici:request:create', (message) => {
  const count = counting.getStore();
  if (count)
    (message as { request: { addHeader(name: string, value: string): void } }).request.addHeader(mark, `${count.no}`);
});
subscribe('http.server.request.start', (message) => {
  const { request, response } = message as { request: IncomingMessage; response: NodeJS.EventEmitter };
  const count = counts.get(String(request.headers[mark]));
  const own = count && { ...count, answered: false };
  counting.enterWith(own);
  // What it goes on to do once it has answered is nothing anybody waited for.
  if (own) response.once('finish', () => (own.answered = true));
});

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: OfficeClient, ...given: [{ text?: string } | string]) {
  if (!isBeside.test(this.connectionParameters.application_name ?? '')) hear(this, given[0]);
  const answer = (query as Asking).apply(this, given);
  if (answer instanceof Promise) wait(this, answer);
  return answer;
} as never;

/** How many statements of a connection have been sent and not been answered. */
const unanswered = new WeakMap<object, number>();
function wait(client: object, answer: Promise<unknown>) {
  const more = (by: number) => unanswered.set(client, (unanswered.get(client) ?? 0) + by);
  more(1);
  void answer.then(
    () => more(-1),
    () => more(-1),
  );
}

function hear(client: OfficeClient, asked: { text?: string } | string) {
  const text = (typeof asked === 'string' ? asked : (asked.text ?? '')).trim().replace(/\s+/g, ' ').slice(0, 80);
  const transaction = open.get(client) ?? { texts: [], trips: 0, done: !text.startsWith('begin') };
  const count = counting.getStore();
  if (transaction.texts.length === 0 && count && !count.answered) count.begun.push(transaction);
  transaction.texts.push(text);
  if (!unanswered.get(client)) transaction.trips += 1;
  if (text.startsWith('begin')) open.set(client, transaction);
  if (!/^(commit|rollback(?! to))/.test(text)) return;
  transaction.done = true;
  open.delete(client);
}

/** Statements the office sent to the database during a person's call, without those of the session and of its own jobs. */
export async function counted(who: Client, work: () => Promise<unknown>): Promise<string[]> {
  return (await heardOf(who, work)).flatMap(({ texts }) => texts);
}

/** How often the office waited for an answer of the database during a person's call; what is sent at once is one round trip. */
export async function roundTrips(who: Client, work: () => Promise<unknown>): Promise<number> {
  return (await heardOf(who, work)).reduce((sum, { trips }) => sum + trips, 0);
}

async function heardOf(who: Client, work: () => Promise<unknown>): Promise<Transaction[]> {
  const count: Count = { no: ++last, begun: [], answered: false };
  const goOn = standStill();
  try {
    // A person just seen is believed without looking, as long as that is no longer ago.
    await who.get(messages.count);
    counts.set(`${count.no}`, count);
    await counting.run(count, work);
  } finally {
    counts.delete(`${count.no}`);
    goOn();
  }
  // What a call began, it ended before it answered.
  return count.begun.filter(({ texts, done }) => done && !texts.some((text) => isBesides.test(text)));
}
let last = 0;

/** Stops the clock by which the office believes people; answers what lets it go on. */
function standStill(): () => void {
  const at = performance.now();
  const clock = performance as { now?: () => number };
  clock.now = () => at;
  return () => void delete clock.now;
}
