import pg from 'pg';
import { messages } from '#modules/messages/contract.ts';
import type { Client } from '../testing.ts';

/** A transaction, or a statement outside of one, as its connection saw it. */
type Transaction = { texts: string[]; trips: number; done: boolean };
type Asking = (...all: unknown[]) => unknown;
type OfficeClient = pg.Client & { connectionParameters: { application_name?: string } };

const isBeside = /^gongdan-(bus|jobs|place)$/;
const isJob = /pg_try_advisory/;
const open = new WeakMap<object, Transaction>();
let begun: Transaction[] | undefined;

// Heard from the start: a transaction that was open before a count began is none of the call's.
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
  if (transaction.texts.length === 0) begun?.push(transaction);
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
  // A person just seen is believed without looking.
  await who.get(messages.count);
  const heard: Transaction[] = (begun = []);
  await work().finally(() => (begun = undefined));
  // What a call began, it ended before it answered; jobs take a lock first.
  return heard.filter(({ texts, done }) => done && !texts.some((text) => isJob.test(text)));
}
