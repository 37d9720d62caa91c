import { useState } from 'react';
import { live, useCall } from '#kernel/web/calls.ts';
import { tickets } from '../../contract.ts';
import type { Detail, FlowLog } from '../../contract/shapes.ts';
import { differencesOf } from './differences.ts';

/** The most rows shown at once; older ones are left out, with a note. */
const max = 100;

/** The page's query of a ticket's log, newest first; live in every use, because the last use determines a query's options. */
export const logAsked = (id: number) => ({
  params: { id },
  query: { order_by: 'seq' as const, desc: true, per_page: max, ticket_data: true },
});

/**
 * My reading position when I opened this page; null the first time. Cached data of the last visit does not count, and what I read meanwhile stays
 * marked until I return.
 */
export function useReadUntil(ticket: Detail | undefined, updatedAt: number): number | null {
  const [opened] = useState(() => Date.now());
  const [until, setUntil] = useState<number | null | undefined>(undefined);
  if (until === undefined && ticket && updatedAt >= opened) setUntil(ticket.looked_seq);
  return until ?? null;
}

/** True if others made a log row after my reading position. */
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
