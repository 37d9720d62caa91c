import pg from 'pg';
import { messages } from '#modules/messages/contract.ts';
import type { Client } from '../testing.ts';

/** Statements the office sent to the database during a person's call, without those of the session and of its own jobs. */
export async function counted(who: Client, work: () => Promise<unknown>): Promise<string[]> {
  // A person just seen is believed without looking.
  await who.get(messages.count);
  const byClient = new Map<unknown, string[]>();
  const { query } = pg.Client.prototype;
  pg.Client.prototype.query = function (this: OfficeClient, ...given: [{ text?: string } | string]) {
    const [asked] = given;
    if (isBeside.test(this.connectionParameters.application_name ?? '')) return (query as Asking).apply(this, given);
    const text = (typeof asked === 'string' ? asked : (asked.text ?? '')).trim();
    byClient.set(this, [...(byClient.get(this) ?? []), text.replace(/\s+/g, ' ').slice(0, 80)]);
    return (query as Asking).apply(this, given);
  } as never;
  await work().finally(() => (pg.Client.prototype.query = query));
  return [...byClient.values()].flatMap(withoutJobs);
}

/** Leaves out the transactions of jobs: those that take a job's lock, and one that began before we counted. */
function withoutJobs(texts: readonly string[]): string[] {
  const transactions: string[][] = [[]];
  for (const text of texts) {
    if (text.startsWith('begin')) transactions.push([]);
    transactions.at(-1)!.push(text);
    if (/^(commit|rollback)/.test(text)) transactions.push([]);
  }
  const ours = ([first = '', ...rest]: string[]) =>
    first.startsWith('begin')
      ? !rest.some((text) => isJob.test(text))
      : !/^(commit|rollback)/.test(rest.at(-1) ?? first);
  return transactions.filter(ours).flat();
}
type Asking = (...all: unknown[]) => unknown;
type OfficeClient = pg.Client & { connectionParameters: { application_name?: string } };
const isBeside = /^gongdan-(bus|jobs|place)$/;
const isJob = /pg_try_advisory/;
