import { useState } from 'react';
import { live, useCall } from '#kernel/web/calls.ts';
import { tickets } from '../../contract.ts';
import type { Detail, FlowLog } from '../../contract/shapes.ts';
import { differencesOf } from './differences.ts';

/** The most rows shown at once; older ones are left out and said so. */
const max = 100;

/** What the page asks of a ticket's log, the newest first; live wherever it is asked, for the last to ask says what a query is. */
export const logAsked = (id: number) =>
  ({ params: { id }, query: { order_by: 'seq', desc: true, per_page: max, ticket_data: true } }) as never;

/**
 * How far I had read when I opened this page; null where it was the first time. What the cache still holds from the last time
 * does not count, and what I read meanwhile stays marked until I come back.
 */
export function useReadUntil(ticket: Detail | undefined, updatedAt: number): number | null {
  const [opened] = useState(() => Date.now());
  const [until, setUntil] = useState<number | null | undefined>(undefined);
  if (until === undefined && ticket && updatedAt >= opened) setUntil(ticket.looked_seq);
  return until ?? null;
}

/** Whether others made a row of the log after what I had read. */
export const isNews = (log: FlowLog, until: number | null): boolean => until !== null && log.seq > until && !log.mine;

/** Keys of the fields that others changed since. */
export function useChangedFields(ticket: Detail | undefined, until: number | null): ReadonlySet<string> {
  const wanted = ticket !== undefined && until !== null;
  const { data } = useCall(tickets.flowlogs, logAsked(ticket?.id ?? 0), { enabled: wanted, meta: live });
  if (!wanted || !data) return new Set();
  const changed = differencesOf(data.value.toReversed(), ticket.field_list);
  const fresh = data.value.filter((log) => isNews(log, until));
  return new Set(fresh.flatMap((log) => changed.get(log.seq) ?? []).map((one) => one.key));
}
