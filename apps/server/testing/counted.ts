import { AsyncLocalStorage } from 'node:async_hooks';
import { subscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import pg from 'pg';
import { messages } from '#modules/platform/messages/contract.ts';
import type { Client } from '../testing.ts';

/** A transaction, or a statement outside of one, on its connection. */
type Transaction = { texts: string[]; trips: number; done: boolean };
type Asking = (...all: unknown[]) => unknown;
type OfficeClient = pg.Client & { connectionParameters: { application_name?: string } };

/** A count, carried by the caller and each of their requests through everything they await. */
interface Count {
  no: number;
  begun: Transaction[];
  answered: boolean;
}

const isBeside = /^gongdan-(bus|jobs|mark|place|watch)$/;
/** A job takes a lock first; a new connection is asked for its history. */
const isBesides = /pg_try_advisory|pg_control_system|pg_current_wal_insert_lsn/;
const open = new WeakMap<object, Transaction>();
const counting = new AsyncLocalStorage<Count | undefined>();
const counts = new Map<string, Count>();
const mark = 'x-counted';

// A request sent within a count carries its number, and the app answers it within the same count: its work for others or by itself does not count.
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
  // Nobody waits for the work that goes on after the answer.
  if (own) response.once('finish', () => (own.answered = true));
});

const { query } = pg.Client.prototype;
pg.Client.prototype.query = function (this: OfficeClient, ...given: [{ text?: string } | string]) {
  if (!isBeside.test(this.connectionParameters.application_name ?? '')) hear(this, given[0]);
  const answer = (query as Asking).apply(this, given);
  if (answer instanceof Promise) wait(this, answer);
  return answer;
} as never;

/** The number of statements on a connection that were sent and not answered. */
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

/** The statements that the app sends to the database during a person's call, without those of the session and of its own jobs. */
export async function counted(who: Client, work: () => Promise<unknown>): Promise<string[]> {
  return (await heardOf(who, work)).flatMap(({ texts }) => texts);
}

/** The number of times the app waits for the database during a person's call; statements sent together are one round trip. */
export async function roundTrips(who: Client, work: () => Promise<unknown>): Promise<number> {
  return (await heardOf(who, work)).reduce((sum, { trips }) => sum + trips, 0);
}

async function heardOf(who: Client, work: () => Promise<unknown>): Promise<Transaction[]> {
  const count: Count = { no: ++last, begun: [], answered: false };
  const goOn = standStill();
  try {
    // A person's rights are cached for a short time after a call.
    await who.get(messages.count);
    counts.set(`${count.no}`, count);
    await counting.run(count, work);
  } finally {
    counts.delete(`${count.no}`);
    goOn();
  }
  // Everything that a call began, it ended before it answered.
  return count.begun.filter(({ texts, done }) => done && !texts.some((text) => isBesides.test(text)));
}
let last = 0;

/** Stops the clock by which rights are cached; returns a function that restarts it. */
function standStill(): () => void {
  const at = performance.now();
  const clock = performance as { now?: () => number };
  clock.now = () => at;
  return () => void delete clock.now;
}
